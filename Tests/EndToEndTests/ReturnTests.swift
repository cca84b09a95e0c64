import Testing

extension EndToEndTests {
    /// Coming back to a seat.
    @Suite struct ReturnTests {
        /// Ann has begun, made her move and died by a reset; Bob has moved since, and it is her turn.
        ///
        /// - Returns: her key, and Bob.
        private func desertedRace(_ server: Server) async throws -> (key: String, bob: Racer) {
            let speaker = try server.socket()
            let key = try await speaker.register("ann")
            let ann = Racer(named: "ann", speaker)
            let bob = try await Racer("bob", server.netcat())
            try await Stage.active.reach(ann, bob, finish: 100)
            ann.say("move 1")
            try await ann.lines.wait(for: "turn seq=3 turn=2 player=2 ")
            speaker.reset()
            try await bob.lines.wait(for: "gone player=1 seat=1 alias=ann seconds=30")
            bob.say("move 2")
            try await bob.lines.wait(for: "turn seq=5 turn=3 player=1 alias=ann ")
            return (key, bob)
        }

        @Test func `with the last number seen one gets exactly what came later`() async throws {
            let server = try await Server(Stage.patient)
            let (key, bob) = try await self.desertedRace(server)
            let ann = Racer(named: "ann", try server.netcat())
            ann.say(together: "name ann \(key) seq=3", "ping 1")
            try await ann.lines.wait(for: "welcome player=1 alias=ann")
            let moved = try await ann.lines.next() ?? ""
            #expect(moved.hasPrefix("moved seq=4 turn=2 player=2 alias=bob by="), "\(moved)")
            let turn = try await ann.lines.next() ?? ""
            #expect(turn.hasPrefix("turn seq=5 turn=3 player=1 alias=ann "), "\(turn)")
            #expect(try await ann.lines.next() == "back player=1 seat=1 alias=ann")
            #expect(try await ann.lines.next() == "pong value=1")
            #expect(try await bob.lines.next() == "back player=1 seat=1 alias=ann")
            ann.say("move 3")
            let overs = try await race([ann, bob])
            #expect(overs[0] == overs[1] && value("reason", in: overs[0]) == "finish")
        }

        @Test func `who has seen everything is told nothing twice`() async throws {
            let server = try await Server(Stage.patient)
            let (key, bob) = try await self.desertedRace(server)
            let ann = Racer(named: "ann", try server.socket())
            ann.say(together: "name ann \(key) seq=5", "ping 1")
            try await ann.lines.wait(for: "welcome player=1 alias=ann")
            #expect(try await ann.lines.next() == "back player=1 seat=1 alias=ann")
            #expect(try await ann.lines.next() == "pong value=1")
            #expect(try await bob.lines.next() == "back player=1 seat=1 alias=ann")
        }

        @Test func `without it one gets the race as it stands`() async throws {
            let server = try await Server(Stage.patient)
            let (key, bob) = try await self.desertedRace(server)
            let ann = Racer(named: "ann", try server.netcat())
            ann.say(together: "name ann \(key)", "ping 1")
            try await ann.lines.wait(for: "welcome player=1 alias=ann")
            let snapshot = try await ann.lines.next() ?? ""
            #expect(snapshot.hasPrefix("snapshot match=1 seat=1 of=2 rule=turns finish=100 "), "\(snapshot)")
            #expect(snapshot.contains(" state=active seq=5 turn=3 player=1 "), "\(snapshot)")
            let runners = [try await ann.lines.next() ?? "", try await ann.lines.next() ?? ""]
            #expect(runners[0].hasPrefix("runner seat=1 player=1 id=1 alias=ann at="), "\(runners)")
            #expect(runners[1].hasPrefix("runner seat=2 player=2 id=2 alias=bob at="), "\(runners)")
            #expect(try await ann.lines.next() == "number round=1 seat=1 value=2")
            #expect(try await ann.lines.next() == "number round=1 seat=2 value=1")
            #expect(try await ann.lines.next() == "back player=1 seat=1 alias=ann")
            #expect(try await ann.lines.next() == "pong value=1")
            ann.say("move")
            try await bob.lines.wait(for: "moved seq=6 turn=3 player=1 alias=ann ")
        }

        @Test func `a race begun with netcat is finished with the client`() async throws {
            let server = try await Server(Stage.patient)
            let (key, bob) = try await self.desertedRace(server)
            let client = try server.client(
                ["play", "--name", "ann", "--auto"], environment: ["CATRACE_KEY": key])
            try await bob.lines.wait(for: "back player=1 seat=1 alias=ann")
            try await race([bob])
            try await client.lines.holds("over seq=")
            try await client.lines.holds("# check seal: passed")
            #expect(!client.lines.text.contains("FAILED"))
        }

        @Test func `a newer connection takes over, and the older is told`() async throws {
            let server = try await Server(Stage.patient)
            let first = try server.socket()
            let key = try await first.register("ann")
            let ann = Racer(named: "ann", first)
            let bob = try await Racer("bob", server.netcat())
            try await Stage.active.reach(ann, bob)
            let second = Racer(named: "ann", try server.socket())
            second.say("name ann \(key)")
            try await ann.lines.wait(for: "bye reason=taken-over ")
            #expect(try await ann.lines.next() == nil)
            try await second.lines.wait(for: "snapshot match=1 seat=1 ")
            second.say("move")
            try await second.lines.wait(for: "over seq=3 player1won=yes ")
            // Nobody was away.
            var told: [String] = []
            while let line = try await bob.lines.next(), !line.hasPrefix("over ") { told.append(line) }
            #expect(told.allSatisfy { $0.hasPrefix("moved ") }, "\(told)")
        }

        @Test func `a wrong key is nobody's, and the seat stays held`() async throws {
            let server = try await Server(Stage.patient)
            let (_, bob) = try await self.desertedRace(server)
            let thief = try server.socket()
            thief.say("name ann 00112233445566778899aabbccddeeff")
            let line = try await thief.lines.wait(for: "error ")
            #expect(line.hasPrefix("error re=name code=wrong-key "), "\(line)")
            thief.say("name ann")
            try await thief.lines.wait(for: "error re=name code=alias-taken ")
            bob.say("ping 9")
            #expect(try await bob.lines.next() == "pong value=9")
        }
    }
}
