import Glibc
import Testing

extension EndToEndTests {
    /// Clients that die, in each state and in each way: what those who live are told, and what is left
    /// behind.
    @Suite struct DeathTests {
        private let arguments = Stage.patient + ["--grace-seconds", "\(Stage.grace)"]

        @Test(arguments: Stage.allCases, Death.allCases)
        func `one dies, and the other sees the countdown, the outcome, and is free`(
            stage: Stage, death: Death
        ) async throws {
            let server = try await Server(self.arguments)
            let speaker = try death.connect(server)
            let ann = try await Racer("ann", speaker)
            let bob = try await Racer("bob", server.netcat())
            try await stage.reach(ann, bob)
            try await death.strike(speaker)
            try await self.expectOutcome(of: stage, for: bob)
            #expect(try await eventually { try await server.census() == (1, 0) })
            bob.say("quit")
            #expect(try await bob.lines.next()?.hasPrefix("bye reason=quit ") == true)
            try await server.expectEmpty()
        }

        private func expectOutcome(of stage: Stage, for bob: Racer) async throws {
            switch stage {
            case .waitingForMatch:
                bob.say("why")
                bob.say("play 2")
                try await bob.lines.wait(for: "queued waiting=1 min=2 max=2")
                bob.say("cancel")
                try await self.expect(bob, "stopped what=queue")
            case .waitingForRandomNumber, .waitingForStart:
                try await self.expectCountdown(bob, stage == .waitingForStart ? "player=1 " : "")
                try await self.expect(bob, "cancelled match=1 alias=ann reason=gone queued=yes")
                try await self.expect(bob, "queued waiting=1 min=2 max=2")
                bob.say("cancel")
                try await self.expect(bob, "stopped what=queue")
            case .active:
                try await self.expectCountdown(bob, "player=1 ")
                try await self.expect(bob, "forfeit seq=2 player=1 alias=ann reason=gone")
                try await self.expect(
                    bob, "over seq=3 player1won=no winner=2 alias=bob reason=forfeit nonce=")
                try await self.expect(bob, "place rank=1 player=2 alias=bob at=0")
                try await bob.lines.wait(for: "stopped what=match")
            case .done:
                try await self.expectCountdown(bob, "player=1 ")
                try await self.expect(bob, "rematch player=1 alias=ann wants=no agreed=0 of=1")
                try await self.expect(bob, "stopped what=match")
            }
        }

        /// The seat is held, and how long is told twice.
        private func expectCountdown(_ racer: Racer, _ player: String) async throws {
            for seconds in [Stage.grace, 5] {
                try await self.expect(racer, "gone \(player)seat=1 alias=ann seconds=\(seconds)")
            }
        }

        private func expect(
            _ racer: Racer, _ start: String, at location: SourceLocation = #_sourceLocation
        ) async throws {
            let line = try await racer.lines.next()
            #expect(line?.hasPrefix(start) == true, "\(line ?? "the end")", sourceLocation: location)
        }

        @Test(arguments: Stage.allCases)
        func `both die, and nothing is left of them`(stage: Stage) async throws {
            let server = try await Server(Stage.patient + ["--grace-seconds", "1"])
            let programs = [try server.netcat(), try server.netcat()]
            try await stage.reach(Racer("ann", programs[0]), Racer("bob", programs[1]))
            let before = try await server.census()
            #expect(before == (2, stage == .waitingForMatch ? 0 : 1))
            for program in programs { try await program.killHard() }
            try await server.expectEmpty()
        }

        @Test func `who is thrown out of a start by another's death keeps their waiting time`() async throws {
            let server = try await Server(Stage.patient + ["--grace-seconds", "2"])
            let speaker = try server.socket()
            let ann = try await Racer("ann", speaker)
            let bob = try await Racer("bob", server.netcat())
            try await Stage.waitingForRandomNumber.reach(ann, bob)
            let cat = try await Racer("cat", server.netcat())
            cat.say("play 2 finish=1")
            try await cat.lines.wait(for: "queued waiting=1 ")
            speaker.reset()
            try await bob.lines.wait(for: "cancelled match=1 alias=ann reason=gone queued=yes")
            // Seats go by the time of waiting: Bob, who came back just now, has waited longer than Cat.
            try await bob.lines.wait(for: "found match=2 seat=1 of=2 ")
            try await cat.lines.wait(for: "found match=2 seat=2 of=2 ")
        }

