import CSQLite

/// One open SQLite file. Used by one thread at a time.
@safe package final class Database {
    package enum Access: Sendable {
        /// Makes the file if there is none.
        case create
        case write
        case read
    }

    private var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]

    /// - Parameter waitMilliseconds: how long a request waits for another program that has the file for itself.
    package init(_ path: String, _ access: Access, waitMilliseconds: Int32) throws(DatabaseError) {
        let how =
            switch access {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .write: SQLITE_OPEN_READWRITE
            case .read: SQLITE_OPEN_READONLY
            }
        var handle: OpaquePointer?
        let flags = how | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        unsafe self.handle = unsafe handle
        guard code == SQLITE_OK else {
            let error = self.error(code)
            self.close()
            throw error
        }
        self.wait(milliseconds: waitMilliseconds)
        unsafe catrace_keep_log_when_closing(handle)
    }

    deinit { self.close() }

    /// Every further request is an error `misuse` (SQLite itself would not survive one). What is committed stays,
    /// in the file or in the log beside it.
    package func close() {
        self.statements = [:]
        unsafe sqlite3_close_v2(self.handle)
        unsafe self.handle = nil
    }

    package func wait(milliseconds: Int32) {
        guard unsafe self.handle != nil else { return }
        unsafe sqlite3_busy_timeout(self.handle, milliseconds)
    }

    /// Runs statements that give no rows.
    package func run(_ sql: String) throws(DatabaseError) {
        guard unsafe self.handle != nil else { throw self.error(SQLITE_MISUSE) }
        let code = unsafe sqlite3_exec(self.handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw self.error(code) }
    }

    /// Prepared once and then kept: for the texts that the program itself holds, of which there are few.
    package func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let statement = self.statements[sql] {
            statement.reset()
            return statement
        }
        guard unsafe self.handle != nil else { throw self.error(SQLITE_MISUSE) }
        var prepared: OpaquePointer?
        let persistent = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = unsafe sqlite3_prepare_v3(self.handle, sql, -1, persistent, &prepared, nil)
        guard code == SQLITE_OK, let found = unsafe prepared else { throw self.error(code) }
        let statement = unsafe Statement(found, of: self)
        self.statements[sql] = statement
        return statement
    }

    /// Runs a statement that gives no rows.
    package func run(_ sql: String, _ values: Value...) throws(DatabaseError) {
        let statement = try self.statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// The first row's first column as a number; nil: no row, or NULL.
    package func number(_ sql: String, _ values: Value...) throws(DatabaseError) -> Int64? {
        let statement = try self.statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.optionalNumber(0) : nil
    }

    /// Each row in turn.
    package func rows(
        _ sql: String, _ values: [Value] = [], _ body: (Statement) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let statement = try self.statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { try body(statement) }
    }

    /// Rows that the latest statement changed.
    package var changes: Int { unsafe self.handle == nil ? 0 : Int(sqlite3_changes64(self.handle)) }
    /// The id that the latest insertion gave out.
    package var lastID: Int64 { unsafe self.handle == nil ? 0 : sqlite3_last_insert_rowid(self.handle) }
    /// Whether a transaction is open; errors may have ended it.
    package var isInTransaction: Bool {
        unsafe self.handle != nil && sqlite3_get_autocommit(self.handle) == 0
    }

    func error(_ code: Int32) -> DatabaseError {
        let words = unsafe self.handle != nil ? sqlite3_errmsg(self.handle) : sqlite3_errstr(code)
        return DatabaseError(
            code: code, text: unsafe words.map { unsafe String(cString: $0) } ?? "code \(code)")
    }
}
