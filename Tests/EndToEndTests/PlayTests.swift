import Testing

extension EndToEndTests {
    /// Whole races, by whatever people play with.
    @Suite struct PlayTests {
        /// They play one race, and all are told the same end.
        private func expectRace(_ racers: [Racer], rule: String = "turns") async throws {
            let overs = try await race(racers, isDash: rule == "dash")
            let over = try #require(overs.first)
            #expect(overs.allSatisfy { $0 == over }, "\(overs)")
            #expect(value("reason", in: over) == "finish")
            let winner = try #require(value("winner", in: over))
            #expect(value("player1won", in: over) == (winner == "1" ? "yes" : "no"))
            for racer in racers {
                let place = try await racer.lines.wait(for: "place rank=1 ")
                #expect(value("player", in: place) == winner)
                #expect(value("alias", in: place) == value("alias", in: over))
            }
        }

        @Test(arguments: ["turns", "dash"])
        func `two people with netcat play a race to its end`(rule: String) async throws {
            let server = try await Server()
            let racers = [
                try await Racer("ann", server.netcat()), try await Racer("bob", server.netcat()),
            ]
            for racer in racers { racer.say("play 2 rule=\(rule)") }
            try await self.expectRace(racers, rule: rule)
            for racer in racers {
                racer.say("quit")
                try await racer.lines.wait(for: "bye reason=quit")
            }
            try await server.expectEmpty()
        }

        @Test func `netcat plays with telnet`() async throws {
            let server = try await Server()
            let racers = [
                try await Racer("ann", server.netcat()), try await Racer("bob", server.telnet()),
            ]
            for racer in racers { racer.say("play 2 finish=15") }
            try await self.expectRace(racers)
        }

        @Test(arguments: ["turns", "dash"])
        func `netcat plays with the client on pipes, text with binary`(rule: String) async throws {
            let server = try await Server()
            let client = try server.client(["play", "--name", "bob", "--players", "2", "--rule", rule])
            let racers = [try await Racer("ann", server.netcat()), Racer(named: "bob", client)]
            racers[0].say("play 2 rule=\(rule)")
            try await self.expectRace(racers, rule: rule)
            try await client.lines.holds("# check digest: passed")
            client.say("quit")
            #expect(try await client.exitCode() == 0)
        }

        @Test func `a person at a terminal plays with a bot`() async throws {
            let server = try await Server()
            let terminal = try PseudoTerminal()
            let person = try server.client(["play", "--name", "ann"], terminal: terminal)
            let bot = try server.client(["bot", "--name", "robo", "--races", "1", "--pace", "0"])
            try await person.lines.holds("match 1, turns to 25")
            let isOver = try await eventually {
                person.send([UInt8(ascii: " ")])
                try await Task.sleep(for: .milliseconds(20))
                person.lines.pump()
                return person.lines.text.contains("won the race!")
            }
            #expect(isOver)
            try await person.lines.holds("checked: seal, drawn numbers, order, dice, moves, result, digest")
            #expect(try await bot.exitCode() == 0)
            #expect(bot.lines.text.contains("reason=finish") && bot.lines.text.contains("checks=passed"))
            person.send([UInt8(ascii: "q")])
            #expect(try await person.exitCode() == 0)
        }

        @Test func `two bots play three races`() async throws {
            let server = try await Server()
            let bots = try ["one", "two"].map { name in
                try server.client(["bot", "--name", name, "--races", "3", "--pace", "0"])
            }
            for bot in bots {
                #expect(try await bot.exitCode() == 0)
                let races = try await bot.lines.rest()
                #expect(races.count == 3)
                for (index, line) in races.enumerated() {
                    #expect(line.hasPrefix("race n=\(index + 1) match=\(index + 1) winner="))
                    #expect(line.hasSuffix(" checks=passed"))
                }
            }
            try await server.expectEmpty()
        }

        @Test func `four players, by netcat, telnet, a bare socket and the client, race once`() async throws {
            let server = try await Server()
            let client = try server.client(["play", "--name", "dan", "--players", "4"])
            let racers = [
                try await Racer("ann", server.netcat()), try await Racer("bob", server.telnet()),
                try await Racer("cat", server.socket()), Racer(named: "dan", client),
            ]
            for racer in racers.prefix(3) { racer.say("play 4") }
            try await self.expectRace(racers)
        }

        @Test func `alone, one plays with the computer`() async throws {
            let server = try await Server()
            let ann = try await Racer("ann", server.netcat())
            ann.say("play bots=1 finish=8")
            try await self.expectRace([ann])
        }
    }
}
