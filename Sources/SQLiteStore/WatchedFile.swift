import Glibc

/// Sees whether the open database is still the file under its name: SQLite goes on writing into one that was removed.
final class WatchedFile {
    private let directory: DataDirectory
    private let descriptor: Int32
    private let identity: FileIdentity?
    /// Of the log beside it, once it is known.
    private var log: FileIdentity?

    init(_ directory: DataDirectory) throws(StoreFault) {
        self.directory = directory
        self.descriptor = try directory.openFile()
        self.identity = FileIdentity(descriptor: self.descriptor)
    }

    deinit { close(self.descriptor) }

    /// The log that SQLite uses from now on is the one that is there now.
    func noteLog() { self.log = FileIdentity(path: self.directory.log) }

    /// Nil: all in place.
    var fault: StoreFault? {
        guard let identity, FileIdentity(path: self.directory.database) == identity else {
            return .moved(self.directory.database)
        }
        if let log, FileIdentity(path: self.directory.log) != log { return .logMoved(self.directory.log) }
        var header: [UInt8] = Array(repeating: 0, count: Self.signature.count)
        let count = unsafe pread(self.descriptor, &header, header.count, 0)
        return count == header.count && header == Self.signature ? nil : .overwritten(self.directory.database)
    }

    /// How every SQLite file begins.
    private static let signature = Array("SQLite format 3\0".utf8)
}
