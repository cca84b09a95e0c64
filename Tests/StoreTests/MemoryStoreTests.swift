import Lobby
import RaceModel
import Store
import Testing

struct MemoryStoreTests {
    private static let digest = Bytes32(words: (1, 2, 3, 4))

    private static func claim(_ text: String, in store: inout MemoryStore) throws -> DirectoryAnswer? {
        store.answer(.claim(try Alias(validating: text), keyDigest: Self.digest))
    }

    @Test func `ids are given out from 1`() throws {
        var store = MemoryStore()
        #expect(try Self.claim("ann", in: &store) == .claimed(PlayerID(1)))
        #expect(try Self.claim("bob", in: &store) == .claimed(PlayerID(2)))
        #expect(store.count == 2)
    }

    @Test func `an alias that looks the same is taken`() throws {
        var store = MemoryStore()
        #expect(try Self.claim("Alice", in: &store) == .claimed(PlayerID(1)))
        for text in ["Alice", "ALICE", "alice", "AIice", "Al1ce", "\u{ff21}lice"] {
            #expect(try Self.claim(text, in: &store) == .taken, "\(text)")
        }
        #expect(
            try Self.claim("Alicia", in: &store) == .claimed(PlayerID(2)), "a refused claim uses up no id")
    }

    @Test func `a player is found by id, and by any spelling of the alias`() throws {
        var store = MemoryStore()
        _ = try Self.claim("Ann", in: &store)
        let record = PlayerRecord(
            id: PlayerID(1), alias: try Alias(validating: "Ann"), keyDigest: Self.digest, hasRaced: false)
        #expect(store.answer(.findByID(PlayerID(1))) == .found(record))
        #expect(store.answer(.findByAlias(try Alias(validating: "aNN"))) == .found(record))
        #expect(store.answer(.findByAlias(try Alias(validating: "bob"))) == .notFound)
        for id: UInt64 in [0, 2, 1 << 31, .max] {
            #expect(store.answer(.findByID(PlayerID(id))) == .notFound)
        }
    }

    @Test func `a look-up answers for each id in its order, the unknown ones too`() throws {
        var store = MemoryStore()
        for text in ["ann", "bob", "cat"] { _ = try Self.claim(text, in: &store) }
        let ids: [UInt64] = [3, 99, 1, 3, 0]
        let aliases: [Alias?] = [
            try Alias(validating: "cat"), nil, try Alias(validating: "ann"), try Alias(validating: "cat"),
            nil,
        ]
        let expected = zip(ids, aliases).map { KnownAlias(id: PlayerID($0), alias: $1) }
        #expect(store.answer(.aliases(ids.map { PlayerID($0) })) == .aliases(expected))
    }

    @Test func `forgetting frees the alias but never the id`() throws {
        var store = MemoryStore()
        _ = try Self.claim("ann", in: &store)
        #expect(store.answer(.forget(PlayerID(1))) == nil)
        #expect(store.answer(.forget(PlayerID(77))) == nil)
        #expect(store.answer(.findByID(PlayerID(1))) == .notFound)
        #expect(try Self.claim("ANN", in: &store) == .claimed(PlayerID(2)))
        #expect(store.count == 1)
    }
}
