import Testing

extension EndToEndTests {
    /// A player with netcat and a few lines of Python can check a race; nothing of ours is in the check.
    @Suite struct FairnessTests {
        private func expectVerified(_ lines: Lines, _ part: String) async throws {
            let result = try await Script.run("verify_race.py", input: lines.bytes)
            #expect(result.code == 0 && result.output.contains(part), "\(result.output)\n\(lines.text)")
        }

        private func racers(_ server: Server, _ count: Int, _ settings: String) async throws -> [Racer] {
            var racers: [Racer] = []
            for alias in ["ann", "bob", "cat"].prefix(count) {
                let racer = try await Racer(alias, server.netcat())
                racers.append(racer)
                racer.say("play \(count) \(settings)")
            }
            return racers
        }

        @Test(arguments: ["draw=highest", "draw=sealed", "draw=sealed rule=dash"])
        func `seal, order, dice and digest come out of the transcript alone`(settings: String) async throws {
            let server = try await Server(Stage.patient)
            let racers = try await self.racers(server, 3, settings)
            try await race(racers, isDash: settings.contains("dash"))
            for racer in racers {
                try await self.expectVerified(racer.lines, "seal, 3 numbers, 3 drawn, order, ")
            }
        }

        @Test func `also after ties, numbers of one's own and a forfeit`() async throws {
            let server = try await Server(Stage.patient)
            var racers: [Racer] = []
            for alias in ["ann", "bob", "cat"] {
                let racer = try await Racer(alias, server.netcat())
                racers.append(racer)
                racer.say("set auto off")
                racer.say("play 3")
                racer.say("number 5")
            }
            for racer in racers { try await racer.lines.wait(for: "again round=2 ") }
            for (racer, number) in zip(racers, [4, 9, 4]) { racer.say("number \(number)") }
            for racer in racers { try await racer.lines.wait(for: "again round=3 seats=1,3") }
            for (racer, number) in zip([racers[0], racers[2]], [1, 2]) { racer.say("number \(number)") }
            for racer in racers { try await racer.lines.wait(for: "order seats=2,3,1") }
            racers[1].say("begin")
            for racer in racers { try await racer.lines.wait(for: "turn seq=1 ") }
            racers[1].say("move")
            try await racers[1].lines.wait(for: "moved ")
            racers[1].say("leave")
            try await racers[0].lines.wait(for: "forfeit ")
            racers[2].say("move")
            try await race([racers[0], racers[2]])
            try await self.expectVerified(racers[0].lines, "seal, 8 numbers, 0 drawn, order, ")
        }

        @Test func `a transcript that was changed is found out`() async throws {
            let server = try await Server(Stage.patient)
            let racers = try await self.racers(server, 2, "draw=sealed finish=10")
            try await race(racers)
            let text = racers[0].lines.text
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let move = try #require(lines.lastIndex { $0.hasPrefix("moved ") })
            let order = try #require(lines.lastIndex { $0.hasPrefix("order ") })
            let over = try #require(lines.lastIndex { $0.hasPrefix("over ") })
            for (index, reason) in [(move, "wrong: event "), (order, "wrong: the order"), (over, "wrong: ")] {
                var changed = lines
                switch index {
                case move:
                    let by = value("by", in: lines[move]) ?? ""
                    changed[move] = lines[move].replacing(" by=\(by)", with: by == "6" ? " by=5" : " by=6")
                case order:
                    changed[order] = lines[order] == "order seats=1,2" ? "order seats=2,1" : "order seats=1,2"
                default:
                    let digest = value("digest", in: lines[over]) ?? ""
                    changed[over] = lines[over].replacing(digest, with: String(digest.reversed()))
                }
                let result = try await Script.run(
                    "verify_race.py", input: Array(changed.joined(separator: "\n").utf8))
                #expect(result.code == 1 && result.output.hasPrefix(reason), "\(result.output)")
            }
        }
    }
}
