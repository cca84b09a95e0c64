import CSQLite

/// What a statement is given.
package enum Value: Sendable {
    case number(Int64)
    case text(String)
    case bytes([UInt8])
}

/// A prepared statement. It belongs to its database and goes with it.
@safe package final class Statement {
    private let handle: OpaquePointer
    private unowned let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        unsafe self.handle = unsafe handle
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(self.handle) }

    func bind(_ values: [Value]) throws(DatabaseError) {
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code =
                switch value {
                case .number(let number): unsafe sqlite3_bind_int64(self.handle, place, number)
                case .text(let text):
                    unsafe catrace_bind_text(self.handle, place, text, Int32(text.utf8.count))
                case .bytes(let bytes):
                    unsafe bytes.withUnsafeBytes {
                        unsafe catrace_bind_blob(self.handle, place, $0.baseAddress, Int32($0.count))
                    }
                }
            guard code == SQLITE_OK else { throw self.database.error(code) }
        }
    }

    /// True: there is a row; false: it is done.
    func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(self.handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw self.database.error(code)
        }
    }

    /// Makes it ready for another run, whatever the last one came to.
    func reset() { unsafe sqlite3_reset(self.handle) }

    // MARK: Columns of the row, from 0

    package func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(self.handle, column) }

    package func optionalNumber(_ column: Int32) -> Int64? {
        unsafe sqlite3_column_type(self.handle, column) == SQLITE_NULL ? nil : self.number(column)
    }

    package func text(_ column: Int32) -> String { String(decoding: self.bytes(column), as: UTF8.self) }

    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(self.handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(self.handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
