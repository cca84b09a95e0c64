import Testing

extension EndToEndTests {
    /// The short forms of `make soak`, `make floods` and `make limits`: nothing breaks, and nothing is left.
    /// They measure nothing here, where other tests run beside them.
    @Suite(.serialized) struct LongRunTests {
        /// A script of another folder of the tests, on the programs beside this one; all it said.
        private func run(_ path: String, _ arguments: [String]) async throws -> String {
            let script = try Script.start(
                "../../\(path)", ["--programs", Program.directory] + arguments)
            let code = try await script.exitCode(within: 300)
            #expect(code == 0, "\(script.lines.text)")
            return script.lines.text
        }

        @Test func `three rounds of racing, dropping and returning, and churn, leave nothing behind`()
            async throws
        {
            let said = try await self.run("Soak/soak.py", ["--rounds", "3", "--churn", "5"])
            #expect(said.contains("round 3: all gone"), "\(said)")
            #expect(said.contains("soak: nothing is left"), "\(said)")
        }

        @Test func `players race on while others flood the server`() async throws {
            let said = try await self.run(
                "Floods/floods.py",
                ["--check", "--seconds", "2", "--rounds", "1", "--players", "20", "--rate", "5"])
            for flood in ["resets", "trickle", "lookups", "unread", "frames", "tls", "guesser"] {
                #expect(said.split(separator: "\n").contains { $0.hasPrefix(flood) }, "\(said)")
            }
        }

        @Test func `at each limit others are served, and all is well within a second`() async throws {
            let said = try await self.run("Floods/limits.py", [])
            for limit in [
                "ulimit -n 64:", "--connections 1000", "--connections 20:", "32 connections of one address:",
                "a reader that", "a spectator that",
            ] {
                #expect(said.contains(limit), "\(said)")
            }
        }
    }
}
