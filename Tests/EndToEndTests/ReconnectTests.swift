import Testing

extension EndToEndTests {
    /// Our own client, whose connection is reset under it.
    @Suite struct ReconnectTests {
        @Test(arguments: Stage.allCases)
        func `in each state a cut connection comes back, and the match goes on`(stage: Stage) async throws {
            let server = try await Server(Stage.patient)
            let relay = try Script.start("relay.py", ["\(server.port)"])
            let port = try #require(value("port", in: try await relay.lines.wait(for: "relay ")))
            let client = try Program([
                "catrace", "play", "--name", "ann", "--manual", "--players", "2", "--finish", "1",
                "--connect", "127.0.0.1:\(port)",
            ])
            let ann = try await Racer("ann", client)
            let bob = try await Racer("bob", server.netcat())
            try await stage.reach(ann, bob)
            for _ in 1...2 {
                let before = client.lines.text.count(of: "# connected again")
                relay.say("cut")
                if stage != .waitingForMatch {
                    try await bob.lines.wait(for: "gone ")
                    try await bob.lines.wait(for: "back ")
                }
                try await client.lines.eventually("the return", within: Lines.patience) {
                    client.lines.pump()
                    return client.lines.text.count(of: "# connected again") > before
                }
            }
            try await self.goOn(from: stage, ann, bob)
            client.say("quit")
            #expect(try await client.exitCode() == 0)
            #expect(!client.lines.text.contains("FAILED"), "\(client.lines.text)")
        }

        private func goOn(from stage: Stage, _ ann: Racer, _ bob: Racer) async throws {
            switch stage {
            case .waitingForMatch:
                bob.say("play 2 finish=1")
                for racer in [ann, bob] { try await racer.lines.wait(for: "found match=1 ") }
            case .waitingForRandomNumber:
                bob.say("number 1")
                ann.say("number 2")
                for racer in [ann, bob] { try await racer.lines.wait(for: "order seats=1,2") }
            case .waitingForStart:
                ann.say("begin")
                for racer in [ann, bob] { try await racer.lines.wait(for: "turn seq=1 ") }
            case .active:
                ann.say("move")
                for racer in [ann, bob] { try await racer.lines.wait(for: "over seq=3 ") }
                try await ann.lines.holds("# check digest: passed")
            case .done:
                for racer in [ann, bob] { racer.say("rematch") }
                for racer in [ann, bob] { try await racer.lines.wait(for: "found match=2 ") }
            }
        }
    }
}

extension String {
    fileprivate func count(of word: String) -> Int { self.ranges(of: word).count }
}
