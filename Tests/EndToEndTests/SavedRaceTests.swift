import Glibc
import Testing

extension EndToEndTests {
    /// A server that is told to end in the middle of races, and the one that goes on with them.
    @Suite struct SavedRaceTests {
        private static let drain = ["--drain-seconds", "1"]
        private static let kept =
            "the server restarts: your race is kept, come back to it with your name and key"

        @Test(arguments: [["--loops", "1"], ["--loops", "2"]])
        func `people on bare sockets come back to the race where it stood`(loops: [String]) async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags + Self.drain + loops)
            let ann = try server.socket()
            let bob = try server.socket()
            let keys = [try await ann.register("ann"), try await bob.register("bob")]
            for socket in [ann, bob] { socket.say("play 2 finish=40") }
            for socket in [ann, bob] { try await socket.lines.wait(for: "turn seq=1 ") }
            let restarted = try await server.restartInOrder()
            for socket in [ann, bob] {
                try await socket.lines.wait(for: "notice code=draining seconds=1 ")
                #expect(try await socket.lines.wait(for: "bye ").contains(Self.kept))
                #expect(try await socket.lines.next() == nil)
            }
            #expect(try await server.logged("matches-saved").last?.contains("count=1 lost=0") == true)
            var racers: [Racer] = []
            for (alias, key) in zip(["ann", "bob"], keys) {
                let socket = try restarted.socket()
                socket.say("name \(alias) \(key)")
                let snapshot = try await socket.lines.wait(for: "snapshot ")
                #expect(value("match", in: snapshot) == "1" && value("seq", in: snapshot) == "1")
                #expect(value("turn", in: snapshot) == "1")
                racers.append(Racer(named: alias, socket))
            }
            // Whose turn it is knows it from the snapshot: a move of the other is refused and harmless.
            for racer in racers { racer.say("move 1") }
            let overs = try await race(racers)
            #expect(overs[0] == overs[1] && value("reason", in: overs[0]) == "finish")
            let (code, text) = try await folder.tool(["verify", "--all"] + folder.flags)
            #expect(code == 0, "\(text)")
        }

        @Test func `our clients come back by themselves and finish their races`() async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags + Self.drain)
            let wish = ["--finish", "40"]
            let bot = try server.client(["bot", "--name", "robo", "--races", "1"] + wish)
            let person = try server.client(["play", "--name", "ann", "--auto"] + wish)
            let waiting = try server.client(
                ["bot", "--name", "alone", "--races", "1", "--players", "2", "--finish", "3"])
            try await person.lines.wait(for: "moved ")
            let restarted = try await server.restartInOrder()
            try await person.lines.wait(for: "over ")
            #expect(try await bot.exitCode() == 0)
            #expect(bot.lines.text.contains("race n=1 match=1 "), "\(bot.lines.text)")
            for text in [bot.lines.text, person.lines.text] {
                #expect(!text.contains("without a result") && !text.contains("started anew"), "\(text)")
            }
            #expect(person.lines.text.contains("the server restarts: your race is kept"))
            // Who waited for a race waits again.
            let other = try restarted.client(
                ["bot", "--name", "second", "--races", "1", "--players", "2", "--finish", "3"])
            for bot in [waiting, other] { #expect(try await bot.exitCode() == 0, "\(bot.lines.text)") }
            person.say("quit")
            #expect(try await person.exitCode() == 0)
        }

        /// In short what `make restarts` does with 500 races.
        @Test func `fifty races lose nothing by two restarts, nor with the socket held by another`()
            async throws
        {
            let program = try Program(
                ["/usr/bin/env", "python3", "-B", Script.folder + "../../Restarts/restarts.py"]
                    + ["--programs", Program.directory, "--races", "50", "--restarts", "2"]
                    + ["--seconds-between", "2", "--pace", "150", "--finish", "40"])
            #expect(try await program.exitCode(within: 400) == 0, "\(program.lines.text)")
            #expect(
                program.lines.all.last == "no race lost, no seat lost, everybody back",
                "\(program.lines.text)")
        }

        @Test func `behind a sudden end our clients say what became of the race, and are still themselves`()
            async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let bot = try server.client(["bot", "--name", "robo", "--races", "1", "--finish", "100000"])
            let person = try server.client(["play", "--name", "ann", "--auto", "--finish", "100000"])
            try await person.lines.wait(for: "moved ")
            let restarted = try await server.restart()
            let sentence = "# the server ended suddenly: the race ended without a result\n"
            try await person.lines.holds(sentence + "# play looks for another race\n")
            try await bot.lines.holds(sentence)
            person.say("player ann")
            #expect(value("races", in: try await person.lines.wait(for: "standing ")) == "0")
            person.say("quit")
            #expect(try await person.exitCode() == 0)
            // Its one race is still to come.
            let asker = try restarted.socket()
            let waits = try await eventually {
                asker.say("who robo")
                return try await asker.lines.wait(for: "player ").contains(" state=queued ")
            }
            #expect(waits)
            bot.signal(SIGTERM)
            _ = try await bot.exitCode()
            asker.hangUp()
            try await restarted.expectEmpty()
        }

        @Test func `a second signal saves at once, however long the first would have waited`() async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags + ["--drain-seconds", "600"])
            let ann = try await Racer("ann", server.socket())
            ann.say("play bots=1 finish=1000")
            try await ann.lines.wait(for: "begin ")
            server.program.signal(SIGTERM)
            try await ann.lines.wait(for: "notice code=draining seconds=600 ")
            server.program.signal(SIGTERM)
            #expect(try await ann.lines.wait(for: "bye ").contains(Self.kept))
            #expect(try await server.program.exitCode() == 0)
        }

        @Test func `a peer that never reads holds up no end`() async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags + Self.drain)
            let deaf = try server.socket()
            deaf.say("name deaf")
            let ann = try await Racer("ann", server.socket())
            ann.say("play bots=1 finish=100000 rule=dash")
            try await ann.lines.wait(for: "begin ")
            for _ in 0..<40 { deaf.say("help") }
            server.program.signal(SIGTERM)
            #expect(try await server.program.exitCode() == 0)
            #expect(try server.secondsToStop() < 6)
            #expect(ann.lines.text.contains("begin "))
        }

        @Test func `a file that can't be written is no reason to stay, and nobody is promised a race`()
            async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags + Self.drain)
            let ann = try await Racer("ann", server.socket())
            ann.say("play bots=1 finish=100000")
            try await ann.lines.wait(for: "begin ")
            let locker = try await folder.lock()
            let start = elapsed()
            server.program.signal(SIGTERM)
            let bye = try await ann.lines.wait(for: "bye ")
            #expect(!bye.contains(Self.kept), "\(bye)")
            _ = try await server.program.exitCode()
            #expect(elapsed() - start < 30)
            try await locker.killHard()
        }
    }
}
