import Testing

struct HouseRuleTests {
    @Test func `every file keeps the rules of the house`() throws {
        let files = try Repository.files()
        // A walk that finds nothing would agree with everything.
        for path in [
            "Package.swift", "Makefile", "Sources/RaceModel/Limits.swift", "Tests/TidyTests/Rule.swift",
        ] {
            #expect(files.contains { $0.path == path }, "\(path) was not read")
        }
        for file in files {
            for rule in Rule.all {
                for finding in rule.findings(in: file) { Issue.record("\(finding)") }
            }
        }
    }

    /// No rule is blind: each names the line that breaks it in its bad samples, and is silent on those that
    /// come close.
    @Test func `every rule finds its bad samples and leaves its good ones`() {
        for rule in Rule.all {
            #expect(rule.samples.contains { $0.line != nil }, "\(rule.name) has no bad sample")
            #expect(rule.samples.contains { $0.line == nil }, "\(rule.name) has no good sample")
            for sample in rule.samples {
                let found = rule.findings(in: HouseFile(path: sample.path, text: sample.text))
                #expect(found.first?.line == sample.line, "\(rule.name) on \(sample): \(found)")
                #expect(found.count == (sample.line == nil ? 0 : 1), "\(rule.name) on \(sample): \(found)")
                for finding in found {
                    #expect(finding.description.hasPrefix("\(sample.path):\(finding.line): "))
                    #expect(finding.description.hasSuffix("[\(rule.name)]"))
                }
            }
        }
    }

    @Test func `only code is left in a mask, at its place`() {
        let pairs = [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */\n d */ e", "a             \n      e"),
            (#"f("a\"b") + g"#, #"f(      ) + g"#),
            (#"f("a\(g("b"))c") + h"#, #"f(   (g(   ))  ) + h"#),
            (##"f(#"a"\(b)"#) + g"##, ##"f(          ) + g"##),
            (##"f(#"a\#(b)c"#) + g"##, ##"f(     (b)   ) + g"##),
            ("f(\"\"\"\n a \"b\" // c\n \"\"\") // d", "f(   \n           \n    )     "),
            ("func `a \"b`() {}", "func `    `() {}"),
            ("#if a", "#if a"),
            ("a.b(#/\"/#, c)", "a.b(     , c)"),
        ]
        for (text, mask) in pairs { #expect(CodeMask.masked(text) == mask, "of \(text)") }
    }

    @Test func `functions are found with their first and last lines`() {
        let text = """
            protocol A {
                func a(b: Int) -> Int
                init()
            }
            struct B: A {
                init() { self.init(b: { 1 }()) }
                private func a(
                    b: Int
                ) throws(E) -> [Int: Int] where C: D {
                    func c() {
                    }
                }
            }
            """
        let spans = FunctionSpan.all(in: HouseFile(path: "A.swift", text: text))
        #expect(
            spans == [
                FunctionSpan(first: 6, last: 6), FunctionSpan(first: 7, last: 12),
                FunctionSpan(first: 10, last: 11),
            ])
    }
}
