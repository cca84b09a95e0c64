import Glibc

/// Where a server keeps what lasts: the database, SQLite's own files beside it, and the lock that says that a server
/// runs.
package struct DataDirectory: Hashable, Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var database: String { self.path + "/catrace.db" }
    var log: String { self.database + "-wal" }
    private var lock: String { self.path + "/lock" }

    /// Makes the directory and those above it, for this user alone, where there are none.
    func make() throws(StoreFault) {
        var made = ""
        for part in self.path.split(separator: "/", omittingEmptySubsequences: false) {
            made += part + "/"
            let code = unsafe part.isEmpty ? 0 : mkdir(made, 0o700)
            if code == 0 || errno == EEXIST { continue }
            let reason = errno
            if unsafe access(made, F_OK) != 0 { throw self.fault(reason) }
        }
        var status = stat()
        guard unsafe stat(self.path, &status) == 0 else { throw self.fault(errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw self.fault(ENOTDIR) }
    }

    /// Nothing is kept in it yet.
    var isNew: Bool {
        var status = stat()
        return unsafe stat(self.database, &status) != 0 || status.st_size == 0
    }

    /// As it is found from anywhere; as it was given, when that can't be told.
    package var wholePath: String {
        guard let whole = unsafe realpath(self.path, nil) else { return self.path }
        defer { unsafe free(whole) }
        return unsafe String(cString: whole)
    }

    /// Takes the directory for one server, until the descriptor is closed, at the latest by the end of the process.
    func takeLock() throws(StoreFault) -> Int32 {
        let descriptor = unsafe open(self.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw self.fault(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            _ = Glibc.close(descriptor)
            throw code == EWOULDBLOCK ? .inUse(self.path) : self.fault(code)
        }
        return descriptor
    }

    /// Writes into the lock that a server runs here, until `noteEnd`: what is still written there at the next start was
    /// left by a sudden end.
    /// - Returns: whether the server before came to no orderly end.
    func noteStart(_ lock: Int32) -> Bool {
        var byte: UInt8 = 0
        let wasLeft = unsafe pread(lock, &byte, 1, 0) == 1
        let words = Array("a server runs\n".utf8)
        // Without a word on a full disk: only a sentence for players hangs on it.
        _ = unsafe pwrite(lock, words, words.count, 0)
        fsync(lock)
        return wasLeft
    }

    func noteEnd(_ lock: Int32) { _ = ftruncate(lock, 0) }

    /// The database's file on a descriptor of our own, made for this user alone where there is none.
    ///
    /// It must stay open for as long as SQLite has the file open: closing any descriptor of a file ends this
    /// process's locks on it.
    func openFile() throws(StoreFault) -> Int32 {
        let descriptor = unsafe open(self.database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return descriptor }
        let code = errno
        // A reader's descriptor does for watching, and SQLite will say what is wrong.
        let reading = unsafe open(self.database, O_RDONLY | O_CLOEXEC)
        guard reading >= 0 else {
            throw .file(self.database, reason: unsafe String(cString: strerror(code)))
        }
        return reading
    }

    private func fault(_ code: Int32) -> StoreFault {
        .directory(self.path, reason: unsafe String(cString: strerror(code)))
    }
}

/// Which file this is: of two paths or descriptors, equal for the same one.
struct FileIdentity: Hashable {
    var device: UInt
    var number: UInt

    private init(_ status: stat) {
        self.device = UInt(status.st_dev)
        self.number = UInt(status.st_ino)
    }

    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
