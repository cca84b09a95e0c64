package import ClientCore
import Glibc
import RaceModel

/// The book of players and keys on disk: a directory of its own that only its user can enter, a file that only
/// they can read, written in one step, and one at a time however many clients run.
package struct KeyFile: Sendable {
    /// Why there is nothing to read or nothing was written, and what to do.
    package struct Fault: Error, Hashable, Sendable {
        package var text: String
    }

    /// Without a slash at its end.
    package let directory: String
    package var path: String { self.directory + "/keys" }
    private var lockPath: String { self.directory + "/lock" }

    /// More than a full book has.
    private static let mostBytes = 1 << 20
    /// So long another client may write.
    private static let patience = 200
    private static let pause: UInt32 = 10_000

    package init(directory: String) { self.directory = directory }

    /// In `$XDG_STATE_HOME/catrace`, or in `~/.local/state/catrace`; nil when neither is known.
    package init?(environment: (String) -> String?) {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            self.init(directory: state + "/catrace")
        } else if let home = environment("HOME"), home.hasPrefix("/") {
            self.init(directory: home + "/.local/state/catrace")
        } else {
            return nil
        }
    }

    // MARK: Reading and writing

    /// Empty when there is none yet.
    package func read() throws(Fault) -> KeyBook {
        let file = unsafe open(self.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return KeyBook() }
            throw self.fault("can't be read", self.path)
        }
        defer { close(file) }
        try self.checkOwner(of: file)
        guard let bytes = FileBytes.read(file, most: Self.mostBytes) else {
            throw Fault(text: "\(self.path) can't be read, or is too long for a file of keys: move it away")
        }
        do throws(KeyBook.Fault) {
            return try KeyBook(text: bytes)
        } catch {
            throw Fault(
                text:
                    "line \(error.line) of \(self.path) is no player and key: mend it, move the file away, or "
                    + "play with --guest")
        }
    }

    /// Reads, changes and writes the book while nobody else does.
    package func change<Value>(_ body: (inout KeyBook) -> Value) throws(Fault) -> Value {
        try self.makeDirectory()
        let lock = try self.openLock()
        defer { close(lock) }
        var tries = 0
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            tries += 1
            guard tries < Self.patience else {
                throw Fault(text: "another program holds \(self.lockPath): end it, then start again")
            }
            usleep(Self.pause)
        }
        var book = try self.read()
        let before = book
        let value = body(&book)
        if book != before {
            do throws(FileBytes.Fault) {
                try FileBytes.write(book.text, to: self.path, mode: 0o600, replaces: true)
            } catch {
                throw Fault(text: "\(self.path) can't be written (\(error.reason))")
            }
        }
        return value
    }

    /// Marks a player as being played by this process, until it ends.
    ///
    /// - Returns: false when another client plays them now.
    package func claim(_ entry: KeyBook.Entry) throws(Fault) -> Bool {
        try self.makeDirectory()
        let lock = try self.openLock()
        // Each player is a byte of the lock file; where it is follows from server and id.
        var place: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(entry.server) \(entry.player.value)".utf8 {
            place = (place ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(place >> 2)
        range.l_len = 1
        // F_OFD_SETLK, which this module does not show: it lasts as long as the descriptor.
        if unsafe fcntl(lock, 37, &range) == 0 { return true }
        close(lock)
        return false
    }

    // MARK: Access

    private func openLock() throws(Fault) -> Int32 {
        let lock = unsafe open(self.lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw self.fault("can't be opened", self.lockPath) }
        return lock
    }

    private func makeDirectory() throws(Fault) {
        var path = ""
        for part in self.directory.split(separator: "/") {
            path += "/" + part
            if unsafe mkdir(path, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                throw self.fault("can't be made", path)
            }
        }
        var status = stat()
        guard unsafe stat(self.directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw self.fault("is no directory", self.directory)
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw Fault(
                text:
                    "others can enter \(self.directory), where keys are kept: chmod 700 it, or play with --guest"
            )
        }
    }

    private func checkOwner(of file: Int32) throws(Fault) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Fault(text: "\(self.path) is no file: move it away, or play with --guest")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw Fault(
                text: "others can read the keys in \(self.path): chmod 600 it, or play with --guest")
        }
    }

    private func fault(_ what: String, _ path: String) -> Fault {
        Fault(text: "\(path) \(what) (\(FileBytes.reason())): see to it, or play with --guest")
    }
}
