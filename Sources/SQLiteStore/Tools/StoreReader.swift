import CSQLite

/// A server's file, read by another program while the server may be writing it: all that is read is of one moment.
package final class StoreReader {
    package let path: String
    let database: Database

    /// Waits some seconds for another program that has the file for itself.
    package convenience init(_ directory: DataDirectory) throws(StoreFault) {
        try self.init(file: directory.database)
    }

    /// - Parameter file: a database, such as a backup.
    package init(file: String) throws(StoreFault) {
        self.path = file
        guard FileIdentity(path: file) != nil else { throw .missing(file) }
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

    func read<Result>(
        _ body: (Database) throws(DatabaseError) -> Result
    ) throws(StoreFault) -> Result {
        do throws(DatabaseError) { return try body(self.database) } catch {
            throw .database(self.path, error)
        }
    }
}
