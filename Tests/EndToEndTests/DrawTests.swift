import Testing

extension EndToEndTests {
    /// People who send their numbers and begin the race themselves.
    @Suite struct DrawTests {
        /// Ann in seat 1 and Bob in seat 2, both with auto off.
        private func pair(_ server: Server, settings: String = "2", early: [String] = ["", ""]) async throws
            -> [Racer]
        {
            let racers = [
                try await Racer("ann", server.netcat()), try await Racer("bob", server.netcat()),
            ]
            for (racer, number) in zip(racers, early) {
                racer.say("set auto off")
                racer.say("play \(settings)")
                if racer.alias == "ann" { try await racer.lines.wait(for: "queued ") }
                if !number.isEmpty { racer.say("number \(number)") }
            }
            for racer in racers { try await racer.lines.wait(for: "seat n=2 ") }
            return racers
        }

        private func expect(_ lines: [String], for racers: [Racer]) async throws {
            for racer in racers {
                for line in lines { #expect(try await racer.lines.next() == line) }
            }
        }

        @Test func `the higher number is player 1, and only player 1 begins`() async throws {
            let server = try await Server(Stage.patient)
            let racers = try await self.pair(server)
            racers[1].say("number 20")
            racers[0].say("why")
            // Hidden until all are in.
            #expect(try await racers[0].lines.next()?.hasPrefix("waiting for=") == true)
            racers[0].say("number 10")
            try await self.expect(
                [
                    "number round=1 seat=1 value=10", "number round=1 seat=2 value=20", "order seats=2,1",
                ], for: racers)
            racers[0].say("begin")
            #expect(
                try await racers[0].lines.next()
                    == "error re=begin code=not-player-1 text=\"only player 1 begins: that is bob\"")
            racers[1].say("number 30")
            #expect(
                try await racers[1].lines.next()?.hasPrefix("error re=number code=wrong-state ") == true)
            racers[1].say("begin")
            try await self.expect(
                ["begin seconds=300", "turn seq=1 turn=1 player=1 alias=bob seconds=300"], for: racers)
        }

        @Test func `equal numbers are drawn again`() async throws {
            let server = try await Server(Stage.patient)
            let racers = try await self.pair(server)
            for racer in racers { racer.say("number 7") }
            try await self.expect(
                [
                    "number round=1 seat=1 value=7", "number round=1 seat=2 value=7",
                    "again round=2 seats=1,2",
                ], for: racers)
            racers[0].say("number 1 round=2")
            racers[0].say("number 3")
            #expect(
                try await racers[0].lines.next()?.hasPrefix("error re=number code=already-drew ") == true)
            racers[1].say("number 2 round=1")
            #expect(
                try await racers[1].lines.next()?.hasPrefix("error re=number code=wrong-round ") == true)
            racers[1].say("number 2 round=2")
            try await self.expect(
                [
                    "number round=2 seat=1 value=1", "number round=2 seat=2 value=2", "order seats=2,1",
                ], for: racers)
        }

        @Test func `numbers that come early are kept until the race is found`() async throws {
            let server = try await Server(Stage.patient)
            let racers = try await self.pair(server, early: ["4294967295", ""])
            racers[1].say("number 0")
            try await self.expect(
                [
                    "number round=1 seat=1 value=4294967295", "number round=1 seat=2 value=0",
                    "order seats=1,2",
                ], for: racers)
        }

        @Test func `late, early and repeated moves are refused and change nothing`() async throws {
            let server = try await Server(Stage.patient)
            let racers = try await self.pair(server, early: ["2", "1"])
            racers[0].say("move")
            #expect(
                try await racers[0].lines.wait(for: "error ").hasPrefix("error re=move code=wrong-state "))
            racers[0].say("begin")
            for racer in racers { try await racer.lines.wait(for: "turn seq=1 ") }
            racers[1].say("move")
            #expect(
                try await racers[1].lines.next()
                    == "error re=move code=not-your-turn text=\"it is ann's turn\"")
            racers[0].say("move 3")
            #expect(
                try await racers[0].lines.next()
                    == "error re=move code=stale-turn text=\"turn 1 is open, and it is ann's\"")
            // The same move twice in one packet, as an impatient program sends it.
            racers[0].say(together: "move 1", "move 1")
            let moved = try await racers[0].lines.wait(for: "moved seq=2 turn=1 player=1 alias=ann ")
            #expect(value("by", in: moved) == value("at", in: moved) && value("auto", in: moved) == "no")
            #expect(try await racers[0].lines.next()?.hasPrefix("turn seq=3 turn=2 player=2 ") == true)
            #expect(try await racers[0].lines.next()?.hasPrefix("error re=move code=") == true)
            racers[1].say("move 2")
            for racer in racers { try await racer.lines.wait(for: "moved seq=4 turn=2 player=2 alias=bob ") }
        }
    }
}
