import Glibc
import Testing

/// An empty directory of its own, gone with this value and the files that tests make in it.
final class StateDirectory {
    let path: String
    private static let names = ["catrace/keys", "catrace/lock", "record.txt", "session.txt", "elsewhere"]

    init() {
        var name = Array("/tmp/catrace-test-XXXXXX".utf8CString)
        unsafe mkdtemp(&name)
        self.path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in Self.names { unsafe unlink(self.path + "/" + name) }
        unsafe rmdir(self.path + "/catrace")
        unsafe rmdir(self.path)
    }

    var keys: String { self.path + "/catrace/keys" }

    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
        let file = unsafe open(self.path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        try #require(file >= 0)
        let bytes = Array(text.utf8)
        #expect(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count)
        fchmod(file, mode)
        close(file)
    }

    /// Empty when there is none.
    func read(_ name: String) -> String {
        let file = unsafe open(self.path + "/" + name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe Glibc.read(file, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    /// Permissions, such as 0o600.
    func mode(_ name: String) -> mode_t {
        var status = stat()
        return unsafe stat(self.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
}
