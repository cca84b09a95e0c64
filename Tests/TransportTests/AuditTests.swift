import Glibc
import ServerCore
import Testing

@testable import ServerRuntime

extension TransportTests {
    /// The file of what operators do.
    @Suite struct AuditTests {
        private func end(_ server: Child) -> [String] {
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            return server.restOfErrors().split(separator: "\n").map(String.init)
        }

        @Test func `each act is in it as in the log, with when, who, what, why and how it went`() throws {
            let place = Place()
            let server = try place.auditedServer("--log-level=error")
            _ = try server.port()
            try place.order("ban", "192.0.2.7", "for=60", "reason=two words")
            try place.order("unban", "192.0.2.7")
            server.signal(SIGHUP)
            #expect(eventually { place.auditLines().count == 3 })
            let log = self.end(server)
            let lines = place.auditLines()
            #expect(lines == log.filter { $0.contains(" event=audit ") })
            #expect(
                lines.map { $0.split(separator: " verb=").last ?? "" } == [
                    "ban subject=192.0.2.7 for=60 reason=\"two words\" outcome=ok",
                    "unban subject=192.0.2.7 outcome=ok", "signal subject=SIGHUP outcome=ok",
                    "signal subject=SIGTERM outcome=ok",
                ])
            #expect(lines.allSatisfy { $0.hasPrefix("time=20") && $0.contains(" uid=\(getuid()) pid=") })
            // Those by signals came from here.
            #expect(lines.suffix(2).allSatisfy { $0.contains(" pid=\(getpid()) ") })
        }

        @Test func `it is for its user's eyes, is appended to, and moves with a signal`() throws {
            let place = Place()
            for _ in 1...2 {
                let server = try place.auditedServer()
                _ = try server.port()
                _ = self.end(server)
            }
            #expect(place.auditLines().count == 2)
            var status = stat()
            #expect(unsafe stat(place.audit, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let server = try place.auditedServer()
            _ = try server.port()
            unsafe rename(place.audit, place.path + "/audit.log.1")
            try place.order("loglevel", "info")
            // The signal is the first act in the new one.
            server.signal(SIGHUP)
            #expect(eventually { unsafe access(place.audit, F_OK) == 0 })
            try place.order("loglevel", "error")
            _ = self.end(server)
            #expect(place.auditLines(of: "audit.log.1").count == 3)
            #expect(place.auditLines().count == 3)
            #expect(place.auditLines().first?.hasSuffix(" verb=signal subject=SIGHUP outcome=ok") == true)
            #expect(place.auditLines().dropFirst().first?.hasSuffix(" subject=error outcome=ok") == true)
        }

        @Test func `one that can't be opened is one sentence at the start, and later no reason to stop`()
            throws
        {
            let place = Place()
            unsafe mkfifo(place.path + "/pipe", 0o600)
            for (path, sentence) in [
                (place.path, "'\(place.path)' can't be opened (Is a directory)"),
                (
                    place.path + "/none/audit.log",
                    "'\(place.path)/none/audit.log' can't be opened (No such file or directory)"
                ),
                ("/dev/null", "'/dev/null' is no plain file: give one, which is made if there is none"),
                (place.path + "/pipe", "'\(place.path)/pipe' can't be opened (No such device or address)"),
            ] {
                let server = try Child(["--port=0", "--audit", path])
                #expect(server.exitCode() == 1)
                #expect(server.restOfErrors() == "catrace-server: the audit file \(sentence)\n")
            }
            let server = try place.auditedServer()
            _ = try server.port()
            unsafe unlink(place.audit)
            unsafe mkdir(place.audit, 0o700)
            server.signal(SIGHUP)
            try place.order("loglevel", "info")
            let log = self.end(server)
            unsafe rmdir(place.audit)
            let refused = log.filter { $0.contains(" event=audit-refused ") }
            #expect(refused.count == 1 && refused[0].contains("(Is a directory)"), "\(log)")
            #expect(log.filter { $0.contains(" event=audit ") }.count == 3)
        }

        @Test func `who is told that it is done can read so in it, though nobody reads the log`() throws {
            let place = Place()
            let server = try place.auditedServer()
            _ = try server.port()
            // The log has room for some thirty acts.
            server.errors.narrow()
            for count in 1...60 {
                try place.order("loglevel", "error")
                #expect(place.auditLines().count == count)
            }
            _ = self.end(server)
            #expect(place.auditLines().count == 61)
        }

        /// Goal: a full disk is said once, costs no act in the log, and is over when it is over. Method: the server may
        /// make no file larger than a few bytes more.
        @Test func `what can't be written is said once, and what is missing once it can be`() throws {
            let place = Place()
            let server = try place.auditedServer()
            _ = try server.port()
            try place.order("loglevel", "info")
            let before = place.auditLines()
            // Room for the beginning of a line.
            try self.limitFiles(of: server, to: contents(of: place.audit).utf8.count + 10)
            for _ in 1...3 { try place.order("loglevel", "info") }
            #expect(place.auditLines() == before, "no half of a line")
            try self.limitFiles(of: server, to: nil)
            try place.order("loglevel", "error")
            let log = self.end(server)
            let down = log.filter { $0.contains(" event=audit-down ") }
            #expect(down.count == 1 && down[0].hasSuffix(" reason=\"File too large\""), "\(log)")
            #expect(log.filter { $0.contains(" event=audit-up ") && $0.hasSuffix(" missing=3") }.count == 1)
            #expect(log.filter { $0.contains(" event=audit ") }.count == 6)
            #expect(place.auditLines().count == before.count + 2)
        }

        private func limitFiles(of server: Child, to bytes: Int?) throws {
            let limit = bytes.map { "\($0)" } ?? "unlimited"
            let child = try Child(shell: "exec prlimit --pid \(server.pid) --fsize=\(limit):unlimited")
            #expect(child.exitCode() == 0)
        }
    }
}
