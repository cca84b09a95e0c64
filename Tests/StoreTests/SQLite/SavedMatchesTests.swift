import Glibc
import Lobby
import RaceModel
import Records
import SQLiteStore
import Store
import Testing
import WireProtocol

/// Races on their way from one server to the next.
struct SavedMatchesTests {
    private static func match(_ id: UInt64) -> SavedMatch {
        let record = MadeUpRace.record(match: id, [1, 2])
        return SavedMatch(
            found: record.found, request: RaceRequest(settings: record.found.settings), nonce: .zero,
            holders: [SavedMatch.Holder(keyDigest: .zero, hasRaced: true), nil], numbers: [], hidden: [],
            hasBegun: false, events: RaceLog())
    }

    @Test func `what was saved is taken once, by the next server`() throws {
        let script = try KeeperScript()
        let matches = [Self.match(4), Self.match(9)]
        #expect(script.ask(.results(.save(matches))) == [.results(.kept)])
        try script.restart()
        #expect(try script.store.takeSavedMatches() == matches)
        #expect(try script.store.takeSavedMatches() == [])
        try script.restart()
        #expect(try script.store.takeSavedMatches() == [])
        #expect(try script.report().faults == [])
    }

    @Test func `who saves again has saved only that`() throws {
        let script = try KeeperScript()
        _ = script.ask(.results(.save([Self.match(1), Self.match(2)])))
        _ = script.ask(.results(.save([Self.match(3)])))
        #expect(try script.store.takeSavedMatches() == [Self.match(3)])
    }

    @Test func `the memory store does the same`() {
        var store = MemoryStore()
        #expect(store.answer(.save([Self.match(1)])) == .kept)
        #expect(store.answer(.save([Self.match(3)])) == .kept)
        #expect(store.takeSavedMatches() == [Self.match(3)])
        #expect(store.takeSavedMatches() == [])
    }

    @Test func `all are saved or none`() throws {
        let script = try KeeperScript()
        _ = script.ask(.results(.save([Self.match(1)])))
        // The second of three can't be written.
        try script.store.database.run(
            "CREATE TRIGGER planted BEFORE INSERT ON saved_matches WHEN NEW.match = 5 "
                + "BEGIN SELECT RAISE(ABORT, 'planted'); END")
        let answer = script.ask(.results(.save([Self.match(4), Self.match(5), Self.match(6)])))
        #expect(answer == [.results(.unavailable)])
        try script.store.database.run("DROP TRIGGER planted")
        #expect(try script.store.takeSavedMatches() == [Self.match(1)])
    }

    @Test func `a store that can't write says so, and does not write it later`() throws {
        let script = try KeeperScript()
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        #expect(script.ask(.results(.save([Self.match(1)]))) == [.results(.unavailable)])
        try other.run("ROLLBACK")
        _ = script.retry()
        #expect(try script.store.takeSavedMatches() == [])
    }

    @Test func `who asks again once it can be written is answered at once, not a second later`() throws {
        let script = try KeeperScript()
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        #expect(script.ask(.results(.save([Self.match(1)]))) == [.results(.unavailable)])
        #expect(script.ask(.results(.save([Self.match(1)]))) == [.results(.unavailable)])
        try other.run("ROLLBACK")
        #expect(script.ask(.results(.save([Self.match(1)]))) == [.results(.kept)])
        #expect(try script.store.takeSavedMatches() == [Self.match(1)])
    }

    @Test func `what can't be read is left out and gone, and the others are taken`() throws {
        let script = try KeeperScript()
        _ = script.ask(.results(.save([Self.match(1), Self.match(2)])))
        try script.store.database.run("UPDATE saved_matches SET saved = x'0102' WHERE match = 1")
        #expect(try script.store.takeSavedMatches() == [Self.match(2)])
        #expect(try script.store.takeSavedMatches() == [])
    }
}
