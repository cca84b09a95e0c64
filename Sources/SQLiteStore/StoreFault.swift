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
        case .missing: "missing"
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

    /// What is wrong and what to do; without a full stop.
    package var sentence: String {
        switch self {
        case .directory(let path, let reason):
            "the data directory '\(path)' can't be used (\(reason)): choose another by --data DIR,"
                + " or keep nothing by --memory"
        case .inUse(let path):
            "another server uses the data directory '\(path)': end that one first, or choose another by --data DIR"
        case .foreign(let path):
            "'\(path)' belongs to another program: move it away, or choose another directory by --data DIR"
        case .newer(let path, let version, let known):
            "'\(path)' was written by a newer catrace-server (version \(version) of the file, and this one knows"
                + " \(known)): use that one"
        case .older(let path, let version, let known):
            "'\(path)' was written by an older catrace-server (version \(version) of the file, and this one knows"
                + " \(known)): start this one's server on it once"
        case .missing(let path): "there is no file '\(path)': name the directory of a server by --data DIR"
        case .moved(let path):
            "'\(path)' was moved, removed or replaced while the server runs: put it back, or start the server anew"
        case .logMoved(let path):
            "'\(path)' was moved, removed or replaced while the server runs: it is a part of the database, leave it"
                + " where it is"
        case .overwritten(let path):
            "'\(path)' was overwritten while the server runs: end the server, and restore a backup"
        case .database(let path, let error): self.sentence(path, error)
        }
    }

    private func sentence(_ path: String, _ error: DatabaseError) -> String {
        switch error.primary {
        case SQLITE_BUSY, SQLITE_LOCKED: "'\(path)' is locked by another program: end that one"
        case SQLITE_FULL:
            "there is no room to write '\(path)': make some, or choose another disk by --data DIR"
        case SQLITE_READONLY, SQLITE_PERM:
            "'\(path)' can't be written: see to its permissions and its owner, or choose another directory by"
                + " --data DIR"
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            "'\(path)' is damaged or no database (\(error.text)): move it away, and restore a backup"
        case SQLITE_CANTOPEN:
            "'\(path)' can't be opened (\(error.text)): see to its permissions and its owner, or choose another"
                + " directory by --data DIR"
        default: "'\(path)' can't be read or written (\(error.text), code \(error.code)): see to its disk"
        }
    }
}
