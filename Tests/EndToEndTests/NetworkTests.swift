import Glibc
import Testing

extension EndToEndTests {
    /// Packets that no longer come, in network namespaces of the test's own.
    @Suite(.enabled(if: Network.isPossible, "on demand: needs root and ip"))
    struct NetworkTests {
        private func server(_ network: Network, _ arguments: [String] = []) async throws -> Server {
            try await Server(arguments, host: "0.0.0.0", prefix: Network.prefix(network.serverSide))
        }

        /// Goal: a client whose packets are lost for 20 s, on its own turn, comes back into its seat and
        /// races on, and has missed nothing. Method: it is stopped when its turn is seen, so that it cannot
        /// move before the wire is cut.
        @Test(arguments: ["bot", "play"])
        func `a client that is cut off for twenty seconds comes back by itself and finishes`(verb: String)
            async throws
        {
            let network = try Network(verb)
            let server = try await self.server(network)
            let client = try Program(
                Network.prefix(network.clientSide) + [
                    Program.directory + "catrace", verb, "--name", "ann", "--finish", "30", "--connect",
                    "\(Network.serverAddress):\(server.port)",
                ] + (verb == "bot" ? ["--races", "1"] : ["--auto"]))
            let bob = try await Racer("bob", server.netcat())
            bob.say("play 2 finish=30")
            var line = try await bob.lines.wait(for: "turn ")
            while value("alias", in: line) != "ann" {
                bob.say("move")
                line = try await bob.lines.wait(for: "turn ")
            }
            client.signal(SIGSTOP)
            try network.cut()
            client.signal(SIGCONT)
            try await Task.sleep(for: .seconds(20))
            try network.mend()
            let over = try await race([bob])[0]
            #expect(value("reason", in: over) == "finish", "\(bob.lines.text)")
            #expect(!bob.lines.text.contains("forfeit "), "\(bob.lines.text)")
            if verb == "bot" {
                #expect(try await client.exitCode() == 0)
                #expect(client.lines.text.contains(" attempt 1 in "), "\(client.lines.text)")
                #expect(client.lines.text.contains("checks=passed"), "\(client.lines.text)")
            } else {
                try await client.lines.holds("# connected again")
                try await client.lines.holds("# check digest: passed")
            }
        }

        /// Goal: keep-alive finds a peer that is gone, since the server itself has nothing to say to it.
        @Test func `a peer that vanished is found within thirty seconds by a server that writes nothing`()
            async throws
        {
            let network = try Network("vanish")
            let server = try await self.server(network, Stage.patient)
            let lost = try Program(
                Network.prefix(network.clientSide) + [
                    "/usr/bin/nc", Network.serverAddress, "\(server.port)",
                ])
            let ann = try await Racer("ann", lost)
            let bob = try await Racer("bob", server.stampedNetcat())
            try await Stage.waitingForStart.reach(ann, bob)
            try network.cut()
            let start = elapsed()
            let gone = try await bob.lines.wait(for: "gone ", within: 40)
            #expect(gone.hasPrefix("gone player=1 seat=1 alias=ann seconds=30 "))
            let time = try #require(value("stamp", in: gone).flatMap { Double($0) }) - start
            #expect(time < 30, "\(time)")
            #expect(!lost.lines.hasEnded)
        }
    }
}
