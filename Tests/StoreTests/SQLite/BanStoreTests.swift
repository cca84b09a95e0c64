import Glibc
import RaceModel
import SQLiteStore
import Store
import Testing

/// Bans last as results do.
struct BanStoreTests {
    private func ban(_ text: String, until: Int64? = nil, reason: String = "") throws -> Ban {
        Ban(
            subject: try #require(Ban.Subject(text)), until: until.map { WallTime(seconds: $0) },
            reason: reason,
            made: WallTime(seconds: 500))
    }

    private func kept(_ script: KeeperScript) throws -> [Ban] {
        try script.store.bans(now: WallTime(seconds: script.moment.wall))
    }

    @Test func `bans of ranges and players are there again after any end, the latest of each`() throws {
        let script = try KeeperScript()
        let bans = [
            try self.ban("#17", until: 2_000_000, reason: "rude \"x\"\n"), try self.ban("192.0.2.0/24"),
            try self.ban("2001:db8::/32", reason: "z\u{eb}"),
        ]
        #expect(script.ask(.bans(.set(try self.ban("#17"))), .bans(.set(try self.ban("10.0.0.1")))) == [])
        for ban in bans { #expect(script.ask(.bans(.set(ban))) == []) }
        #expect(script.ask(.bans(.lifted(try #require(Ban.Subject("10.0.0.1"))))) == [])
        try script.restart()
        #expect(Set(try self.kept(script)) == Set(bans))
        #expect(try script.report().faults == [])
    }

    @Test func `a ban that is over is forgotten`() throws {
        let script = try KeeperScript()
        _ = script.ask(.bans(.set(try self.ban("#1", until: 1_000_010))), .bans(.set(try self.ban("#2"))))
        script.pass(seconds: 9)
        #expect(try self.kept(script).count == 2)
        script.pass(seconds: 1)
        #expect(try self.kept(script).map(\.subject) == [.player(PlayerID(2))])
    }

    @Test func `what can't be written waits, and the latest word on each is kept`() throws {
        let script = try KeeperScript()
        _ = script.ask(.bans(.set(try self.ban("#1"))))
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        _ = script.ask(.bans(.lifted(.player(PlayerID(1)))), .bans(.set(try self.ban("#2", reason: "a"))))
        _ = script.ask(.bans(.set(try self.ban("#2", reason: "b"))))
        #expect(script.retry() == [])
        #expect(script.keeper.wantsRetry == .inASecond)
        try other.run("ROLLBACK")
        #expect(script.retry() == [])
        #expect(script.keeper.wantsRetry == nil)
        #expect(try self.kept(script) == [try self.ban("#2", reason: "b")])
    }

    @Test func `what waits at the end is written if it can be`() throws {
        let script = try KeeperScript()
        let other = try Database(script.directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        _ = script.ask(.bans(.set(try self.ban("#3"))))
        try other.run("ROLLBACK")
        #expect(script.keeper.finish(at: script.moment) == 0)
        try script.restart()
        #expect(try self.kept(script).map(\.subject) == [.player(PlayerID(3))])
    }

    @Test func `a file of the first version gets its table, and keeps what it had`() throws {
        let directory = TemporaryDirectory()
        #expect(unsafe mkdir(directory.data.path, 0o700) == 0)
        do {
            let old = try Database(directory.data.database, .create, waitMilliseconds: 0)
            try Schema.migrate(old, from: 0, steps: [Schema.steps[0]])
            try old.run(
                "INSERT INTO players (alias, alias_key, key_digest, seen) VALUES ('ann', 'ann', zeroblob(32), 1)"
            )
        }
        let store = try StoreFile(directory.data)
        try #expect(store.bans(now: WallTime(seconds: 1)) == [])
        #expect(try store.database.number("PRAGMA user_version") == Int64(Schema.steps.count))
        #expect(try store.database.number("SELECT count(*) FROM players") == 1)
    }

    @Test func `a ban that nobody can read is a fault of the file`() throws {
        let script = try KeeperScript()
        try script.store.database.run("INSERT INTO bans VALUES ('everybody', NULL, '', 1)")
        #expect(try script.report().faults == ["the ban of 'everybody' can't be read: it holds for nobody"])
        #expect(try self.kept(script) == [])
    }
}
