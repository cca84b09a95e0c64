import Glibc

/// Reads a file that can't be long, such as a certificate. Waits for the disk: never on a loop's queue.
package enum SmallFile {
    /// A longer one is refused, in bytes.
    static let limit = 1 << 20

    package struct Fault: Error, Hashable, Sendable {
        /// A predicate: `is not there`.
        package var text: String
    }

    package static func contents(of path: String) throws(Fault) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw Fault(text: "is no path") }
        // Without waiting: somebody may have given a pipe.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Fault(text: Self.text(of: errno)) }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Fault(text: "is no file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = unsafe Glibc.read(file, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Fault(text: Self.text(of: errno))
            }
            bytes += buffer[..<count]
            guard bytes.count <= Self.limit else { throw Fault(text: "is longer than \(Self.limit) bytes") }
        }
    }

    private static func text(of code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: return "is not there"
        case EACCES, EPERM: return "may not be read by this user"
        default:
            guard let text = unsafe strerror(code) else { return "can't be read" }
            return unsafe "can't be read (\(String(cString: text)))"
        }
    }
}
