import Glibc

/// An empty directory of its own, gone with this value.
final class StateDirectory {
    let path: String

    init() {
        var name = Array("/tmp/catrace-test-XXXXXX".utf8CString)
        unsafe mkdtemp(&name)
        self.path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["catrace/keys", "catrace/lock"] {
            unsafe unlink(self.path + "/" + name)
        }
        unsafe rmdir(self.path + "/catrace")
        unsafe rmdir(self.path)
    }
}
