import Glibc
import Testing

/// Where a server of one test keeps its data; gone with it.
final class DataFolder {
    let path: String

    init() {
        var template = Array("/tmp/catrace-data-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = try? Program(["/bin/rm", "-rf", self.path]).waitForEnd() }

    var database: String { self.path + "/catrace.db" }
    var flags: [String] { ["--data", self.path] }

    /// A real second process that has the file for itself until it ends.
    func lock() async throws -> Program {
        let code = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("BEGIN EXCLUSIVE")
            print("locked", flush=True)
            sys.stdin.read()
            """
        let locker = try Program(["/usr/bin/env", "python3", "-c", code, self.database])
        try await locker.lines.wait(for: "locked")
        return locker
    }

    /// What a verb of the server says of it.
    func tool(_ words: [String]) async throws -> (code: Int32, text: String) {
        let program = try Program(["catrace-server"] + words)
        let code = try await program.exitCode()
        return (code, program.lines.text)
    }

    func expectSound(_ figures: String) async throws {
        let (code, text) = try await self.tool(["check"] + self.flags)
        #expect(code == 0 && text == "checked \(figures) sound\n", "\(text)")
    }
}

extension Server {
    /// What it has logged of this kind, once there is some: a log may come behind what players are told.
    func logged(_ event: String) async throws -> [String] {
        let log = try #require(self.program.errors)
        func found() -> [String] {
            log.pump()
            return log.all.filter { $0.contains(" event=\(event) ") }
        }
        _ = try await eventually { !found().isEmpty || log.hasEnded }
        return found()
    }
}
