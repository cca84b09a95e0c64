import Glibc
import Testing

extension EndToEndTests {
    /// A server that dies, comes back on the same port, and knows nobody any more.
    @Suite struct RestartTests {
        /// Races here go to 7: no single roll of the bot's ends one before the other player had a turn.
        private let raceLost = "the server was started anew: the race ended without a result"
        private let lookingAgain = "the server was started anew: a race is looked for again"

        private func expectStanding(_ alias: String, _ state: String, on server: Server) async throws {
            let asker = try server.socket()
            asker.say("who \(alias)")
            let line = try await asker.lines.wait(for: "player ")
            #expect(line.contains(" alias=\(alias) state=\(state) "))
        }

        @Test func `at a terminal the race is lost, the name is not, and p finds the next race`() async throws
        {
            let server = try await Server()
            let terminal = try PseudoTerminal()
            let bot = try server.client(["bot", "--name", "robo", "--races", "1", "--finish", "7"])
            let person = try server.client(["play", "--name", "ann", "--finish", "7"], terminal: terminal)
            try await person.lines.holds("your turn")
            let seen = person.lines.text.count
            let restarted = try await server.restart()
            let isBack = try await eventually {
                person.lines.pump()
                let since = person.lines.text.dropFirst(seen)
                return since.contains(self.raceLost) && since.contains("no race: press p to look for one")
                    && since.contains("you are") && since.contains("ann")
            }
            #expect(isBack, "\(person.lines.text.dropFirst(seen))")
            try await self.expectStanding("ann", "idle", on: restarted)
            try await bot.lines.holds("# \(self.raceLost)")
            person.send([UInt8(ascii: "p")])
            let isOver = try await eventually {
                person.send([UInt8(ascii: " ")])
                person.lines.pump()
                return person.lines.text.contains("won the race!")
            }
            #expect(isOver)
            #expect(try await bot.exitCode() == 0)
            #expect(bot.lines.all.last?.hasPrefix("race n=1 match=1 ") == true, "\(bot.lines.text)")
            person.send([UInt8(ascii: "q")])
            #expect(try await person.exitCode() == 0)
            #expect(
                person.lines.text.contains(
                    "you are kept as ann on \(restarted.address): catrace play --name ann"))
            try await restarted.expectEmpty()
        }

        @Test func `on pipes too, and whoever gave a key that was right gets a new one`() async throws {
            let server = try await Server()
            let earlier = try server.socket()
            let key = try await earlier.register("ann")
            let bot = try server.client(["bot", "--name", "robo", "--races", "1", "--finish", "7"])
            let client = try server.client(
                ["play", "--name", "ann", "--finish", "7"], environment: ["CATRACE_KEY": key])
            let ann = Racer(named: "ann", client)
            try await ann.lines.wait(for: "turn seq=")
            let restarted = try await server.restart()
            let welcome = try await ann.lines.wait(for: "welcome ")
            let newKey = try #require(value("key", in: welcome))
            #expect(value("alias", in: welcome) == "ann" && newKey != key)
            try await ann.lines.holds("# \(self.raceLost)\n# play looks for another race\n")
            #expect(!ann.lines.text.contains("wrong-key"))
            ann.say("play 2 finish=7")
            try await race([ann])
            #expect(try await bot.exitCode() == 0)
            // The new key is the right one.
            let elsewhere = try restarted.socket()
            elsewhere.say("name ann \(newKey)")
            try await elsewhere.lines.wait(for: "welcome player=")
            #expect(try await client.exitCode() == 1)
        }

        @Test func `who was queued is queued again without a word of a race`() async throws {
            let server = try await Server()
            let terminal = try PseudoTerminal()
            let wish = ["--players", "4", "--finish", "3"]
            let person = try server.client(["play", "--name", "ann", "--auto"] + wish, terminal: terminal)
            let pipes = try server.client(["play", "--name", "bob", "--auto"] + wish)
            let bot = try server.client(["bot", "--name", "robo", "--races", "1"] + wish)
            try await pipes.lines.wait(for: "queued waiting=3 ")
            let restarted = try await server.restart()
            try await pipes.lines.wait(for: "welcome ")
            try await pipes.lines.wait(for: "queued waiting=3 ")
            let last = try restarted.client(["bot", "--name", "last", "--races", "1"] + wish)
            for bot in [bot, last] { #expect(try await bot.exitCode() == 0) }
            try await pipes.lines.wait(for: "over ")
            try await person.lines.holds(" won the race!")
            for text in [person.lines.text, pipes.lines.text, bot.lines.text] {
                #expect(text.contains(self.lookingAgain) && !text.contains(self.raceLost), "\(text)")
            }
            person.send([UInt8(ascii: "q")])
            pipes.say("quit")
            for program in [person, pipes] { #expect(try await program.exitCode() == 0) }
            try await restarted.expectEmpty()
        }

        @Test func `an alias that somebody else has by now ends it with one sentence`() async throws {
            let server = try await Server()
            let client = try server.client(["play", "--name", "ann", "--players", "2"])
            try await client.lines.wait(for: "queued ")
            client.signal(SIGSTOP)
            let restarted = try await server.restart()
            let other = try restarted.socket()
            try await other.register("ann")
            client.signal(SIGCONT)
            #expect(try await client.exitCode() == 2)
            #expect(
                client.lines.all.last
                    == "catrace: the server was started anew, and somebody else is ann now: "
                    + "choose another alias with --name")
        }

        @Test func `a key that was never right is a mistake, also of a server that was started anew`()
            async throws
        {
            let server = try await Server()
            let key = try await server.socket().register("ann")
            let restarted = try await server.restart()
            let client = try restarted.client(["play", "--name", "ann"], environment: ["CATRACE_KEY": key])
            #expect(try await client.exitCode() == 2)
            #expect(
                client.lines.all == [
                    "catrace: no player has this alias and this key: check both "
                        + "(--name and CATRACE_KEY belong together)"
                ])
            try await restarted.expectEmpty()
        }

        @Test func `who only watches, or only ran this race, ends`() async throws {
            let server = try await Server()
            let runner = try server.client(
                ["play", "--name", "ann", "--auto", "--bots", "1", "--finish", "1000000"])
            runner.endInput()
            try await runner.lines.wait(for: "moved ")
            let spectator = try server.client(["watch", "1", "--name", "eve"])
            try await spectator.lines.wait(for: "moved ")
            let restarted = try await server.restart()
            #expect(try await runner.exitCode() == 1)
            #expect(runner.lines.all.last == "catrace: \(self.raceLost)")
            #expect(try await spectator.exitCode() == 1)
            #expect(
                spectator.lines.all.last
                    == "catrace: the server was started anew: the match you watched ended without a result")
            try await restarted.expectEmpty()
        }
    }
}
