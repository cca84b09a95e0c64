import EventLoop
import Glibc
import RaceModel
import ServerCore
import Testing

@testable import ServerRuntime
@testable import catrace_server

extension TransportTests {
    /// The real server, in its operator's hands.
    @Suite struct ControlTests {
        private func end(_ server: Child) -> String {
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            return server.restOfErrors()
        }

        @Test func `operators who forgot their connections keep nobody from the control socket`() throws {
            let place = Place()
            let server = try place.server()
            _ = try server.port()
            let forgotten = try (0..<3 * ControlServer.connections).map { _ in
                try LocalSocket.connect(to: place.socket, seconds: 10)
            }
            defer { for descriptor in forgotten { close(descriptor) } }
            let answer = try place.ctl("stats")
            #expect(answer.status == 0 && answer.text.hasPrefix("stats "), "\(answer)")
            _ = self.end(server)
        }

        @Test func `an operator sees who is here, tells them something, and sends them away`() throws {
            let place = Place()
            let server = try place.server()
            let peer = try Peer(port: server.port())
            try peer.send("name ann\n")
            var seen = ""
            while !seen.contains("welcome") { seen += text(try peer.read()) }
            #expect(try place.ctl("who").text.hasPrefix("player id=1 alias=ann state=idle address=127.0.0.1"))
            #expect(try place.ctl("say", "tea; \"soon\"").text == "told connections=1\nok\n")
            let kicked = try place.ctl("kick", "ann", "reason=two words")
            #expect(kicked.text == "closed connections=1\nok\n" && kicked.status == 0)
            let rest = text(try peer.readToEnd())
            #expect(rest.contains("notice code=operator seconds=0 text=\"tea; \\\"soon\\\"\"\n"))
            #expect(
                rest.contains("bye reason=kicked text=\"the operator sent you away, because: two words\"\n"))
            let again = try place.ctl("kick", "ann")
            #expect(again.status == 1 && again.text.hasPrefix("error code=no-such-player text="))
            let log = self.end(server)
            let audit = log.split(separator: "\n").filter { $0.contains(" event=audit ") }
            // To look at something is no act.
            try #require(audit.count == 4, "\(log)")
            #expect(audit.allSatisfy { $0.contains(" uid=\(getuid()) pid=") })
            #expect(audit[1].hasSuffix(" verb=kick subject=ann reason=\"two words\" outcome=ok"))
            #expect(audit[2].hasSuffix(" verb=kick subject=ann outcome=no-such-player"))
            #expect(audit[3].hasSuffix(" pid=\(getpid()) verb=signal subject=SIGTERM outcome=ok"))
        }

