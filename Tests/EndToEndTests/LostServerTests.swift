import Testing

extension EndToEndTests {
    /// Goal: whoever loses the server, or never gets to it, soon reads why and what to do next, in one sentence, and a
    /// script that runs the client learns it by the status.
    @Suite struct LostServerTests {
        private func expectLast(
            _ sentence: String, of client: Program, at location: SourceLocation = #_sourceLocation
        ) async throws {
            #expect(try await client.exitCode(within: 30) == 1, sourceLocation: location)
            #expect(
                client.lines.all.last == "catrace: \(sentence)", "\(client.lines.text)",
                sourceLocation: location)
        }

        @Test(arguments: ["play", "bot"])
        func `where nobody listens, and where no host is`(verb: String) async throws {
            let server = try await Server()
            let port = server.port
            try await server.program.killHard()
            let words = [verb, "--name", "ann", "--connect"]
            try await self.expectLast(
                "nobody listens on port \(port) of 127.0.0.1: check the port, or start the server",
                of: Program(["catrace"] + words + ["127.0.0.1:\(port)"]))
            try await self.expectLast(
                "no host 'no-such-host.invalid' is known: check the name",
                of: Program(["catrace"] + words + ["no-such-host.invalid"]))
        }

        @Test func `an address that has all its connections, and one that is kept out`() async throws {
            let server = try await Server(["--cap-loopback", "--connections-per-address", "1"])
            let first = try server.socket()
            first.say("ping 1")
            try await first.lines.wait(for: "pong value=1")
            try await self.expectLast(
                "the server is full: your address has 1 connection here, which is all it can have: close one first; "
                    + "try again in a minute", of: server.client(["play", "--name", "ann"]))
            let closed = try await Server(["--ban", "127.0.0.0/8", "--cap-loopback"])
            let client = try closed.client(["play", "--name", "ann"])
            #expect(try await client.exitCode(within: 30) == 1)
            let last = client.lines.all.last ?? ""
            #expect(last.hasPrefix("catrace: the server ended this connection: "), "\(last)")
        }

        @Test func `sent away by the operator`() async throws {
            let folder = DataFolder()
            let control = folder.path + "/race.sock"
            let server = try await Server(["--control", control])
            let client = try server.client(["play", "--name", "ann"])
            try await client.lines.wait(for: "queued ")
            let (code, text) = try await folder.tool(
                ["ctl", "--control", control, "kick", "ann", "reason=rude"])
            #expect(code == 0 && text == "closed connections=1\nok\n", "\(text)")
            try await self.expectLast(
                "the server ended this connection: the operator sent you away, because: rude", of: client)
        }

        @Test func `a server that dies and stays away is tried again, and each try is told`() async throws {
            let server = try await Server()
            let client = try server.client(["play", "--name", "ann", "--retry-seconds", "3"])
            try await client.lines.wait(for: "queued ")
            try await server.program.killHard()
            try await client.lines.holds("# the connection to \(server.address) was lost: attempt 1 in ")
            try await client.lines.holds(": attempt 2 in ")
            #expect(try await client.exitCode(within: 30) == 1)
            let last = client.lines.all.last ?? ""
            #expect(
                last.contains("it was not back after ")
                    && last.hasSuffix(" attempts in 3 s: check the server, then start again"), "\(last)")
        }
    }
}
