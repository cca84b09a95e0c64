import Glibc
import Lobby
import RaceModel
import Records
import SQLiteStore
import Store
import Testing

/// Whatever becomes of the file: nothing traps, results wait, it is told once, and they are kept once it is well.
struct StoreFaultTests {
    private static func record(_ match: UInt64) -> MatchRecord { MadeUpRace.record(match: match, [1, 2]) }

    /// Ann and bob are there, match 1 is kept.
    private static func script() throws -> KeeperScript {
        let script = try KeeperScript()
        for alias in ["ann", "bob"] { _ = try script.claim(alias) }
        #expect(script.keep(Self.record(1)) == .results(.kept))
        return script
    }

    /// What is the same for every fault: down, told once, results wait; and up again, told once, all kept in order.
    private static func expectDown(_ script: KeeperScript, _ name: String) throws {
        #expect(script.keep(Self.record(2)) == .results(.delayed))
        #expect(script.keep(Self.record(3)) == .results(.delayed))
        #expect(try script.claim("cat") == .directory(.unavailable))
        #expect(script.retry() == [] && script.retry() == [])
        let notes = script.takeNotes()
        guard notes.count == 1, case .down(let fault) = notes.first else {
            Issue.record("\(notes)")
            return
        }
        #expect(fault.name == name, "\(fault)")
        #expect(script.keeper.waiting == 2 && script.keeper.wantsRetry == .inASecond)
    }

    private static func expectUp(_ script: KeeperScript) throws {
        #expect(script.retry() == [.results(.kept), .results(.kept)])
        #expect(script.keeper.wantsRetry == nil)
        #expect(script.takeNotes() == [.up(seconds: 3, kept: 2, lost: 0)])
        #expect(script.keep(Self.record(4)) == .results(.kept))
        #expect(try script.claim("cat") == .directory(.claimed(PlayerID(3))))
        try script.restart()
        let report = try script.report()
        #expect(report.faults == [] && report.results == 4 && report.players == 3)
    }

    @Test func `locked by another, look-ups are answered and results wait`() throws {
        let script = try Self.script()
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        try Self.expectDown(script, "locked")
        #expect(try script.find("ann") != .directory(.unavailable))
        #expect(script.ask(.results(.record(MatchID(2)))) == [.results(.noRecord)])
        try other.run("ROLLBACK")
        try Self.expectUp(script)
    }

    @Test func `with no room left results wait for room`() throws {
        let script = try Self.script()
        // Full for good: there is not even room for a page that is free.
        try script.store.database.run("CREATE TABLE filler (a BLOB)")
        try script.store.database.rows("PRAGMA max_page_count = 1") { _ in }
        try script.store.database.run("BEGIN IMMEDIATE")
        while (try? script.store.database.run("INSERT INTO filler VALUES (zeroblob(64))")) != nil {}
        if script.store.database.isInTransaction { try script.store.database.run("COMMIT") }
        var match: UInt64 = 100
        while script.keep(MadeUpRace.record(match: match, [0, 0], forfeits: [1])) == .results(.kept) {
            match += 1
        }
        #expect(script.keeper.waiting == 1)
        let notes = script.takeNotes()
        guard case .down(let fault) = notes.first, notes.count == 1 else {
            Issue.record("\(notes)")
            return
        }
        #expect(fault.name == "full" && fault.sentence.hasPrefix("there is no room to write"))
        try script.store.database.rows("PRAGMA max_page_count = 100000") { _ in }
        #expect(script.retry() == [.results(.kept)])
        #expect(script.takeNotes() == [.up(seconds: 1, kept: 1, lost: 0)])
        try script.store.database.run("DROP TABLE filler")
        #expect(try script.report().faults == [])
    }

    @Test func `moved away and put back`() throws {
        let script = try Self.script()
        let path = script.directory.data.database
        unsafe rename(path, path + ".away")
        try Self.expectDown(script, "moved")
        unsafe rename(path + ".away", path)
        try Self.expectUp(script)
    }

    @Test func `another file in its place is left alone`() throws {
        let script = try Self.script()
        let path = script.directory.data.database
        unsafe rename(path, path + ".away")
        write(Array("SQLite format 3\0 but not this one".utf8), to: path)
        try Self.expectDown(script, "moved")
        #expect(contents(of: path) == Array("SQLite format 3\0 but not this one".utf8))
        unsafe rename(path + ".away", path)
        try Self.expectUp(script)
    }

