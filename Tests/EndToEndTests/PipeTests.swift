import Glibc
import Testing

extension EndToEndTests {
    /// Programs whose output is read by one that ends before they do.
    @Suite struct PipeTests {
        /// What the first line of a pipeline's left end was, and how that ended, as bash has it.
        private func firstLine(of words: [String], filter: String = "head -n 1") async throws -> [String] {
            let name = Program.directory + words[0]
            let pipeline = try Program(
                [
                    "/bin/bash", "--norc", "-c",
                    "\"$0\" \"$@\" 2>&1 | \(filter); echo \"status ${PIPESTATUS[0]}\"",
                    name,
                ] + words.dropFirst())
            pipeline.endInput()
            let lines = try await pipeline.lines.rest()
            #expect(try await pipeline.exitCode() == 0)
            return lines
        }

        /// By SIGPIPE, as the shell tells it.
        private static let ended = "status \(128 + SIGPIPE)"

        @Test func `a bot whose lines nobody reads any more leaves its race and ends`() async throws {
            let server = try await Server()
            let lines = try await self.firstLine(
                of: [
                    "catrace", "bot", "--pace", "0", "--bots", "1", "--finish", "5", "--connect",
                    server.address,
                ])
            try #require(lines.count == 2, "\(lines)")
            #expect(lines[0].hasPrefix("race n=1 match=1 ") && lines[1] == Self.ended, "\(lines)")
            try await server.expectEmpty()
        }

        @Test func `a question with many answers ends when nobody reads them`() async throws {
            let server = try await Server()
            let lines = try await self.firstLine(
                of: ["catrace", "ping", "--count", "1000", "--connect", server.address])
            try #require(lines.count == 2, "\(lines)")
            #expect(lines[0].hasPrefix("pong n=1 ") && lines[1] == Self.ended, "\(lines)")
            // One line is read before the program ends by itself.
            let one = try await self.firstLine(of: ["catrace", "who", "--connect", server.address])
            #expect(one.first?.hasPrefix("#") == true || one == ["status 0"], "\(one)")
        }

        @Test func `a player on pipes whose lines nobody reads any more leaves and ends`() async throws {
            let server = try await Server()
            let lines = try await self.firstLine(
                of: [
                    "catrace", "play", "--auto", "--guest", "--bots", "1", "--connect", server.address,
                ])
            #expect(lines.count == 2 && lines.last == Self.ended, "\(lines)")
            try await server.expectEmpty()
        }

        @Test func `a server whose output and log nobody reads any more serves on`() async throws {
            let server = try Program(
                [
                    // On a socket bash takes itself for a remote shell, and would read its settings.
                    "/bin/bash", "--norc", "-c",
                    "exec \"$0\" --memory --port 0 > >(exec head -n 1) 2> >(exec head -n 1 >&2)",
                    Program.directory + "catrace-server",
                ], apart: true)
            let line = try await server.lines.wait(for: "listening ")
            let port = try #require(value("port", in: line).flatMap { Int($0) })
            for alias in ["ann", "bob", "cid"] {
                let socket = try Socket(port: port)
                socket.say("name \(alias)")
                try await socket.lines.wait(for: "welcome ")
            }
            server.signal(SIGTERM)
            #expect(try await server.exitCode() == 0)
            let log = try #require(server.errors)
            #expect(log.all.count == 1 && log.text.contains(" event=listening "), "\(log.text)")
        }

        @Test(arguments: [["--help"], ["--version"], ["--print-config"]])
        func `what a server prints may be read in part, or not at all`(flags: [String]) async throws {
            for filter in ["head -n 1", "true"] {
                let lines = try await self.firstLine(of: ["catrace-server"] + flags, filter: filter)
                #expect(lines.last == "status 0", "\(lines)")
                #expect(lines.count <= 2, "\(lines)")
            }
        }

        @Test
        func `a load whose report nobody reads plays to its end and says by its status that it was lost`()
            async throws
        {
            let server = try await Server()
            let lines = try await self.firstLine(
                of: ["catrace-load", "--players", "4", "--seconds", "1", "--connect", server.address])
            try #require(lines.count == 2, "\(lines)")
            #expect(lines[0].hasPrefix("catrace-load: ") && lines[1] == "status 1", "\(lines)")
            try await server.expectEmpty()
        }
    }
}
