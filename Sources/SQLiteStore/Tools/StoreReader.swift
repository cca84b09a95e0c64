import CSQLite
import Glibc

/// A server's file, read by another program while the server may be writing it: all that is read is of one moment.
package final class StoreReader {
    package let path: String
    let database: Database

    /// Waits some seconds for another program that has the file for itself.
    package convenience init(_ directory: DataDirectory) throws(StoreFault) {
        try self.init(directory.database, missing: .missing(directory.database))
    }

    /// - Parameter file: a database, such as a backup.
    package convenience init(file: String) throws(StoreFault) {
        try self.init(file, missing: .noBackup(file))
    }

    private init(_ file: String, missing: StoreFault) throws(StoreFault) {
        self.path = file
        if let fault = Self.fault(of: file, missing: missing) { throw fault }
        let kind: Schema.Kind
        do throws(DatabaseError) {
            self.database = try Database(file, .read, waitMilliseconds: StoreFile.waitAtStart)
            try self.database.run("BEGIN")
            kind = try Schema.kind(of: self.database)
        } catch {
            throw .database(file, error)
        }
        let known = Schema.steps.count
        switch kind {
        case .ours(known): break
        case .ours(let version) where version > known: throw .newer(file, version: version, known: known)
        case .ours(let version): throw .older(file, version: version, known: known)
        case .empty, .foreign: throw .foreign(file)
        }
    }

    /// What SQLite would say in words of its own, of a file that can't be read at all.
    private static func fault(of file: String, missing: StoreFault) -> StoreFault? {
        var status = stat()
        guard unsafe stat(file, &status) == 0, unsafe access(file, R_OK) == 0 else {
            let code = errno
            let isMissing = code == ENOENT || code == ENOTDIR
            return isMissing ? missing : .file(file, reason: unsafe String(cString: strerror(code)))
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .isDirectory(file) : nil
    }

    func read<Result>(
        _ body: (Database) throws(DatabaseError) -> Result
    ) throws(StoreFault) -> Result {
        do throws(DatabaseError) { return try body(self.database) } catch {
            throw .database(self.path, error)
        }
    }
}
