import Foundation
import Testing

/// The page of threats names its tests: each must be there.
@Suite struct ThreatsTests {
    /// What stands in back quotes, of all tests there are.
    private static func testNames() throws -> Set<String> {
        let tests = Document.repository.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for part in text.components(separatedBy: "func `").dropFirst() {
                names.insert(String(part.prefix { $0 != "`" }))
            }
        }
        return names
    }

    @Test func `every threat has an answer and a test that exists`() throws {
        let page = try Document("threats.md")
        let names = try Self.testNames()
        let tables = page.tables.filter { $0.head == ["threat", "answer", "test"] }
        #expect(tables.count >= 5)
        for row in tables.flatMap(\.rows) {
            #expect(row.count == 3 && row.allSatisfy { !$0.isEmpty }, "\(row)")
            let tests = row.last?.components(separatedBy: "`").enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(tests?.isEmpty == false, "\(row[0]) has no test")
            for test in tests ?? [] { #expect(names.contains(test), "there is no test `\(test)`") }
        }
    }
}
