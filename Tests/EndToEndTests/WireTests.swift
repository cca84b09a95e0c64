import Glibc
import Testing

extension EndToEndTests {
    /// What comes down the line from real programs, and from those that are lost.
    @Suite struct WireTests {
        private static let preface: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 1]
        private static let answer: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0]

        @Test func `a pipe into netcat gets every answer, whole, and then the end`() async throws {
            let server = try await Server()
            // With -N it waits for the server's end, with -q for its own seconds.
            for way in ["-N", "-q 1"] {
                let program = try Program([
                    "/bin/sh", "-c", "printf 'help\\nwho\\n' | nc \(way) 127.0.0.1 \(server.port)",
                ])
                #expect(try await program.exitCode() == 0)
                let lines = program.lines.all
                #expect(lines.first == "hello server=catrace version=1")
                #expect(lines.contains { $0.hasPrefix("# quit ") })
                #expect(lines.suffix(2).first == "players page=1 of=1 count=0")
                #expect(lines.last?.hasPrefix("bye reason=half-closed ") == true)
                #expect(program.lines.bytes.last == UInt8(ascii: "\n"))
            }
        }

        @Test func `each end of line ends a line, and telnet's own bytes none`() async throws {
            let server = try await Server()
            let peer = try server.socket()
            peer.send(Array("set notes off\nping 1\nping 2\r\nping 3\r\0ping 4\rpi".utf8))
            // Ctrl-C as telnet sends it: interrupt, and a question for a timing mark.
            peer.send([0xFF, 0xF4, 0xFF, 0xFD, 0x06])
            peer.send(Array("ng 5\nPING 6\nquit\n".utf8))
            try await peer.lines.wait(for: "set notes=off")
            var values: [String?] = []
            // The answer to the question stands, as bytes that are no line, before that to ping 5.
            for _ in 1...6 {
                let line = try await peer.lines.next() ?? ""
                values.append(line.contains("pong") ? value("value", in: "x \(line)") : line)
            }
            #expect(values == ["1", "2", "3", "4", "5", "6"])
            #expect(try await peer.lines.next()?.hasPrefix("bye reason=quit") == true)
            #expect(peer.lines.bytes.contains([0xFF, 0xFC, 0x06]))
        }

        @Test func `a person at telnet types, interrupts and goes on`() async throws {
            let server = try await Server()
            let terminal = try PseudoTerminal()
            let telnet = try server.telnet(terminal: terminal)
            try await telnet.lines.wait(for: "Connected to ")
            telnet.say("set notes off")
            try await telnet.lines.wait(for: "set notes=off")
            telnet.say("ping 7")
            try await telnet.lines.wait(for: "pong value=7")
            telnet.send([3])
            telnet.say("ping 8")
            try await telnet.lines.holds("pong value=8")
            telnet.say("quit")
            try await telnet.lines.holds("bye reason=quit")
            _ = try await telnet.exitCode()
            #expect(!telnet.lines.text.contains("error "), "\(telnet.lines.text)")
        }

        @Test func `an alias of Cyrillic letters and an emoji comes byte by byte`() async throws {
            let server = try await Server()
            let peer = try server.socket()
            for byte in Array("name Мурка🐱\n".utf8) {
                peer.send([byte])
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(
                try await peer.lines.wait(for: "welcome ").hasPrefix("welcome player=1 alias=Мурка🐱 key="))
            peer.say("who мур")
            try await peer.lines.wait(for: "player id=1 alias=Мурка🐱 state=idle ")
        }

        @Test func `a megabyte without an end of line is cut off, and none of it kept`() async throws {
            let server = try await Server()
            let peer = try server.socket()
            peer.say("ping")
            try await peer.lines.wait(for: "pong ")
            let before = server.program.status("VmRSS")
            // As much as it takes: the server closes long before.
            peer.send([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))
            let lines = try await peer.lines.rest()
            #expect(lines.first?.hasPrefix("error code=line-too-long ") == true, "\(lines)")
            #expect(lines.last?.hasPrefix("bye reason=violation ") == true && lines.count == 2)
            #expect(server.program.status("VmRSS") - before < 1024)
        }

        @Test func `a browser is told in one line that this is no web server`() async throws {
            let server = try await Server()
            let peer = try server.socket()
            peer.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".utf8))
            let end = try await peer.lines.rest()
            #expect(
                end == [
                    "bye reason=violation "
                        + "text=\"this is a race server, not a web server: use nc or the catrace client\""
                ])
            #expect(peer.lines.all.count == 1)
        }

        @Test func `a TLS client is closed without a word, and one line in the log`() async throws {
            let server = try await Server()
            let peer = try server.socket()
            peer.send([0x16, 0x03, 0x01, 0x00, 0xA5, 0x01] + [UInt8](repeating: 7, count: 300))
            #expect(try await peer.lines.rest() == [])
            #expect(peer.lines.bytes.isEmpty)
            server.program.signal(SIGTERM)
            #expect(try await server.program.exitCode() == 0)
            let log = try #require(server.program.errors).all.filter { $0.contains("connection=") }
            #expect(log.count == 1 && log.first?.contains("event=tls-refused ") == true, "\(log)")
        }

        @Test func `silent netcat is greeted after a second`() async throws {
            let server = try await Server()
            var times: [Double] = []
            // Two programs have to begin: on a busy machine that takes a while, and one of a few tries is quick.
            while times.count < 5, times.last ?? .infinity >= 2.5 {
                let start = elapsed()
                let peer = try server.stampedNetcat()
                let hello = try await peer.lines.next() ?? ""
                #expect(hello.hasPrefix("hello server=catrace version=1 "))
                times.append(try #require(value("stamp", in: hello).flatMap { Double($0) }) - start)
            }
            #expect(times.allSatisfy { $0 > 0.9 } && times.contains { $0 < 2.5 }, "\(times)")
        }

        @Test func `a binary client is understood after three seconds of silence`() async throws {
            let server = try await Server()
            let peer = try server.socket()
            try await peer.lines.wait(for: "hello ")
            try await Task.sleep(for: .seconds(2))
            let greeting = peer.lines.bytes.count
            peer.send(Self.preface)
            // Ping(5) and its answer.
            peer.send([0, 9, 34, 0, 0, 0, 0, 0, 0, 0, 5])
            let expected = Self.answer + [0, 9, 84, 0, 0, 0, 0, 0, 0, 0, 5]
            let hasCome = try await eventually {
                peer.lines.pump()
                return peer.lines.bytes.count >= greeting + expected.count
            }
            #expect(hasCome)
            #expect(Array(peer.lines.bytes.suffix(expected.count)) == expected)
        }
    }
}
