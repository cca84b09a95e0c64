import Glibc
import RaceModel
import SQLiteStore
import Testing

/// What a server or a tool says of a file that it can't use, and of one that is older.
struct StoreFileTests {
    private static func fault(_ data: DataDirectory, wait: Int32 = 0) -> StoreFault? {
        do throws(StoreFault) {
            _ = try StoreFile(data, wait: wait)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a second server on the same directory is refused, until the first has ended`() throws {
        let directory = TemporaryDirectory()
        var first: StoreFile? = try StoreFile(directory.data)
        #expect(Self.fault(directory.data) == .inUse(directory.data.path))
        first?.close()
        first = nil
        #expect(Self.fault(directory.data) == nil)
    }

    @Test func `a server knows whether the one before came to an orderly end`() throws {
        let directory = TemporaryDirectory()
        func begin() throws -> StoreFile { try StoreFile(directory.data) }
        var store: StoreFile? = try begin()
        #expect(store?.followsSuddenEnd == false)
        // Its process is gone, and with it the lock.
        store = nil
        store = try begin()
        #expect(store?.followsSuddenEnd == true)
        store?.close()
        store = nil
        store = try begin()
        #expect(store?.followsSuddenEnd == false)
    }

    @Test func `a file that is closed refuses every request and survives each`() throws {
        let directory = TemporaryDirectory()
        let database = try Database(directory.path + "/a.db", .create, waitMilliseconds: 0)
        try database.run("CREATE TABLE a (b)")
        for _ in 1...2 {
            database.close()
            database.wait(milliseconds: 5)
            #expect(database.changes == 0 && database.lastID == 0 && !database.isInTransaction)
            #expect(throws: DatabaseError.self) { try database.run("SELECT 1") }
            #expect(throws: DatabaseError.self) { try database.number("SELECT 1") }
        }
    }

    @Test func `only this user can read what a server keeps`() throws {
        let directory = TemporaryDirectory()
        let store = try StoreFile(directory.data)
        for name in ["", "/catrace.db", "/catrace.db-wal", "/lock"] {
            var status = stat()
            #expect(unsafe stat(directory.data.path + name, &status) == 0)
            #expect(status.st_mode & 0o077 == 0, "\(name)")
        }
        store.close()
    }

    @Test func `garbage, other programs' files and newer ones are refused and left as they are`() throws {
        let directory = TemporaryDirectory()
        let path = directory.data.database
        unsafe mkdir(directory.data.path, 0o700)
        let garbage = [UInt8](repeating: 0x5a, count: 9000)
        write(garbage, to: path)
        #expect(Self.fault(directory.data)?.name == "damaged")
        #expect(contents(of: path) == garbage)

        unsafe unlink(path)
        try Database(path, .create, waitMilliseconds: 0).run("CREATE TABLE a (b)")
        let foreign = contents(of: path)
        #expect(Self.fault(directory.data) == .foreign(path))
        #expect(contents(of: path) == foreign)

        unsafe unlink(path)
        #expect(Self.fault(directory.data) == nil)
        try Database(path, .write, waitMilliseconds: 0).run("PRAGMA user_version = 99")
        #expect(Self.fault(directory.data) == .newer(path, version: 99, known: Schema.steps.count))
    }

    @Test func `a place that can't be a directory is named`() {
        let directory = TemporaryDirectory()
        write([1], to: directory.path + "/file")
        for path in [directory.path + "/file", directory.path + "/file/data", "/proc/catrace"] {
            let fault = Self.fault(DataDirectory(path))
            #expect(fault?.name == "directory")
            #expect(fault?.sentence.hasPrefix("the data directory '\(path)' can't be used (") == true)
        }
    }

    private static func readingFault(_ file: String) -> StoreFault? {
        do throws(StoreFault) {
            _ = try StoreReader(file: file)
            return nil
        } catch { return error }
    }

    @Test func `what is no backup is told from what may not be read, and both from a directory`() throws {
        let directory = TemporaryDirectory()
        #expect(Self.readingFault(directory.path) == .isDirectory(directory.path))
        let none = directory.path + "/none.db"
        #expect(Self.readingFault(none) == .noBackup(none))
        #expect(
            Self.readingFault(none)?.sentence
                == "there is no file '\(none)': name a backup, or the directory of a server by --data DIR")
        let long = directory.path + "/" + String(repeating: "a", count: 300)
        #expect(
            Self.readingFault(long)?.sentence
                == "'\(long)' can't be opened (File name too long): see to its permissions and its owner, or read it "
                + "as the user it belongs to")
        #expect(throws: StoreFault.missing(directory.data.database)) { try StoreReader(directory.data) }
    }

    @Test func `while a server runs, no sentence sends its operator to a restart that loses results`() {
        let full = DatabaseError(code: 13, text: "database or disk is full")
        let locked = DatabaseError(code: 5, text: "database is locked")
        let readOnly = DatabaseError(code: 8, text: "attempt to write a readonly database")
        let faults: [StoreFault] = [
            .moved("a"), .logMoved("a"), .directory("a", reason: "b"), .file("a", reason: "b"),
            .database("a", full), .database("a", locked), .database("a", readOnly),
        ]
        for fault in faults {
            let sentence = fault.sentenceWhileRunning
            #expect(sentence.hasSuffix("; results wait until then, and would be lost by a restart"))
            #expect(!sentence.contains("--data") && !sentence.contains("anew"), "\(sentence)")
        }
    }

    @Test func `a directory in the place of the file is named`() {
        let directory = TemporaryDirectory()
        unsafe mkdir(directory.data.path, 0o700)
        unsafe mkdir(directory.data.database, 0o700)
        #expect(Self.fault(directory.data)?.sentence.contains("can't be opened") == true)
    }

    @Test func `locked by another for a while, a server waits; for longer, it says so`() throws {
        let directory = TemporaryDirectory()
        try StoreFile(directory.data).close()
        let other = try Database(directory.data.database, .write, waitMilliseconds: 0)
        try other.run("BEGIN EXCLUSIVE")
        let start = elapsed()
        #expect(Self.fault(directory.data, wait: 300)?.name == "locked")
        #expect(elapsed() - start > 0.25)
        try other.run("ROLLBACK")
        #expect(Self.fault(directory.data, wait: 300) == nil)
    }

    /// Goal: files of earlier versions go on. Method: a file of version 1, as all of them are, and a step that is
    /// made up; then one that fails in the middle.
    @Test func `an older file is brought up to date, all or nothing`() throws {
        let directory = TemporaryDirectory()
        try StoreFile(directory.data).close()
        let database = try Database(directory.data.database, .write, waitMilliseconds: 0)
        let steps = Schema.steps + ["ALTER TABLE players ADD COLUMN fur INTEGER NOT NULL DEFAULT 7"]
        try Schema.migrate(database, from: Schema.steps.count, steps: steps)
        #expect(try database.number("PRAGMA user_version") == Int64(steps.count))
        try database.run(
            "INSERT INTO players (alias, alias_key, key_digest, seen) VALUES ('a', 'a', zeroblob(32), 0)")
        #expect(try database.number("SELECT fur FROM players") == 7)

        let failing = steps + ["CREATE TABLE paws (a)", "CREATE TABLE paws (a)"]
        #expect(throws: DatabaseError.self) {
            try Schema.migrate(database, from: steps.count, steps: failing)
        }
        #expect(try database.number("PRAGMA user_version") == Int64(steps.count))
        #expect(try database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'paws'") == 0)
    }

    @Test func `a backup is whole, of one moment, and takes no other file's place`() throws {
        let script = try KeeperScript()
        for alias in ["ann", "bob"] { _ = try script.claim(alias) }
        for match in UInt64(1)...50 { _ = script.keep(MadeUpRace.record(match: match, [1, 2])) }
        let copy = script.directory.path + "/copy.db"
        try StoreBackup.write(script.directory.data, to: copy)
        _ = script.keep(MadeUpRace.record(match: 51, [1, 2]))
        let report = try StoreCheck.run(StoreReader(file: copy))
        #expect(report.faults == [] && report.results == 50 && report.players == 2)
        let bytes = contents(of: copy)
        #expect(throws: StoreBackup.Failure.self) { try StoreBackup.write(script.directory.data, to: copy) }
        #expect(contents(of: copy) == bytes)

        // Put in place, a server goes on with it, and gives out no id again.
        let restored = TemporaryDirectory()
        unsafe mkdir(restored.data.path, 0o700)
        write(bytes, to: restored.data.database)
        let store = try StoreFile(restored.data)
        let first = try store.read { _ throws(DatabaseError) in try store.firstFreeMatch() }
        #expect(first == MatchID(51))
    }
}

/// Seconds on the monotonic clock.
private func elapsed() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
