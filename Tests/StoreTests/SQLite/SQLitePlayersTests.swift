import Lobby
import RaceModel
import Records
import SQLiteStore
import Store
import Testing

struct SQLitePlayersTests {
    @Test func `players are the same after a restart, found by id and by any spelling`() throws {
        let script = try KeeperScript()
        #expect(try script.claim("Ann") == .directory(.claimed(PlayerID(1))))
        #expect(try script.claim("Мия") == .directory(.claimed(PlayerID(2))))
        try script.restart()
        let ann = PlayerRecord(
            id: PlayerID(1), alias: try Alias(validating: "Ann"), keyDigest: Bytes32(words: (1, 2, 3, 3)),
            hasRaced: false)
        #expect(try script.find("aNN") == .directory(.found(ann)))
        #expect(script.ask(.directory(.findByID(PlayerID(1)))) == [.directory(.found(ann))])
        #expect(try script.claim("ANN") == .directory(.taken))
        #expect(try script.claim("bob") == .directory(.claimed(PlayerID(3))), "a refused claim uses up no id")
        for id: UInt64 in [0, 99, 1 << 31, 1 << 63, .max] {
            #expect(script.ask(.directory(.findByID(PlayerID(id)))) == [.directory(.notFound)])
        }
    }

    @Test func `one look-up answers for 64 ids in their order, the unknown ones too`() throws {
        let script = try KeeperScript()
        for number in 1...40 { _ = try script.claim("cat-\(number)") }
        let ids = (0..<64).map { PlayerID($0 % 3 == 0 ? UInt64.max - $0 : 64 - $0) }
        let expected = ids.map { KnownAlias(id: $0, alias: $0.value <= 40 ? Alias("cat-\($0.value)") : nil) }
        #expect(script.ask(.directory(.aliases(ids))) == [.directory(.aliases(expected))])
    }

    @Test func `names that begin so are found in an index, without a look at a player`() throws {
        let script = try KeeperScript()
        var plan: [String] = []
        try script.store.database.rows(
            "EXPLAIN QUERY PLAN " + StoreFile.completionsQuery, [.text("an"), .text("ao"), .number(20)]
        ) { row in plan.append(row.text(3)) }
        #expect(plan.count == 1)
        #expect(plan.first?.hasPrefix("SEARCH players USING COVERING INDEX names ") == true, "\(plan)")
    }

    @Test func `an id is never given out again, whoever is forgotten and whatever ends the server`() throws {
        let script = try KeeperScript()
        #expect(try script.claim("ann") == .directory(.claimed(PlayerID(1))))
        #expect(script.ask(.directory(.forget(PlayerID(1)))) == [])
        try script.restart()
        #expect(try script.find("ann") == .directory(.notFound))
        #expect(try script.claim("ANN") == .directory(.claimed(PlayerID(2))))
    }

    @Test func `who has raced is never forgotten, a guest of an earlier run a day after going`() throws {
        let script = try KeeperScript()
        for alias in ["ann", "bob", "cat"] { _ = try script.claim(alias) }
        #expect(script.keep(MadeUpRace.record(match: 1, [1, 0])) == .results(.kept))
        #expect(script.ask(.directory(.forget(PlayerID(1)))) == [])
        #expect(try script.find("ann") != .directory(.notFound))

        try script.restart()
        script.pass(seconds: 20 * 3600)
        // Cat comes back, and has been here ever since; bob does not.
        #expect(try script.find("cat") != .directory(.notFound))
        script.pass(seconds: 6 * 3600)
        _ = script.ask()
        let ids = (1...3).map { PlayerID($0) }
        guard case .directory(.aliases(let known)) = script.ask(.directory(.aliases(ids))).first else {
            Issue.record("no answer")
            return
        }
        #expect(known.map(\.alias) == [Alias("ann"), nil, Alias("cat")])
    }

    @Test func `the first match of a server is one that no server used before`() throws {
        let script = try KeeperScript()
        func first() throws -> MatchID {
            try script.store.read { _ throws(DatabaseError) in try script.store.firstFreeMatch() }
        }
        #expect(try first() == MatchID(1))
        #expect(script.ask(.results(.reserveMatches(upTo: MatchID(100)))) == [])
        try script.restart()
        #expect(try first() == MatchID(101))
        #expect(script.ask(.results(.reserveMatches(upTo: MatchID(7)))) == [])
        #expect(script.keep(MadeUpRace.record(match: 9, [0, 0])) == .results(.kept))
        try script.restart()
        #expect(try first() == MatchID(10), "given back, but not below what is kept")
    }
}
