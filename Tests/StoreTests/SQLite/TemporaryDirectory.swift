import Glibc
import SQLiteStore

/// A directory of its own for one test, gone with it.
final class TemporaryDirectory {
    let path: String

    init() {
        var template = Array("/tmp/catrace-store-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(self.path) }

    var data: DataDirectory { DataDirectory(self.path + "/data") }

    private static func remove(_ path: String) {
        if let directory = unsafe opendir(path) {
            while let entry = unsafe readdir(directory) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { Self.remove(path + "/" + name) }
            }
            unsafe closedir(directory)
            unsafe rmdir(path)
        } else {
            unsafe unlink(path)
        }
    }
}

/// A whole file.
func contents(of path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = unsafe read(file, &buffer, buffer.count)
        if count <= 0 { return bytes }
        bytes += buffer[..<count]
    }
}

/// Writes over the file, or makes it.
func write(_ bytes: [UInt8], to path: String) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    unsafe Glibc.write(file, bytes, bytes.count)
}
