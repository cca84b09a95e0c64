import CSQLite

/// What SQLite answered instead of doing as it was told.
package struct DatabaseError: Error, Hashable, Sendable {
    /// An extended result code of SQLite.
    package var code: Int32
    /// Its own words.
    package var text: String

    package init(code: Int32, text: String) {
        self.code = code
        self.text = text
    }

    var primary: Int32 { self.code & 0xff }
    /// Another program has the file for itself; nothing is wrong with it.
    package var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(self.primary) }
    /// It concerns what was asked for, not the file: the next request may well go through.
    package var isOfRequest: Bool {
        [SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_MISUSE].contains(
            self.primary)
    }
}
