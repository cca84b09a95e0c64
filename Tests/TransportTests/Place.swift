import Glibc
import ServerRuntime
import Testing

/// A directory of its own, with a socket for operators, settings, a store and an audit file.
final class Place {
    let path: String
    var socket: String { self.path + "/s" }
    var settings: String { self.path + "/race.conf" }
    var data: String { self.path + "/data" }
    var audit: String { self.path + "/audit.log" }

    init() {
        var template = Array("/tmp/catrace-control-XXXXXX".utf8CString)
        _ = unsafe mkdtemp(&template)
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for folder in [self.data, self.path] {
            for name in directoryEntries(folder) { unsafe unlink(folder + "/" + name) }
            unsafe rmdir(folder)
        }
    }

    /// The settings, or another file in it.
    func write(_ text: String, to name: String = "race.conf") {
        let path = self.path + "/" + name
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        writeFully(text, to: descriptor)
        close(descriptor)
    }

    func server(_ arguments: String...) throws -> Child {
        try Child(["--port=0", "--control", self.socket] + arguments)
    }

    /// What `ctl` prints, and its exit status.
    func ctl(_ words: String...) throws -> (text: String, status: Int32) {
        let child = try self.startCtl(words)
        let text = child.restOfOutput()
        return (text + child.restOfErrors(), child.exitCode())
    }

    func auditedServer(_ arguments: String...) throws -> Child {
        try Child(["--port=0", "--control", self.socket, "--audit", self.audit] + arguments)
    }

    private func startCtl(_ words: [String]) throws -> Child {
        try Child(
            shell: "exec \"$0\" ctl --control '\(self.socket)' "
                + words.map { "'\($0)'" }.joined(separator: " "))
    }

    /// A command that must be carried out.
    func order(_ words: String...) throws {
        let child = try self.startCtl(words)
        #expect(child.exitCode() == 0, "\(child.restOfErrors())")
    }

    func auditLines(of name: String = "audit.log") -> [String] {
        contents(of: self.path + "/" + name).split(separator: "\n").map(String.init)
    }
}
