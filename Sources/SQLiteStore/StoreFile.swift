import CSQLite
import Glibc
import RaceModel

/// The players and results in one SQLite file. Used by one thread at a time.
///
/// Only within `write` anything may be written; it lasts once that has returned.
package final class StoreFile {
    package let directory: DataDirectory
    package private(set) var database: Database
    private let watched: WatchedFile
    private let lock: Int32
    /// Whether the server before, on the same directory, came to no orderly end.
    package let followsSuddenEnd: Bool
    /// The file was made now.
    package let isNew: Bool
    /// Guests of whom the server has heard since it started: they may be here, and it says when to forget them.
    var heardOf: Set<PlayerID> = []

    /// How long a request waits for another program that has the file for itself, in milliseconds: `wait` while the
    /// server runs, `waitAtStart` when it starts.
    static let wait: Int32 = 50
    package static let waitAtStart: Int32 = 5000

    /// Opens the file of a directory, and makes both where there are none.
    package init(_ directory: DataDirectory, wait: Int32 = StoreFile.waitAtStart) throws(StoreFault) {
        try directory.make()
        let lock = try directory.takeLock()
        self.isNew = directory.isNew
        do throws(StoreFault) {
            self.watched = try WatchedFile(directory)
            self.database = try Self.open(directory.database, wait: wait)
        } catch {
            _ = Glibc.close(lock)
            throw error
        }
        self.directory = directory
        self.lock = lock
        self.followsSuddenEnd = directory.noteStart(lock)
        self.watched.noteLog()
    }

    /// Puts what is in the log into the file, which is then all there is, and ends.
    /// - Parameter isUnused: nothing was served from it: that the server before came to no orderly end is left for
    ///   the next one to tell.
    package func close(isUnused: Bool = false) {
        if self.watched.fault == nil { self.emptyLog() }
        self.database.close()
        if !isUnused || !self.followsSuddenEnd { self.directory.noteEnd(self.lock) }
    }

    deinit {
        self.database.close()
        _ = Glibc.close(self.lock)
    }

    /// Nil: the file is where it was, and begins as it should.
    var placeFault: StoreFault? { self.watched.fault }

    /// False: whoever has the file for itself is known, and requests fail at once.
    func waitForOthers(_ isOn: Bool) { self.database.wait(milliseconds: isOn ? Self.wait : 0) }

    /// Opens the file anew: after most errors only this tells whether it is well again.
    package func reopen() throws(StoreFault) {
        // A log that was removed is written into the file first, as long as it is open.
        if case .logMoved = self.watched.fault { self.emptyLog() }
        self.database.close()
        self.database = try Self.open(self.directory.database, wait: 0)
        self.watched.noteLog()
    }

    private func emptyLog() { _ = try? self.database.number("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs `body` in one transaction, and returns once its changes last. When it throws, nothing counts as written.
    package func write<Result>(
        _ body: (Database) throws(DatabaseError) -> Result
    ) throws(StoreFault) -> Result {
        if let fault = self.watched.fault { throw fault }
        let result: Result
        do throws(DatabaseError) {
            result = try self.database.transaction(body)
        } catch {
            throw .database(self.directory.database, error)
        }
        // What went into a file that nobody finds again is not kept.
        if let fault = self.watched.fault { throw fault }
        return result
    }

    package func read<Result>(
        _ body: (Database) throws(DatabaseError) -> Result
    ) throws(StoreFault) -> Result {
        do throws(DatabaseError) { return try body(self.database) } catch {
            throw .database(self.directory.database, error)
        }
    }

    private static func open(_ path: String, wait: Int32) throws(StoreFault) -> Database {
        let database: Database
        let kind: Schema.Kind
        do throws(DatabaseError) {
            database = try Database(path, .write, waitMilliseconds: wait)
            kind = try Schema.kind(of: database)
        } catch {
            throw .database(path, error)
        }
        let version: Int
        switch kind {
        case .empty: version = 0
        case .ours(let found): version = found
        case .foreign: throw .foreign(path)
        }
        guard version <= Schema.steps.count else {
            throw .newer(path, version: version, known: Schema.steps.count)
        }
        do throws(DatabaseError) {
            try Self.prepare(database, version: version)
        } catch {
            throw .database(path, error)
        }
        return database
    }

    /// Commits survive the loss of power: the log is synced behind each. Then finds out whether it can be written.
    private static func prepare(_ database: Database, version: Int) throws(DatabaseError) {
        _ = try database.number("PRAGMA journal_size_limit = 16777216")
        try database.rows("PRAGMA journal_mode = WAL") { _ in }
        try database.run("PRAGMA synchronous = FULL")
        try database.run("PRAGMA foreign_keys = ON")
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA cache_size = -32768")
        try database.run("PRAGMA temp_store = MEMORY")
        try Schema.migrate(database, from: version)
        try database.transaction { database throws(DatabaseError) in
            try database.run("UPDATE counters SET value = value WHERE name = 'match'")
        }
        database.wait(milliseconds: Self.wait)
    }
}

extension Database {
    func transaction<Result>(
        _ body: (Database) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        try self.run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            let result = try body(self)
            try self.run("COMMIT")
            return result
        } catch {
            // Some errors have ended it already.
            if self.isInTransaction { try? self.run("ROLLBACK") }
            throw error
        }
    }
}
