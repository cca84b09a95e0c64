extension Rule {
    static let tests: [Rule] =
        [
            ("disabled", ".disabled(", "@Test(.disabled(\"a\")) func `a b c`() {}"),
            ("true", "#expect(true)", "    #expect(true)"),
            ("Bool(true)", "#expect(Bool(true))", "    #expect(Bool(true))"),
            ("known issues", "withKnownIssue", "    withKnownIssue { a() }"),
        ].map { name, word, bad in
            Rule(
                name: "no empty tests: \(name)",
                samples: [
                    Sample(path: "Tests/LobbyTests/A.swift", text: "\n\(bad)\n", line: 2),
                    Sample(
                        path: "Tests/LobbyTests/A.swift", text: "let a = \"\(word)\" // \(word)\n", line: nil),
                ],
                check: { file in
                    guard file.isTest, file.isSwift else { return [] }
                    return file.code.enumerated().filter { contains(word, in: $0.element) }.map {
                        ($0.offset + 1, "'\(word)' tests nothing")
                    }
                })
        } + [unseeded, sentences]

    private static let unseeded = Rule(
        name: "seeded tests",
        samples: [
            Sample(path: "Tests/LobbyTests/A.swift", text: "let a = Int.random(in: 1...6)\n", line: 1),
            Sample(
                path: "Tests/LobbyTests/A.swift", text: "let a = Int.random(in: 1...6, using: &b)\n",
                line: nil),
        ],
        check: { file in
            guard file.isTest, file.isSwift else { return [] }
            return file.code.enumerated().filter {
                $0.element.contains(".random(") && !$0.element.contains("using:")
            }
            .map { ($0.offset + 1, "a random test draws from SeededGenerator and prints its seed") }
        })

    private static let sentences = Rule(
        name: "tests named as sentences",
        samples: [
            Sample(path: "Tests/LobbyTests/A.swift", text: "@Test func moveIsRefused() {}\n", line: 1),
            Sample(path: "Tests/LobbyTests/A.swift", text: "@Test(\"a b c\")\nfunc a() {}\n", line: 1),
            Sample(path: "Tests/LobbyTests/A.swift", text: "\n@Test func `refused`() {}\n", line: 2),
            Sample(path: "Tests/LobbyTests/A.swift", text: "@Test func `a b c`() {}\n", line: nil),
            Sample(
                path: "Tests/LobbyTests/A.swift",
                text:
                    "@Test(arguments: [1].map { f($0) })\nfunc `a late move is refused`(a: Int) { func b() {} }\n",
                line: nil),
        ],
        check: { file in
            guard file.isTest, file.isSwift else { return [] }
            return file.code.enumerated().filter { index, line in
                contains("@Test", in: line) && !isNamedAsSentence(file, from: index)
            }.map { ($0.offset + 1, "name the test as a sentence: func `a late move is refused`()") }
        })

    /// The first function at or after this line: is its name in backticks, with three words or more?
    private static func isNamedAsSentence(_ file: HouseFile, from start: Int) -> Bool {
        for index in start..<file.lines.count where contains("func", in: file.code[index]) {
            guard let match = file.lines[index].firstMatch(of: #/\bfunc `([^`]*)`/#) else { return false }
            return match.1.split(separator: " ").count >= 3
        }
        return false
    }
}