    @Test func `overwritten by garbage and restored`() throws {
        let script = try Self.script()
        let path = script.directory.data.database
        let whole = contents(of: path)
        write(Array(repeating: 0x5a, count: 50_000), to: path)
        try Self.expectDown(script, "overwritten")
        _ = try script.find("ann")
        _ = script.ask(.results(.leaderboard(.turns, page: 1, asker: nil)))
        write(whole, to: path)
        try Self.expectUp(script)
    }

    @Test func `its log removed, what was in it is kept all the same`() throws {
        let script = try Self.script()
        unsafe unlink(script.directory.data.database + "-wal")
        #expect(script.keep(Self.record(2)) == .results(.delayed))
        let notes = script.takeNotes()
        guard case .down(.logMoved) = notes.first, notes.count == 1 else {
            Issue.record("\(notes)")
            return
        }
        #expect(script.retry() == [.results(.kept)])
        #expect(script.takeNotes() == [.up(seconds: 1, kept: 1, lost: 0)])
        try script.restart()
        let report = try script.report()
        #expect(report.faults == [] && report.results == 2 && report.players == 2)
    }

    @Test func `the list of waiting results has an end, and what finds no room there is counted`() throws {
        let script = try Self.script()
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        var answers: [StoreAnswer.Subject: Int] = [:]
        for match in 0..<UInt64(Limits.resultBacklog + 3) {
            if let answer = script.keep(Self.record(match + 2)) { answers[answer, default: 0] += 1 }
        }
        #expect(answers == [.results(.delayed): Limits.resultBacklog, .results(.lost): 3])
        try other.run("ROLLBACK")
        var kept = script.retry().count
        #expect(kept == 500 && script.keeper.wantsRetry == .atOnce, "look-ups go between")
        #expect(script.keep(Self.record(99_999)) == .results(.delayed), "behind those that wait")
        while script.keeper.wantsRetry == .atOnce { kept += script.keeper.retry(at: script.moment).count }
        #expect(kept == Limits.resultBacklog + 1)
        #expect(script.takeNotes().last == .up(seconds: 1, kept: Limits.resultBacklog + 1, lost: 3))
        #expect(try script.report().results == Limits.resultBacklog + 2)
    }

    @Test func `a fault that comes and goes is told once a minute`() throws {
        let script = try Self.script()
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        for second in 0..<70 {
            try other.run("BEGIN EXCLUSIVE")
            #expect(script.keep(Self.record(UInt64(second + 2))) == .results(.delayed))
            try other.run("ROLLBACK")
            #expect(script.retry() == [.results(.kept)])
        }
        #expect(script.takeNotes().count == 4)
    }

    @Test func `a fault that comes again within the minute and stays is told when the minute is over`() throws
    {
        let script = try Self.script()
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        #expect(script.keep(Self.record(2)) == .results(.delayed))
        try other.run("ROLLBACK")
        #expect(script.retry() == [.results(.kept)])
        #expect(script.takeNotes().count == 2)
        try other.run("BEGIN EXCLUSIVE")
        #expect(script.keep(Self.record(3)) == .results(.delayed))
        var silent = 0
        while script.takeNotes().isEmpty, silent < 100 {
            #expect(script.retry() == [])
            silent += 1
        }
        #expect(silent == 59)
        for _ in 0..<100 { #expect(script.retry() == []) }
        #expect(script.takeNotes() == [])
        try other.run("ROLLBACK")
        #expect(script.retry() == [.results(.kept)])
        #expect(script.takeNotes() == [.up(seconds: silent + 101, kept: 1, lost: 0)])
    }

    @Test func `at its end a store tries once more, and says what is not kept`() throws {
        for isLocked in [true, false] {
            let script = try Self.script()
            let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
            try other.run("BEGIN EXCLUSIVE")
            #expect(script.keep(Self.record(2)) == .results(.delayed))
            if !isLocked { try other.run("ROLLBACK") }
            #expect(script.keeper.finish(at: script.moment) == (isLocked ? 1 : 0))
            #expect(script.keep(Self.record(3)) == .results(.lost), "nothing traps behind it")
            #expect(try script.find("ann") == .directory(.unavailable))
        }
    }
}
