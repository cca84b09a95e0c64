extension Rule {
    /// One word that must not stand in the code of some files.
    private static func banned(
        _ word: String, instead: String, bad: String, good: String,
        where applies: @escaping @Sendable (HouseFile) -> Bool
    ) -> Rule {
        Rule(
            name: "no \(word)",
            samples: [
                Sample(path: bad, text: "let a = 1\n    \(word)\n", line: 2),
                Sample(path: bad, text: "let a = \"\\(\(word))\"\n", line: 1),
                Sample(path: bad, text: "// \(word)\nlet a = \"\(word)\"\n", line: nil),
                Sample(path: good, text: "\(word)\n", line: nil),
            ],
            check: { file in
                guard file.isSwift, applies(file) else { return [] }
                return file.code.enumerated().filter { contains(word, in: $0.element) }.map {
                    ($0.offset + 1, "'\(word)' must not stand here: \(instead)")
                }
            })
    }

    private static let confinement = "Sources/EventLoop/QueueConfined.swift"

    static let words: [Rule] = everywhere + chance + pure + [unfinished, transitions]

    private static let everywhere: [Rule] =
        [
            ("try!", "handle the error"), ("as!", "use 'as?' and say what else"),
            ("fatalError(", "peers get refusals, the world's faults are errors, ours are preconditions"),
            ("nonisolated(unsafe)", "give the state one owner"),
            ("@preconcurrency", "it silences the compiler: confine the value to its queue"),
            ("select(", "poll or epoll: from descriptor 1024 on it writes past its set"),
        ].map { word, instead in
            banned(
                word, instead: instead, bad: "Sources/ServerRuntime/A.swift",
                good: "Tests/LobbyTests/A.swift",
                where: { $0.isSource })
        } + [
            banned(
                "@unchecked", instead: "the only one is QueueConfined", bad: "Sources/EventLoop/A.swift",
                good: confinement,
                where: { $0.isSource && $0.path != confinement })
        ]

    private static let chance: [Rule] =
        [".random(", ".randomElement(", ".shuffled()", ".shuffle()"].map {
            banned(
                $0, instead: "draw from the generator that was injected, by its own bounded draw",
                bad: "Sources/catrace/A.swift", good: "Protocol/A.swift", where: { $0.isSource })
        }
        + [".randomElement()", ".shuffled()", ".shuffle()", "SystemRandomNumberGenerator"].map {
            banned(
                $0, instead: "a random test draws from SeededGenerator and prints its seed",
                bad: "Tests/LobbyTests/A.swift", good: "Protocol/A.swift", where: { $0.isTest })
        }

    private static let pure: [Rule] = [
        ("print(", "a pure target returns values"), ("debugPrint(", "a pure target returns values"),
        ("dump(", "a pure target returns values"),
        ("ContinuousClock", "time is an input"), ("SuspendingClock", "time is an input"),
        ("SystemRandomNumberGenerator", "chance is an input"),
    ].map { word, instead in
        banned(
            word, instead: instead, bad: "Sources/ServerCore/A.swift", good: "Sources/EventLoop/A.swift",
            where: { $0.isPure })
    }

    /// Built from pieces, so that this file does not break its own rule.
    private static let markers = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "T" + "BD"]

    private static let unfinished = Rule(
        name: "no unfinished markers",
        samples: markers.map {
            Sample(path: "Sources/Lobby/A.swift", text: "let a = 1 // \($0): b\n", line: 1)
        } + [
            Sample(path: "Protocol/a.md", text: "\n\(markers[0])\n", line: 2),
            Sample(path: "Sources/Lobby/A.swift", text: "let mas\(markers[0].lowercased()) = 1\n", line: nil),
        ],
        check: { file in
            file.lines.enumerated().flatMap { index, line in
                markers.filter { contains($0, in: line) }.map {
                    (index + 1, "'\($0)': finish it, or leave it out")
                }
            }
        })

    /// Files whose switches must name every pair, so that a new event fails to compile.
    private static func isTransition(_ file: HouseFile) -> Bool {
        guard file.target == "MatchRules", file.isSource, let name = file.path.split(separator: "/").last
        else {
            return false
        }
        return name.hasPrefix("Match+Apply") && name.hasSuffix(".swift")
    }

    private static let transitions = Rule(
        name: "no default in a transition switch",
        samples: [
            Sample(
                path: "Sources/MatchRules/Match+ApplyMove.swift", text: "switch a {\ndefault: break\n}\n",
                line: 2),
            Sample(
                path: "Sources/MatchRules/Match+Apply.swift",
                text: "switch a {\n@unknown default: break\n}\n",
                line: 2),
            Sample(
                path: "Sources/MatchRules/Match+Apply.swift", text: "f(default: 1)\n// default:\n", line: nil),
            Sample(
                path: "Sources/MatchRules/Track.swift", text: "switch a {\ndefault: break\n}\n", line: nil),
        ],
        check: { file in
            guard isTransition(file) else { return [] }
            return file.code.enumerated().filter { $0.element.contains(#/^\s*(?:@unknown\s+)?default\s*:/#) }
                .map {
                    ($0.offset + 1, "name every refused pair instead of 'default'")
                }
        })
}
