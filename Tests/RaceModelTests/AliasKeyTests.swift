import Glibc
import RaceModel
import Testing

struct AliasKeyTests {
    private static func key(_ text: String) throws -> AliasKey {
        AliasKey(try #require(Alias(text), "\(text)"))
    }

    @Test func `aliases that look the same have the same key`() throws {
        let groups: [[String]] = [
            [
                "Alice", "alice", "ALICE", "AIice", "al1ce", "\u{ff21}lice", "A\u{ff2c}ICE", "Alıce",
                "Al\u{130}ce",
            ],
            ["paypal", "PayPal", "раура\u{4cf}", "РАУРА\u{4c0}"],
            ["\u{c1}lice", "A\u{301}lice", "\u{e1}lice", "a\u{301}lice"],
            ["Bob", "b0b", "BOB", "\u{ff22}ob", "вов"],
            ["Zoë", "zo\u{65}\u{308}", "ZOË"],
            ["Straße", "STRASSE", "strasse", "Stra\u{17f}se", "Straẞe"],
            ["Σας", "σασ", "ΣΑΣ"],
            ["cat12", "cat\u{ff11}\u{ff12}", "CATl2"],
            ["ali\u{307}", "ali", "all", "ALİ"],
            ["í", "i\u{301}", "Í", "\u{3af}", "\u{456}\u{301}"],
            ["ị", "i\u{323}\u{307}", "i\u{323}"],
            ["ё", "е\u{308}", "Ё", "ë"],
            ["مريم3", "مريم٣", "مريم۳"],
        ]
        for group in groups {
            for text in group { #expect(try Self.key(text) == Self.key(group[0]), "\(text) and \(group[0])") }
        }
    }

    @Test func `different aliases have different keys`() throws {
        let texts = [
            "ann", "anna", "an-n", "an_n", "an.n", "rn", "m", "Zoe", "Zoë", "van", "nan", "bob2", "bobz",
            "5am", "sam",
            "я", "ж", "王", "玉", "😀", "😁", "é", "e",
        ]
        var keys: [AliasKey] = []
        for text in texts {
            let key = try Self.key(text)
            #expect(!keys.contains(key), "\(text)")
            keys.append(key)
        }
    }

    @Test func `keys can be compared byte for byte`() throws {
        let composed = try Self.key("\u{e9}t\u{e9}")
        let decomposed = try Self.key("e\u{301}te\u{301}")
        #expect(Array(composed.text.utf8) == Array(decomposed.text.utf8))
        #expect(try Self.key("a") < Self.key("b"))
        #expect(try Self.key("b") < Self.key("é"), "by bytes, not by a language's order")
    }

    @Test func `a prefix is folded as aliases are`() throws {
        let key = try Self.key("Alice")
        for prefix in ["", "A", "al", "AI", "a1", "\u{ff21}", "Alice"] {
            #expect(key.hasPrefix(AliasKey.prefix(of: prefix)), "\(prefix)")
        }
        for prefix in ["b", "lice", "Alicee", " ", "\u{1b}"] {
            #expect(!key.hasPrefix(AliasKey.prefix(of: prefix)), "\(prefix)")
        }
    }

    /// Goal: the quick way for ASCII and the general way agree, and folding twice changes nothing.
    @Test func `folding is the same either way and happens only once`() {
        for value: UInt32 in 0...0x7f {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(AliasKey.prefix(of: String(scalar)) == AliasKey.fold(scalar), "\(value)")
        }
        for value: UInt32 in 0...0xffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = AliasKey.prefix(of: String(scalar))
            let twice = AliasKey.prefix(of: once)
            #expect(Array(twice.utf8) == Array(once.utf8), "\(String(value, radix: 16))")
        }
    }

    @Test func `the representatives are letters that nothing replaces`() throws {
        for (value, representative) in AliasLookAlikes.table.sorted(by: { $0.key < $1.key }) {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(AliasKey.fold(scalar) == representative)
            #expect(AliasKey.prefix(of: representative) == representative, "\(String(value, radix: 16))")
        }
    }

    @Test func `the printed table is the one that is used`() throws {
        let lines = try Self.page()
        var printed: [UInt32: String] = [:]
        for line in lines where line.hasPrefix("| U+") {
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            let value = try #require(UInt32(cells[0].dropFirst(2), radix: 16))
            #expect(cells[1] == String(try #require(Unicode.Scalar(value))))
            printed[value] = cells[2]
        }
        #expect(printed == AliasLookAlikes.table)
    }

    @Test func `the printed scripts are those that are known`() throws {
        var printed: [String: String] = [:]
        for line in try Self.page() where line.hasPrefix("| ") && !line.hasPrefix("| U+") {
            let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
            printed[cells[0]] = cells[1]
        }
        func hex(_ value: UInt32) -> String {
            let digits = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        for script in AliasScript.allCases {
            let ranges = AliasScript.ranges.filter { $0.script == script }.map(\.range).map { range in
                range.count == 1 ? hex(range.lowerBound) : "\(hex(range.lowerBound))-\(hex(range.upperBound))"
            }
            #expect(printed[script.name] == ranges.joined(separator: ", "), "\(script.name)")
        }
        // The heads of both tables.
        #expect(printed.count == AliasScript.allCases.count + 2)
    }

    @Test func `what the page calls the same or different is so`() throws {
        for text in ["AIice", "al1ce", "\u{ff21}lice"] { #expect(try Self.key(text) == Self.key("Alice")) }
        #expect(Alias("\u{410}lice") == nil)
        #expect(try Self.key("\u{440}\u{430}\u{443}\u{440}\u{430}\u{4cf}") == Self.key("paypal"))
        for (left, right) in [("Zoe", "Zoë"), ("an_n", "an-n"), ("an-n", "ann"), ("rn", "m"), ("vv", "w")] {
            #expect(try Self.key(left) != Self.key(right), "\(left) and \(right)")
        }
    }

    private static func page() throws -> [Substring] {
        let path = #filePath.split(separator: "/").dropLast(3).map(String.init).joined(separator: "/")
        return try Self.read("/\(path)/Protocol/aliases.md").split(separator: "\n")
    }

    private static func read(_ path: String) throws -> String {
        guard let file = unsafe fopen(path, "r") else {
            Issue.record("cannot open \(path)")
            return ""
        }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
