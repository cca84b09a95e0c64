extension Rule {
    static let longestFile = 500
    static let longestFunction = 70
    /// `swift format` holds code at 110, but lets comments be, and what it can't break: nothing is longer
    /// than this.
    static let longestLine = 120
    /// A comment inside a function that is one switch over (state, event), which may be as long as its table
    /// is.
    static let transitionMarker = "// transition switch"

    private static func function(lines: Int, first: String = "    let a = 1") -> String {
        "func f(\n    a: Int = { 1 }()\n) -> [Int] {\n"
            + (first + "\n") + String(repeating: "    let b = 1\n", count: lines - 5) + "}\n"
    }

    static let sizes: [Rule] = [
        Rule(
            name: "short files",
            samples: [
                Sample(
                    path: "Sources/Lobby/A.swift", text: String(repeating: "a\n", count: longestFile + 1),
                    line: longestFile + 1),
                Sample(
                    path: "Sources/Lobby/A.swift", text: String(repeating: "a\n", count: longestFile),
                    line: nil),
            ],
            check: { file in
                guard isCode(file), file.lines.count > longestFile else { return [] }
                return [(longestFile + 1, "\(file.lines.count) lines are too many: at most \(longestFile)")]
            }),
        Rule(
            name: "short lines",
            samples: [
                Sample(
                    path: "Sources/CEpoll/a.c", text: "\n" + String(repeating: "ä", count: longestLine + 1),
                    line: 2),
                Sample(path: "Package.swift", text: String(repeating: "a", count: longestLine + 1), line: 1),
                Sample(
                    path: "Sources/Lobby/A.swift", text: String(repeating: "ä", count: longestLine), line: nil
                ),
            ],
            check: { file in
                guard isCode(file) else { return [] }
                return file.lines.enumerated().filter {
                    $0.element.utf8.count > longestLine && $0.element.count > longestLine
                }.map {
                    ($0.offset + 1, "\($0.element.count) characters are too many: at most \(longestLine)")
                }
            }),
        Rule(
            name: "short functions",
            samples: [
                Sample(path: "Sources/Lobby/A.swift", text: function(lines: longestFunction + 1), line: 1),
                Sample(
                    path: "Sources/Lobby/A.swift",
                    text: "protocol A {\n    func a()\n}\nstruct B {\n" + function(lines: longestFunction + 1)
                        + "}\n",
                    line: 5),
                Sample(
                    path: "Sources/Lobby/A.swift",
                    text: "\n" + function(lines: 80).replacing("func f", with: "init"),
                    line: 2),
                Sample(path: "Sources/Lobby/A.swift", text: function(lines: longestFunction), line: nil),
                Sample(
                    path: "Sources/Lobby/A.swift",
                    text: function(lines: 90, first: "    \(transitionMarker)"), line: nil),
                Sample(
                    path: "Sources/Lobby/A.swift",
                    text: "protocol A {\n    func a() -> Int\n    var b: Int { get }\n"
                        + String(repeating: "\n", count: 80) + "}\n",
                    line: nil),
            ],
            check: { file in
                guard file.isSwift else { return [] }
                return FunctionSpan.all(in: file).filter { span in
                    span.lineCount > longestFunction
                        && !file.lines[(span.first - 1)..<span.last].contains {
                            $0.drop { $0 == " " }.hasPrefix(transitionMarker)
                        }
                }.map {
                    let limit = "at most \(longestFunction), but for one switch marked '\(transitionMarker)'"
                    return ($0.first, "a function of \($0.lineCount) lines is too long: \(limit)")
                }
            }),
        Rule(
            name: "no type named like its target",
            samples: [
                Sample(path: "Sources/Lobby/A.swift", text: "\npackage struct Lobby {}\n", line: 2),
                Sample(path: "Sources/EventLoop/A.swift", text: "final class EventLoop: A {}\n", line: 1),
                Sample(
                    path: "Sources/Lobby/A.swift", text: "struct LobbyPlace {}\nlet a: Lobby\n", line: nil),
                Sample(path: "Sources/Store/A.swift", text: "struct Lobby {}\n", line: nil),
                Sample(path: "Tests/LobbyTests/A.swift", text: "struct LobbyTests {}\n", line: nil),
            ],
            check: { file in
                guard file.isSwift, file.isSource, let target = file.target else { return [] }
                return file.code.enumerated().filter { _, line in
                    line.matches(of: #/\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Za-z_]\w*)/#)
                        .contains {
                            $0.1 == target
                        }
                }.map {
                    (
                        $0.offset + 1,
                        "a type must not have its target's name: '\(target).A' would be ambiguous"
                    )
                }
            }),
    ]

    private static func isCode(_ file: HouseFile) -> Bool {
        file.isSwift || file.path.hasSuffix(".c") || file.path.hasSuffix(".h")
    }
}
