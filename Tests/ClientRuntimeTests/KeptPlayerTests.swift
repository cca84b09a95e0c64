import Glibc
import Testing

extension ClientRuntimeTests {
    /// The real client keeps who its user is, for each server.
    @Suite struct KeptPlayerTests {
        private let state = StateDirectory()

        private func client(
            _ server: TestServer, _ arguments: [String] = [], verb: String = "play"
        ) throws -> Program {
            try Program(
                "catrace", [verb, "--connect", server.address] + arguments,
                environment: ["XDG_STATE_HOME": self.state.path])
        }

        /// Plays until it is welcome, and ends; what it was called by the server.
        private func welcome(_ program: Program, _ words: String) -> Bool {
            let isWelcome = program.waits(for: "welcome player=\(words)")
            program.endInput()
            return program.exitCode() == 0 && isWelcome
        }

        @Test func `the next time one is the same player, by name or without`() throws {
            let server = try TestServer()
            #expect(self.welcome(try self.client(server, ["--name", "ann"]), "1 alias=ann key="))
            #expect(self.welcome(try self.client(server), "1 alias=ann\n"))
            #expect(self.welcome(try self.client(server, ["--name", "bob"]), "2 alias=bob key="))
            #expect(self.welcome(try self.client(server), "2 alias=bob\n"))
            #expect(self.welcome(try self.client(server, ["--name", "ANN"]), "1 alias=ann\n"))
            #expect(self.welcome(try self.client(server), "1 alias=ann\n"))
            let text = self.state.read("catrace/keys")
            #expect(text.split(separator: "\n").count { $0.hasPrefix("player \(server.address) ") } == 2)
            #expect(self.state.mode("catrace/keys") == 0o600)
            // Another server is another world.
            let other = try TestServer()
            #expect(self.welcome(try self.client(other), "1 alias=tester key="))
        }

        @Test func `a player who is being played is not taken over unless named`() throws {
            let server = try TestServer()
            let first = try self.client(server, ["--name", "ann", "--players", "2"])
            #expect(first.waits(for: "queued waiting=1"))
            let second = try self.client(server)
            #expect(self.welcome(second, "2 alias=tester key="))
            let watcher = try self.client(server, ["--name", "ann", "--races", "1"], verb: "bot")
            #expect(watcher.exitCode() == 2 && watcher.text.contains("the alias ann is taken"))
            let third = try self.client(server, ["--name", "ann", "--players", "2"])
            #expect(third.waits(for: "welcome player=1 alias=ann\n"))
            #expect(first.exitCode() == 1)
            third.endInput()
            #expect(third.exitCode() == 0)
        }

        @Test func `guests and bots keep nothing`() throws {
            let server = try TestServer()
            #expect(self.welcome(try self.client(server, ["--guest", "--name", "ann"]), "1 alias=ann key="))
            let bots = ["--races", "1", "--bots", "1", "--finish", "1", "--pace", "0"]
            #expect(try self.client(server, bots + ["--name", "robo"], verb: "bot").exitCode() == 0)
            #expect(self.state.read("catrace/keys") == "")
            #expect(self.welcome(try self.client(server, ["--name", "bob"]), "3 alias=bob key="))
            let before = self.state.read("catrace/keys")
            #expect(self.welcome(try self.client(server, ["--guest"]), "4 alias=tester key="))
            // A bot plays as a kept player who is named.
            let bob = try self.client(server, bots + ["--name", "bob"], verb: "bot")
            #expect(bob.exitCode() == 0 && bob.text.contains("race n=1 "), "\(bob.text)")
            #expect(self.state.read("catrace/keys") == before)
        }

        @Test func `a server that knows the player no more makes a new one, and the old key stays`() throws {
            let server = try TestServer()
            #expect(self.welcome(try self.client(server, ["--name", "ann"]), "1 alias=ann key="))
            let old = try #require(self.state.read("catrace/keys").split(separator: "\n").last)
            server.program.signal(SIGKILL)
            _ = server.program.exitCode()
            let restarted = try TestServer(port: server.port)
            let client = try self.client(restarted)
            #expect(self.welcome(client, "1 alias=ann key="), "\(client.text)")
            let lines = client.text.split(separator: "\n")
            #expect(
                lines.first ?? ""
                    == "# \(server.address) does not know the kept player ann any more: a new player of that "
                    + "name is made", "\(client.text)")
            #expect(
                lines.contains(
                    "# the key of the former ann (player 1) stays in \(self.state.keys), marked as former"))
            let text = self.state.read("catrace/keys")
            #expect(text.contains("\n\(old.replacing("player ", with: "former ", maxReplacements: 1))\n"))
            #expect(self.welcome(try self.client(restarted), "1 alias=ann\n"))
        }

        @Test func `where somebody else has the name by now, another is asked for and the key stays`() throws
        {
            let server = try TestServer()
            #expect(self.welcome(try self.client(server, ["--name", "ann"]), "1 alias=ann key="))
            let before = self.state.read("catrace/keys")
            server.program.signal(SIGKILL)
            _ = server.program.exitCode()
            let restarted = try TestServer(port: server.port)
            let other = try Program("catrace", ["play", "--name", "ann", "--connect", restarted.address])
            #expect(other.waits(for: "welcome player=1"))
            let client = try self.client(restarted)
            #expect(client.exitCode() == 2)
            #expect(
                client.text.hasSuffix(
                    "catrace: \(server.address) does not know the kept player ann any more, and somebody else is ann "
                        + "there now: choose another alias with --name\n"), "\(client.text)")
            #expect(self.state.read("catrace/keys") == before)
        }

        @Test func `a file of keys that others can read ends it with one sentence`() throws {
            let server = try TestServer()
            #expect(self.welcome(try self.client(server, ["--name", "ann"]), "1 alias=ann key="))
            _ = unsafe chmod(self.state.keys, 0o604)
            let client = try self.client(server)
            #expect(client.exitCode() == 2)
            #expect(
                client.text
                    == "catrace: others can read the keys in \(self.state.keys): chmod 600 it, or play with "
                    + "--guest\n")
            #expect(self.welcome(try self.client(server, ["--guest"]), "2 alias=tester key="))
        }

        @Test func `a key that can't be kept is shown at the end, and the race goes on`() throws {
            let server = try TestServer()
            let terminal = try PseudoTerminal(columns: 200)
            let program = try Program(
                "catrace", ["play", "--connect", server.address, "--name", "ann", "--bots", "1"],
                environment: ["XDG_STATE_HOME": "/proc/self/nowhere"], .terminal(terminal))
            #expect(terminal.waits(for: "match 1, turns to 25"))
            terminal.press("q")
            #expect(program.exitCode() == 0)
            #expect(terminal.waits(for: "ann is not kept (/proc/self/nowhere can't be made ("))
            #expect(terminal.waits(for: "The key, shown only now: "))
            #expect(
                terminal.waits(
                    for: "in the variable CATRACE_KEY, with --name, it makes you that player again"))
        }

        @Test func `a file where the directory should be ends it with one sentence`() throws {
            let server = try TestServer()
            #expect(self.welcome(try self.client(server, ["--guest"]), "1 alias=tester key="))
            try self.state.write("", to: "catrace")
            defer { _ = unsafe unlink(self.state.path + "/catrace") }
            let client = try self.client(server)
            #expect(client.exitCode() == 2)
            #expect(client.text.hasPrefix("catrace: \(self.state.keys) can't be read ("), "\(client.text)")
            #expect(client.text.split(separator: "\n").count == 1)
        }
    }
}
