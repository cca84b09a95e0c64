import Glibc
import ServerCore

/// The file of what operators do: only appended to, and made for this user alone.
///
/// That it can't be written is no reason to stop: the log has each act as well, and says once that the file lacks some.
package struct AuditFile: Sendable {
    private var path: String
    private var descriptor: Int32
    /// Acts that are not in the file since it could not be written.
    private var missing = 0

    /// One sentence for the operator.
    package struct Fault: Error, Hashable, Sendable {
        package var text: String
    }

    /// Opens the file, or makes it.
    package init(_ path: String) throws(Fault) {
        self.path = path
        self.descriptor = try Self.open(path)
    }

    /// Goes on in another file, or in the same one opened again, since it may have been moved away.
    mutating func goOn(in other: AuditFile) {
        close(self.descriptor)
        (self.path, self.descriptor) = (other.path, other.descriptor)
    }

    /// - Parameter act: a whole line.
    /// - Returns: what the log should say of the file, when that has changed.
    mutating func append(_ act: String) -> LogLine? {
        let trouble: String?
        var isMadeAnew = false
        do throws(Fault) {
            isMadeAnew = try self.makeAnewIfRemoved()
            trouble = self.write(act)
        } catch { trouble = error.text }
        guard let reason = trouble else {
            defer { self.missing = 0 }
            if self.missing == 0, isMadeAnew {
                return LogLine(.warning, "audit-anew", [Self.field(self.path)])
            }
            guard self.missing > 0 else { return nil }
            return LogLine(
                .warning, "audit-up", [Self.field(self.path), LogLine.Field("missing", "\(self.missing)")])
        }
        defer { self.missing += 1 }
        guard self.missing == 0 else { return nil }
        return LogLine(.error, "audit-down", [Self.field(self.path), LogLine.Field("reason", reason)])
    }

    /// What is written into a file that was removed, nobody finds again. (One that was moved away is still somewhere.)
    private mutating func makeAnewIfRemoved() throws(Fault) -> Bool {
        var status = stat()
        guard unsafe fstat(self.descriptor, &status) == 0, status.st_nlink == 0 else { return false }
        self.goOn(in: try AuditFile(self.path))
        return true
    }

    /// - Returns: nil when all is written; otherwise none of it is, and why.
    private func write(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var status = stat()
        guard unsafe fstat(self.descriptor, &status) == 0 else { return Self.reason(errno) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes[done...].withUnsafeBytes {
                unsafe Glibc.write(self.descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                let code = errno
                // No half of a line.
                if done > 0 { ftruncate(self.descriptor, status.st_size) }
                return Self.reason(code)
            }
        }
        return nil
    }

    private static func open(_ path: String) throws(Fault) -> Int32 {
        // Not waiting: whoever reads a pipe may never come.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        let descriptor = unsafe Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw Fault(text: "the audit file '\(path)' can't be opened (\(Self.reason(errno)))")
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Fault(
                text: "the audit file '\(path)' is no plain file: give one, which is made if there is none")
        }
        return descriptor
    }

    private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
    private static func field(_ path: String) -> LogLine.Field { LogLine.Field("file", path) }
}
