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
    /// The system lets this process not write, or not even open it.
    var isOfAccess: Bool { [SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN].contains(self.primary) }
    /// What is in the file is not what SQLite wrote.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(self.primary) }
    /// It concerns what was asked for, not the file: the next request may well go through.
    package var isOfRequest: Bool {
        [SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_MISUSE].contains(
            self.primary)
    }
}
