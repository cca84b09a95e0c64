import Lobby
import RaceModel
import Testing

/// Names by their beginning, folded as aliases are.
struct CompletionTests {
    private static func names(
        _ prefix: String, limit: Int = 100, in store: inout any AnsweringStore
    ) throws -> [String] {
        let answer = try store.answer(.completions(prefix: AliasKey.prefix(of: prefix), limit: limit))
        guard case .completions(let names) = answer else {
            throw Season.Unexpected(answer: "\(String(describing: answer))")
        }
        return names.map(\.alias.text)
    }

    @Test(arguments: StoreKind.allCases)
    func `names come in the order of their keys, however they are written`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        _ = try season.claim(["mina", "Anton", "ANNA", "an", "ant", "bea", "Мия", "Мир", "a_1"])
        #expect(try Self.names("an", in: &season.store) == ["an", "ANNA", "ant", "Anton"])
        #expect(try Self.names("AN", in: &season.store) == ["an", "ANNA", "ant", "Anton"])
        #expect(try Self.names("ann", in: &season.store) == ["ANNA"])
        #expect(try Self.names("anna", in: &season.store) == ["ANNA"])
        #expect(try Self.names("annas", in: &season.store) == [])
        #expect(try Self.names("ми", in: &season.store) == ["Мир", "Мия"])
        // These two letters look alike.
        for letter in ["м", "m"] {
            #expect(try Self.names(letter, in: &season.store) == ["mina", "Мир", "Мия"])
        }
        #expect(try Self.names("zz", in: &season.store) == [])
        #expect(try Self.names("%", in: &season.store) == [])
        #expect(try Self.names("_", in: &season.store) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `at most as many names come as were asked for, and a forgotten one not`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        let ids = try (10..<40).map { try season.claim("cat\($0)s") }
        #expect(try Self.names("cat", limit: 7, in: &season.store).count == 7)
        #expect(try Self.names("cat", in: &season.store).count == 30)
        #expect(try Self.names("cat39", in: &season.store) == ["cat39s"])
        _ = try season.store.answer(.forget(ids[29]))
        #expect(try Self.names("cat39", in: &season.store) == [])
        #expect(try Self.names("cat", in: &season.store).count == 29)
    }
}