        @Test func `with several loops operators are answered as with one`() throws {
            let place = Place()
            let server = try place.server("--loops=2", "--log-level=error")
            let peer = try Peer(port: server.port())
            try peer.send("name ann\n")
            var seen = ""
            while !seen.contains("welcome") { seen += text(try peer.read()) }
            #expect(try place.ctl("ban", "#1", "reason=rude").text == "closed connections=1\nok\n")
            #expect(text(try peer.readToEnd()).contains("bye reason=banned"))
            #expect(try place.ctl("bans").text.hasPrefix("ban subject=#1 alias=ann until=for-good made=\"20"))
            // Who has left is known by alias.
            #expect(try place.ctl("unban", "ann").text == "ok\n")
            #expect(
                try place.ctl("ban", "#2").text == "error code=no-such-player text=\"there is no player 2\"\n"
            )
            let stats = try place.ctl("stats").text
            #expect(stats.contains(" accepted=1 received-bytes=9 "), "\(stats)")
            #expect(!stats.contains("resident-bytes=0 "))
            // Written down whatever the level.
            let log = self.end(server)
            #expect(log.contains("event=audit"))
        }

        @Test func `bans are there again after the server was killed`() throws {
            let place = Place()
            let first = try place.server("--data", place.path + "/data")
            let peer = try Peer(port: first.port())
            try peer.send("name ann\n")
            var seen = ""
            while !seen.contains("welcome") { seen += text(try peer.read()) }
            #expect(try place.ctl("ban", "127.0.0.0/8", "for=3600", "reason=spam").status == 0)
            #expect(try place.ctl("ban", "ann").status == 0)
            // An answer of the store that comes behind both.
            #expect(try place.ctl("backup", place.path + "/data/copy.db").text == "ok\n")
            first.signal(SIGKILL)
            #expect(first.exitCode() == 128 + SIGKILL)
            // The old socket is there yet, and nobody answers.
            let second = try place.server("--data", place.path + "/data")
            #expect(text(try Peer(port: second.port()).readToEnd()).contains("because: spam"))
            let bans = try place.ctl("bans").text
            #expect(bans.contains("subject=127.0.0.0/8") && bans.contains("subject=#1 alias=ann "), "\(bans)")
            #expect(try place.ctl("unban", "127.0.0.0/8").status == 0)
            _ = self.end(second)
            let third = try place.server("--data", place.path + "/data")
            try Peer(port: third.port()).send("ping 1\n")
            #expect(try place.ctl("bans").text.split(separator: "\n").count == 2)
            _ = self.end(third)
        }

        @Test func `the socket is its user's alone, and a living one is left alone`() throws {
            let place = Place()
            let server = try place.server()
            _ = try server.port()
            var status = stat()
            #expect(unsafe stat(place.socket, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            let second = try place.server()
            #expect(second.exitCode() == 1)
            #expect(
                second.restOfErrors().hasSuffix(
                    "somebody listens at '\(place.socket)' already: end it, or choose another path\n"))
            #expect(try place.ctl("stats").status == 0)
            _ = self.end(server)
            #expect(unsafe access(place.socket, F_OK) != 0)
            let (text, code) = try place.ctl("stats")
            #expect(code == 1 && text.contains("no server listens at"))
            place.write("a file\n")
            let third = try Child(["--port=0", "--control", place.settings])
            #expect(third.exitCode() == 1)
            #expect(third.restOfErrors().contains("is there already, and is no socket"))
            let long = try Child(["--port=0", "--control", "/tmp/" + String(repeating: "a", count: 103)])
            #expect(long.exitCode() == 1)
            #expect(long.restOfErrors().contains("has at most 107 bytes, not 108"))
        }

        @Test func `lines are cut anywhere, wrong ones are answered, and a long one ends the connection`()
            throws
        {
            let place = Place()
            let server = try place.server("--log-level=error")
            _ = try server.port()
            let descriptor = try LocalSocket.connect(to: place.socket, seconds: 5)
            defer { close(descriptor) }
            for byte in "frob\r\nloglevel error\n" { writeFully(String(byte), to: descriptor) }
            writeFully(String(repeating: "unban #1\n", count: 60), to: descriptor)
            writeFully("say " + String(repeating: "a", count: 2000), to: descriptor)
            var answer = ""
            var room = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = unsafe recv(descriptor, &room, room.count, 0)
                guard count > 0 else { break }
                answer += text(Array(room[..<count]))
            }
            let lines = answer.split(separator: "\n")
            #expect(lines.count == 63)
            #expect(lines.first?.hasPrefix("error code=unknown-verb") == true)
            #expect(lines.count > 1 && lines[1] == "ok")
            #expect(lines.last == "error code=line-too-long text=\"a line has at most 1024 bytes\"")
            // No act is left out of the log, however many there are.
            let log = self.end(server)
            #expect(log.split(separator: "\n").filter { $0.contains("verb=unban") }.count == 60)
        }

        @Test func `a reload takes over what it can, and a wrong file changes nothing`() throws {
            let place = Place()
            place.write("turn-seconds = 30\n")
            let server = try place.server("--config", place.settings)
            let port = try server.port()
            place.write("turn-seconds = 9\nban = 192.0.2.0/24\nloops = 2\n")
            server.signal(SIGHUP)
            #expect(eventually { (try? place.ctl("bans").text.contains("made=by-setting")) == true })
            place.write("turn-seconds = 8\nturn-secnds = 9\n")
            let wrong = try place.ctl("reload")
            #expect(wrong.status == 1 && wrong.text.contains("line 2: there is no setting 'turn-secnds'"))
            let peer = try Peer(port: port)
            try peer.send("name ann\nplay bots=1\n")
            var seen = ""
            while !seen.contains("begin seconds=") { seen += text(try peer.read()) }
            #expect(seen.contains("begin seconds=9\n"))
            place.write("turn-seconds = 9\nlog-level = error\n")
            #expect(
                try place.ctl("reload").text == "reloaded changed=ban,log-level needs-restart=none\nok\n")
            let log = self.end(server)
            #expect(
                log.contains(" level=warning event=reloaded changed=ban,turn-seconds needs-restart=loops\n"))
            #expect(log.contains(" event=reload-failed reason="))
            #expect(!log.contains("event=stopping"))
        }

        @Test func `connections that the machine does not allow for are no change of the settings`() throws {
            let place = Place()
            let server = try Child(
                shell: "ulimit -n 200; exec \"$0\" --memory --port=0 --control '\(place.socket)'")
            _ = try server.port()
            #expect(try place.ctl("reload").text == "reloaded changed=none needs-restart=none\nok\n")
            _ = self.end(server)
        }

        @Test func `drain ends the server as SIGTERM does`() throws {
            let place = Place()
            let server = try place.server()
            let peer = try Peer(port: server.port())
            try peer.send("name ann\n")
            var seen = ""
            while !seen.contains("welcome") { seen += text(try peer.read()) }
            #expect(try place.ctl("drain").text == "ok\n")
            #expect(text(try peer.readToEnd()).contains("bye reason=shutdown"))
            #expect(server.exitCode() == 0)
        }

        @Test func `a player whose name and lines are hostile leaves no byte of it in the log`() throws {
            let place = Place()
            let server = try place.server("--log-level=debug")
            let port = try server.port()
            for line in [
                "name \u{1b}[2Jann", "name \"a\\nlevel=error event=fake\"", "name z\u{eb}bra", "\u{202e}",
            ] {
                let peer = try Peer(port: port)
                try peer.send(Array(line.utf8) + [0x0A])
                try peer.send("name x\nquit\n")
                _ = try peer.readToEnd()
            }
            let log = self.end(server)
            #expect(log.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
            #expect(!log.contains("\nlevel=error") && !log.contains("fake"))
            #expect(log.contains(" player=2 alias=\"z\\u{eb}bra\" new=yes"), "\(log)")
            #expect(log.contains("event=connected connection=0 address=127.0.0.1"))
            #expect(log.contains("event=request-refused"))
            #expect(log.contains("event=disconnected"))
        }

        @Test func `the words of a command line become one line, quoted where they must be`() throws {
            func line(_ words: String..., environment: [(String, String)] = []) throws -> ControlLine {
                try ControlLine.parse(words[...], environment: environment, folder: "/folder")
            }
            #expect(
                try line("--control", "/s", "ban", "ann", "reason=a \"b\"")
                    == ControlLine(text: "ban ann reason=\"a \\\"b\\\"\"", path: "/s"))
            #expect(
                try line("say", "a=b c", "x", environment: [("CATRACE_CONTROL", "/t")])
                    == ControlLine(text: "say a=\"b c\" x", path: "/t"))
            #expect(try line("--control=/s", "backup", "m.db").text == "backup /folder/m.db")
            for wrong in [["who"], ["--control", "/s"], ["--frob", "who"]] {
                #expect(throws: SettingFault.self) {
                    try ControlLine.parse(wrong[...], environment: [], folder: "/")
                }
            }
        }
    }
}
