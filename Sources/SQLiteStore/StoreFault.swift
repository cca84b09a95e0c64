import CSQLite

/// Why the players and results can't be read or written, as a sentence for the operator.
package enum StoreFault: Error, Hashable, Sendable {
    /// The directory can't be made or used; the system's words.
    case directory(String, reason: String)
    case inUse(String)
    case foreign(String)
    case newer(String, version: Int, known: Int)
    /// For programs that only read.
    case older(String, version: Int, known: Int)
    case missing(String)
    /// The same, of a file that was named itself.
    case noBackup(String)
    /// The file is there and can't be opened; the system's words.
    case file(String, reason: String)
    /// Where a file should be.
    case isDirectory(String)
    /// While it was open, another file took its place, or none.
    case moved(String)
    /// The same, of the log beside it.
    case logMoved(String)
    /// The file no longer begins as a database does.
    case overwritten(String)
    case database(String, DatabaseError)

    /// Whether the file has to be opened anew before it is tried again.
    var needsReopening: Bool {
        switch self {
        case .database(_, let error): !error.isBusy && error.primary != SQLITE_FULL
        case .moved, .overwritten: false
        default: true
        }
    }

    /// One word for the log.
    package var name: String {
        switch self {
        case .directory: "directory"
        case .inUse: "in-use"
        case .foreign: "foreign"
        case .newer: "newer"
        case .older: "older"
        case .missing, .noBackup: "missing"
        case .file: "file"
        case .isDirectory: "directory"
        case .moved, .logMoved: "moved"
        case .overwritten: "overwritten"
        case .database(_, let error):
            switch error.primary {
            case SQLITE_BUSY, SQLITE_LOCKED: "locked"
            case SQLITE_FULL: "full"
            case SQLITE_READONLY, SQLITE_PERM: "read-only"
            case SQLITE_CORRUPT, SQLITE_NOTADB: "damaged"
            default: "input-output"
            }
        }
    }

    /// What is wrong and what to do, for a program that can't begin; without a full stop.
    package var sentence: String { "\(self.what): \(self.advice)" }

    /// The same, for a server that runs and can't write: what helps without a restart, which would lose results.
    package var sentenceWhileRunning: String {
        switch self {
        case .overwritten: self.sentence
        case .database(_, let error) where error.isDamage:
            "\(self.what): end the server, and restore a backup"
        case .moved: "\(self.what): put it back; \(Self.waiting)"
        case .foreign, .newer, .older, .isDirectory:
            "\(self.what): put the server's own file there; \(Self.waiting)"
        case .database(_, let error) where error.primary == SQLITE_FULL:
            "\(self.what): make some; \(Self.waiting)"
        case .directory, .file: "\(self.what): see to its permissions and its owner; \(Self.waiting)"
        case .database(_, let error) where error.isOfAccess:
            "\(self.what): see to its permissions and its owner; \(Self.waiting)"
        default: "\(self.sentence); \(Self.waiting)"
        }
    }

    private static let waiting = "results wait until then, and would be lost by a restart"

    private var what: String {
        switch self {
        case .directory(let path, let reason): "the data directory '\(path)' can't be used (\(reason))"
        case .file(let path, let reason): "'\(path)' can't be opened (\(reason))"
        case .isDirectory(let path): "'\(path)' is a directory"
        case .inUse(let path): "another server uses the data directory '\(path)'"
        case .foreign(let path): "'\(path)' belongs to another program"
        case .newer(let path, let version, let known):
            "'\(path)' was written by a newer catrace-server (version \(version) of the file, and this one knows"
                + " \(known))"
        case .older(let path, let version, let known):
            "'\(path)' was written by an older catrace-server (version \(version) of the file, and this one knows"
                + " \(known))"
        case .missing(let path), .noBackup(let path): "there is no file '\(path)'"
        case .moved(let path), .logMoved(let path):
            "'\(path)' was moved, removed or replaced while the server runs"
        case .overwritten(let path): "'\(path)' was overwritten while the server runs"
        case .database(let path, let error): Self.what(path, error)
        }
    }

    private var advice: String {
        switch self {
        case .directory: "choose another by --data DIR, or keep nothing by --memory"
        case .file: "see to its permissions and its owner, or read it as the user it belongs to"
        case .isDirectory(let path):
            "say --data '\(path)' for a server's directory, or name a file, such as a backup"
        case .inUse: "end that one first, or choose another by --data DIR"
        case .foreign: "move it away, or choose another directory by --data DIR"
        case .newer: "use that one"
        case .older: "start this one's server on it once"
        case .missing: "name the directory of a server by --data DIR"
        case .noBackup: "name a backup, or the directory of a server by --data DIR"
        case .moved: "put it back"
        case .logMoved: "it is a part of the database, leave it where it is"
        case .overwritten: "end the server, and restore a backup"
        case .database(_, let error): Self.advice(error)
        }
    }

    private static func what(_ path: String, _ error: DatabaseError) -> String {
        switch error.primary {
        case SQLITE_BUSY, SQLITE_LOCKED: "'\(path)' is locked by another program"
        case SQLITE_FULL: "there is no room to write '\(path)'"
        case SQLITE_READONLY, SQLITE_PERM: "'\(path)' can't be written"
        case SQLITE_CORRUPT, SQLITE_NOTADB: "'\(path)' is damaged or no database (\(error.text))"
        case SQLITE_CANTOPEN: "'\(path)' can't be opened (\(error.text))"
        default: "'\(path)' can't be read or written (\(error.text), code \(error.code))"
        }
    }

    private static func advice(_ error: DatabaseError) -> String {
        switch error.primary {
        case SQLITE_BUSY, SQLITE_LOCKED: "end that one"
        case SQLITE_FULL: "make some, or choose another disk by --data DIR"
        case _ where error.isOfAccess:
            "see to its permissions and its owner, or choose another directory by --data DIR"
        case _ where error.isDamage: "move it away, and restore a backup"
        default: "see to its disk"
        }
    }
}
