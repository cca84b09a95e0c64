import Glibc

/// A copy of a file, whole and of one moment, while a server goes on writing it.
package enum StoreBackup {
    package enum Failure: Error, Sendable {
        case store(StoreFault)
        case exists(String)
        /// The copy could not be written; the system's words.
        case target(String, reason: String)

        package var sentence: String {
            switch self {
            case .store(let fault): fault.sentence
            case .exists(let path): "'\(path)' is there already, and is left as it is: name another file"
            case .target(let path, let reason): "'\(path)' can't be written (\(reason)): name another file"
            }
        }
    }

    /// The file appears under its name once it is complete and on the disk.
    package static func write(_ directory: DataDirectory, to path: String) throws(Failure) {
        guard FileIdentity(path: path) == nil else { throw .exists(path) }
        let part = "\(path).part-\(getpid())"
        // Makes sure of the place, and that nobody else reads it.
        let descriptor = unsafe open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer {
            close(descriptor)
            unsafe unlink(part)
        }
        do throws(StoreFault) { try StoreReader(directory).copy(to: part) } catch { throw .store(error) }
        guard fsync(descriptor) == 0 else { throw Self.failure(path) }
        // A link, since it never takes the place of a file that is there.
        guard unsafe link(part, path) == 0 else {
            if errno == EEXIST { throw .exists(path) }
            throw Self.failure(path)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let parent = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw Self.failure(path) }
        defer { close(parent) }
        guard fsync(parent) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> Failure {
        .target(path, reason: unsafe String(cString: strerror(errno)))
    }
}

extension StoreReader {
    fileprivate func copy(to path: String) throws(StoreFault) {
        do throws(DatabaseError) {
            // It takes its own snapshot, and none may be open.
            try self.database.run("COMMIT")
            try self.database.run("VACUUM INTO ?", .text(path))
        } catch {
            // What is wrong may be either file's: SQLite tells only how.
            throw .database(error.isBusy ? self.path : path, error)
        }
    }
}