        @Test func `a half-closed connection is told so, and its seat held`() async throws {
            let server = try await Server(Stage.patient)
            let speaker = try server.socket()
            let ann = try await Racer("ann", speaker)
            let bob = try await Racer("bob", server.netcat())
            try await Stage.active.reach(ann, bob)
            speaker.endInput()
            try await self.expect(ann, "notice code=half-closed seconds=30 ")
            try await self.expect(ann, "bye reason=half-closed ")
            #expect(try await ann.lines.next() == nil)
            try await self.expect(bob, "gone player=1 seat=1 alias=ann seconds=30")
        }

        /// Goal: silence is no death; what a silent player owes is done by the clock, in each state.
        @Test(arguments: Stage.allCases)
        func `a stopped client keeps its place, and the clocks go on`(stage: Stage) async throws {
            let clock: String? =
                switch stage {
                case .waitingForMatch: nil
                case .waitingForRandomNumber: "number"
                case .waitingForStart: "start"
                case .active: "turn"
                case .done: "rematch"
                }
            // Bob's own number has to come in time, on a busy machine, too.
            let seconds = clock == "number" ? "10" : "2"
            let short = clock.map { ["--\($0)-seconds", seconds] } ?? []
            let server = try await Server(Stage.patient + ["--grace-seconds", "1"] + short)
            let program = try server.netcat()
            let ann = try await Racer("ann", program)
            let bob = try await Racer("bob", server.netcat())
            try await stage.reach(ann, bob)
            program.signal(SIGSTOP)
            switch stage {
            case .waitingForMatch:
                try await Task.sleep(for: .seconds(2))
                bob.say("who ann")
                try await self.expect(bob, "players page=1 of=1 count=1")
                try await self.expect(bob, "player id=1 alias=ann state=queued ")
                bob.say("play 2 finish=1")
                try await self.expect(bob, "found match=1 seat=2 of=2 ")
            case .waitingForRandomNumber:
                bob.say("number 1")
                let number = try await bob.lines.next() ?? ""
                #expect(number.hasPrefix("number round=1 seat=1 value=") && number.hasSuffix(" drawn=server"))
                try await self.expect(bob, "number round=1 seat=2 value=1")
            case .waitingForStart: try await self.expect(bob, "begin seconds=300")
            case .active:
                let moved = try await bob.lines.next() ?? ""
                #expect(moved.hasPrefix("moved seq=2 turn=1 player=1 ") && moved.hasSuffix(" auto=yes"))
                try await self.expect(bob, "over seq=3 player1won=yes winner=1 alias=ann reason=finish ")
            case .done: try await self.expect(bob, "stopped what=match")
            }
            program.signal(SIGCONT)
            ann.say("ping 1")
            try await ann.lines.wait(for: "pong value=1")
            #expect(!bob.lines.text.contains("gone "), "\(bob.lines.text)")
        }

        @Test func `the second turn in a row that a stopped client misses is its last`()
            async throws
        {
            let server = try await Server(Stage.patient + ["--turn-seconds", "8", "--grace-seconds", "1"])
            let program = try server.netcat()
            let ann = try await Racer("ann", program)
            let bob = try await Racer("bob", server.netcat())
            try await Stage.active.reach(ann, bob, finish: 100)
            program.signal(SIGSTOP)
            var automatic: [String] = []
            while let line = try await bob.lines.next(), !line.hasPrefix("over ") {
                bob.answer(line, isDash: false)
                #expect(!line.hasPrefix("gone "))
                // Only hers: on a busy machine bob, too, may be late once.
                if line.hasPrefix("moved "), value("auto", in: line) == "yes",
                    value("alias", in: line) == "ann"
                {
                    automatic.append(line)
                }
                if line.hasPrefix("forfeit ") {
                    #expect(value("alias", in: line) == "ann" && value("reason", in: line) == "missed-turns")
                }
            }
            #expect(automatic.count == 1)
            program.signal(SIGCONT)
            // It missed nothing: all of it was waiting.
            let over = try await ann.lines.wait(for: "over ")
            #expect(value("reason", in: over) == "forfeit" && value("alias", in: over) == "bob")
        }
    }
}
