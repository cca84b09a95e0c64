import Testing

extension EndToEndTests {
    /// `client.py` was written by somebody who had read `Protocol/` and nothing else.
    @Suite struct StrangerTests {
        @Test(arguments: ["turns", "dash"])
        func `a client written from the protocol alone races a netcat user`(rule: String) async throws {
            let server = try await Server()
            let ann = try await Racer("ann", server.netcat())
            let stranger = try Script.start(
                "client.py", ["127.0.0.1", "\(server.port)", "--name", "pat", "--rule", rule])
            ann.say("play 2 rule=\(rule)")
            let overs = try await race([ann], isDash: rule == "dash")
            #expect(value("reason", in: overs[0]) == "finish")
            let checked = try await stranger.lines.wait(for: "checked ")
            #expect(!checked.contains("FAILED"), "\(checked)")
            #expect(try await stranger.exitCode() == 0, "\(stranger.lines.text)")
        }

        @Test func `its connection cut, it comes back into its seat and checks the whole race`() async throws
        {
            let server = try await Server()
            let stranger = try Script.start(
                "client.py",
                [
                    "127.0.0.1", "\(server.port)", "--name", "pat", "--bots", "1", "--finish", "12", "--draw",
                    "sealed", "--drop-after", "4",
                ])
            let checked = try await stranger.lines.wait(for: "checked ")
            #expect(!checked.contains("FAILED"), "\(checked)")
            #expect(try await stranger.exitCode() == 0, "\(stranger.lines.text)")
        }
    }
}
