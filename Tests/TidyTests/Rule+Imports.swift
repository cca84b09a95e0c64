extension Rule {
    /// What reaches outside a value: the system, the clock, threads.
    private static let systemModules: Set<String> = [
        "Dispatch", "Glibc", "Musl", "Darwin", "Foundation", "FoundationEssentials", "FoundationNetworking",
        "CEpoll", "CTLS",
        "Synchronization",
    ]
    /// Neighbours that must not know each other: a change of the wire cannot change a rule.
    private static let onlyRaceModel: Set<String> = ["MatchRules", "Lobby", "WireProtocol", "ProxyProtocol"]

    static let imports: [Rule] = [
        Rule(
            name: "pure targets",
            samples: [
                Sample(path: "Sources/Lobby/A.swift", text: "import RaceModel\nimport Glibc\n", line: 2),
                Sample(path: "Sources/Store/A.swift", text: "package import Dispatch\n", line: 1),
                Sample(path: "Sources/ServerCore/A.swift", text: "import struct Foundation.Date\n", line: 1),
                Sample(
                    path: "Sources/Fairness/A.swift", text: "@preconcurrency internal import Dispatch",
                    line: 1),
                Sample(path: "Sources/RaceModel/A.swift", text: "#if canImport(Glibc)\n#endif\n", line: 1),
                Sample(path: "Sources/RaceModel/A.swift", text: "let a = 1; import Glibc\n", line: 1),
                Sample(path: "Sources/EventLoop/A.swift", text: "import Dispatch\n// import\n", line: nil),
                Sample(path: "Sources/Lobby/A.swift", text: "// import Glibc is not for us\n", line: nil),
            ],
            check: { file in
                guard file.isPure else { return [] }
                return importedModules(in: file).filter { systemModules.contains($0.module) }.map {
                    ($0.line, "a pure target must not import \($0.module)")
                }
            }),
        Rule(
            name: "targets that know only RaceModel",
            samples: [
                Sample(path: "Sources/MatchRules/A.swift", text: "import WireProtocol\n", line: 1),
                Sample(
                    path: "Sources/WireProtocol/A.swift", text: "import RaceModel\nimport enum Lobby.A\n",
                    line: 2),
                Sample(path: "Sources/Lobby/A.swift", text: "package import RaceModel\n", line: nil),
                Sample(path: "Sources/ServerCore/A.swift", text: "import Lobby\n", line: nil),
            ],
            check: { file in
                guard file.isSource, file.isSwift, let target = file.target, onlyRaceModel.contains(target)
                else { return [] }
                return importedModules(in: file).filter { $0.module != "RaceModel" }.map {
                    ($0.line, "\(target) may import only RaceModel, not \($0.module)")
                }
            }),
        Rule(
            name: "no Foundation",
            samples: [
                Sample(path: "Sources/catrace/A.swift", text: "\nimport Foundation\n", line: 2),
                Sample(path: "Sources/EventLoop/A.swift", text: "import FoundationEssentials\n", line: 1),
                Sample(path: "Tests/TidyTests/A.swift", text: "import Foundation\n", line: nil),
            ],
            check: { file in
                guard file.isSource, file.isSwift else { return [] }
                return importedModules(in: file).filter { $0.module.hasPrefix("Foundation") }.map {
                    ($0.line, "nothing in Sources may import \($0.module): use Glibc at the edge")
                }
            }),
        Rule(
            name: "only Swift Testing",
            samples: [
                Sample(path: "Tests/LobbyTests/A.swift", text: "import XCTest\n", line: 1),
                Sample(path: "Tests/LobbyTests/A.swift", text: "import Testing\n", line: nil),
            ],
            check: { file in
                guard file.isTest, file.isSwift else { return [] }
                return importedModules(in: file).filter { $0.module == "XCTest" }.map {
                    ($0.line, "an XCTest would never run here: use Swift Testing")
                }
            }),
    ]

    /// Every module named by an import, whatever stands around it, or asked for by `canImport`.
    private static func importedModules(in file: HouseFile) -> [(line: Int, module: String)] {
        let kinds: Set<Substring> = [
            "struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor",
        ]
        var found: [(line: Int, module: String)] = []
        for (index, line) in file.code.enumerated() where line.lowercased().contains("import") {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            for (place, word) in words.enumerated() where word == "import" || word == "canImport" {
                let rest = words.dropFirst(place + 1)
                let isKind = rest.first.map { kinds.contains($0) } == true
                if let module = isKind ? rest.dropFirst().first : rest.first {
                    found.append((index + 1, String(module)))
                }
            }
        }
        return found
    }
}
