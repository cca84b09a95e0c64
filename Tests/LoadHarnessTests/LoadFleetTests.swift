import LoadHarness
import RaceModel
import Testing

/// Runs against a server that is a value too, over a network of one millisecond each way: time costs nothing
/// here, and
/// every figure is exact.
struct LoadFleetTests {
    private static func plan(_ players: Int, seconds: Int = 2) -> LoadPlan {
        var plan = LoadPlan()
        plan.players = players
        plan.seconds = seconds
        return plan
    }

    @Test func `endless races go on until the time is over, and are no fault then`() throws {
        var plan = Self.plan(2)
        plan.makeEndless(pairs: 5)
        var script = FleetScript(plan)
        try script.run()
        let figures = script.fleet.figures
        #expect(figures.faults.total == 0, "\(figures.faultText)")
        #expect(figures.named == 10)
        #expect(figures.racesFinishedInAll == 0)
        // A move there and back takes 2 ms, and the next one is begun at once.
        #expect((4900...5000).contains(figures.movesDelivered), "\(figures.movesDelivered)")
        #expect(figures.latency.maximum == .milliseconds(2))
    }

    @Test func `with a move rate, moves are due by the clock, whatever the server does`() throws {
        var plan = Self.plan(2, seconds: 3)
        plan.makeEndless(pairs: 5)
        plan.movesPerSecond = 50
        #expect(plan.isOpen)
        #expect(plan.pace == .milliseconds(100))
        var script = FleetScript(plan)
        try script.run()
        #expect(script.fleet.figures.faults.total == 0, "\(script.fleet.figures.faultText)")
        // A race that begins within the window has its first move a little later.
        #expect((145...150).contains(script.fleet.figures.latency.count))
        #expect(script.fleet.figures.latency.maximum == .milliseconds(2))

        // A server that stalls for a second is a second late for the first move, and then for all that were due.
        var stalled = FleetScript(plan)
        stalled.stall = Instant.zero + .milliseconds(1000)..<Instant.zero + .milliseconds(2000)
        try stalled.run()
        let figures = stalled.fleet.figures
        #expect((145...150).contains(figures.latency.count))
        #expect(try #require(figures.latency.quantile(0.99)) > .milliseconds(900))
        #expect(try #require(figures.fromSending.quantile(0.5)) < .milliseconds(10))
    }

    @Test func `a closed run plays clean races in every shape`() throws {
        var small = Self.plan(7)
        small.raceSize = 3
        var dash = Self.plan(12)
        dash.settings.rule = .dash
        dash.raceSize = 4
        var text = Self.plan(8)
        text.textShare = 1
        text.settings.draw = .sealed
        var binary = Self.plan(8)
        binary.textShare = 0
        binary.raceSize = 8
        for plan in [Self.plan(20), small, dash, text, binary] {
            var script = FleetScript(plan)
            try script.run()
            let figures = script.fleet.figures
            #expect(figures.faults.total == 0, "\(figures.faultText)")
            #expect(figures.named == plan.players)
            #expect(figures.racesFinishedInAll > 3)
            #expect(figures.racesChecked == figures.racesFinishedInAll / LoadPlan.checkedOneIn)
            #expect(figures.racesUnfinished == 0)
            // There and back, and nothing else takes time.
            #expect(figures.latency.maximum == .milliseconds(2))
            #expect(figures.movesDeliveredInAll >= figures.movesDelivered)
        }
    }

    @Test func `a race that is due is played, also when the harness comes to it behind the end`() throws {
        var plan = Self.plan(40)
        plan.racesPerSecond = 10
        plan.givenPace = .milliseconds(20)
        plan.givenRampSeconds = 0.1
        var script = FleetScript(plan)
        // The last race is due 100 ms before the end.
        script.harnessStall = Instant.zero + .milliseconds(1950)..<Instant.zero + .milliseconds(2300)
        try script.run()
        let figures = script.fleet.figures
        #expect(figures.faults.total == 0, "\(figures.faultText)")
        #expect(figures.racesDue == 20 && figures.racesNeverBegun == 0)
        #expect(figures.racesFinishedInAll == 20)
    }

    @Test func `results that a store keeps late are counted apart and are no errors`() throws {
        var script = FleetScript(Self.plan(20))
        script.storeIsBehind = Instant.zero + .milliseconds(500)..<Instant.zero + .milliseconds(1500)
        try script.run()
        let figures = script.fleet.figures
        #expect(figures.faults.total == 0, "\(figures.faultText)")
        // Both players of a race are told, and told again when it is kept.
        #expect(figures.resultsNotKept > 20 && figures.resultsNotKept % 2 == 0, "\(figures.resultsNotKept)")
        #expect(figures.resultsKeptLater == figures.resultsNotKept)
        #expect(figures.racesFinishedInAll > figures.resultsNotKept / 2)
        let text = script.report.text
        #expect(text.contains("results-not-kept \(figures.resultsNotKept): "), "\(text)")
        #expect(script.report.json.contains(#""results_not_kept":\#(figures.resultsNotKept),"#))
        #expect(script.report.isClean)
    }

    @Test func `a stalled server shows in the open model's p99, and the closed model hides it`() throws {
        // One second of three without an answer: a third of all moves is planned in it.
        var open = Self.plan(300, seconds: 3)
        open.racesPerSecond = 40
        open.givenPace = .milliseconds(20)
        open.givenRampSeconds = 0.1
        var script = FleetScript(open)
        try script.run()
        let quiet = script.fleet.figures
        #expect(quiet.faults.total == 0, "\(quiet.faultText)")
        #expect(try #require(quiet.latency.quantile(0.99)).milliseconds < 4)
        #expect(quiet.racesDue == 120)

        script = FleetScript(open)
        script.stall = (Instant.zero + .seconds(1))..<(Instant.zero + .seconds(2))
        try script.run()
        let stalled = script.fleet.figures
        #expect(stalled.faults.total == 0, "\(stalled.faultText)")
        #expect(stalled.racesDue == 120)
        #expect(stalled.racesNeverBegun == 0)
        #expect(try #require(stalled.latency.quantile(0.5)).milliseconds < 100)
        #expect(try #require(stalled.latency.quantile(0.8)).milliseconds > 200)
        #expect(try #require(stalled.latency.quantile(0.99)).milliseconds > 800)
        // From sending it looks far better than it was: one move of each race waited, the rest were sent
        // late.
        #expect(try #require(stalled.fromSending.quantile(0.8)).milliseconds < 4)

        var closed = Self.plan(20, seconds: 3)
        closed.givenRampSeconds = 0.1
        script = FleetScript(closed)
        script.stall = (Instant.zero + .seconds(1))..<(Instant.zero + .seconds(2))
        try script.run()
        let blind = script.fleet.figures
        #expect(blind.faults.total == 0, "\(blind.faultText)")
        #expect(blind.latency.maximum.milliseconds > 900)
        #expect(try #require(blind.latency.quantile(0.99)).milliseconds < 4)
    }

    @Test func `races that find no free players begin late with their clock running`() throws {
        var plan = Self.plan(4)
        plan.racesPerSecond = 20
        plan.givenPace = .milliseconds(20)
        var script = FleetScript(plan)
        try script.run()
        let figures = script.fleet.figures
        // What was asked for and could not be made is no silent loss.
        #expect(figures.racesNeverBegun > 0)
        #expect(figures.faults.total == figures.racesNeverBegun, "\(figures.faultText)")
        #expect(figures.racesDue == 40)
        #expect(figures.racesDelayed > 10)
        #expect(figures.racesDelayed + figures.racesNeverBegun < figures.racesDue)
        #expect(figures.starting.maximum.milliseconds > 100)
    }

    @Test func `a move that one player is never told of is a lost delivery`() throws {
        var plan = Self.plan(2, seconds: 8)
        plan.textShare = 0
        var script = FleetScript(plan)
        var count = 0
        script.tamper = { player, bytes in
            guard player == 1, Self.frames(bytes).contains(where: { $0.type == 2 }) else { return bytes }
            count += 1
            // All from the fourth on: the player is deaf.
            return count < 4 ? bytes : nil
        }
        try script.run()
        #expect(script.fleet.figures.count(.lostDelivery) == 1)
        #expect(script.fleet.figures.racesFinishedInAll == 0)
    }

    @Test func `what the players of one race are told must agree`() throws {
        for (type, offset, kind) in [(UInt8(2), 13, "where a move led"), (UInt8(3), 5, "who has won")] {
            var plan = Self.plan(2)
            plan.textShare = 0
            var script = FleetScript(plan)
            script.tamper = { player, bytes in
                guard player == 1 else { return bytes }
                var bytes = bytes
                for frame in Self.frames(bytes) where frame.type == type {
                    let place = frame.body + offset
                    bytes[place] = type == 3 ? 3 - bytes[place] : bytes[place] &+ 1
                    // The winner and whether player 1 has won go together.
                    if type == 3 { bytes[place - 1] = 1 - bytes[place - 1] }
                }
                return bytes
            }
            try script.run()
            let kinds = Set(script.fleet.figures.faults.sorted.map(\.fault))
            #expect(kinds.contains(Fault(.disagreement, kind)), "\(script.fleet.figures.faultText)")
        }
    }

    @Test func `a die that was not the sealed one is found by the check`() throws {
        var plan = Self.plan(4)
        plan.textShare = 0
        var script = FleetScript(plan)
        script.tamper = { _, bytes in
            var bytes = bytes
            for frame in Self.frames(bytes) where frame.type == 2 {
                let steps = frame.body + 9
                bytes[steps] = bytes[steps] % 6 + 1
            }
            return bytes
        }
        try script.run()
        #expect(script.fleet.figures.count(.verification) > 0)
        #expect(script.fleet.figures.count(.disagreement) == 0)
    }

    @Test func `a lost connection is counted, and the others play on to the end`() throws {
        var script = FleetScript(Self.plan(6))
        script.cut = (player: 3, at: Instant.zero + .seconds(1))
        try script.run()
        let figures = script.fleet.figures
        #expect(figures.count(.connection) == 1, "\(figures.faultText)")
        #expect(figures.racesFinishedInAll > 50)
    }

    @Test func `bytes that are no message end that connection and are a protocol fault`() throws {
        var plan = Self.plan(4)
        plan.textShare = 0
        var script = FleetScript(plan)
        script.tamper = { player, bytes in
            player == 2 && Self.frames(bytes).contains { $0.type == 71 } ? [0xFF, 0xFF, 0, 0] : bytes
        }
        try script.run()
        #expect(script.fleet.figures.count(.protocolFault) == 1, "\(script.fleet.figures.faultText)")
    }

    @Test func `a run that is stopped early ends as one whose time is over`() throws {
        var script = FleetScript(Self.plan(10, seconds: 1000))
        script.fleet.stop(now: .zero)
        try script.run()
        #expect(script.now < Instant.zero + .seconds(10))
        #expect(script.fleet.figures.faults.total == 0)
    }

    /// Where the frames of some bytes lie; what the server sends at once begins with a whole frame, or its
    /// preface.
    private static func frames(_ bytes: [UInt8]) -> [(type: UInt8, body: Int)] {
        var frames: [(UInt8, Int)] = []
        var place = bytes.first == 0xCA ? 8 : 0
        while place + 3 <= bytes.count {
            frames.append((bytes[place + 2], place + 3))
            place += 2 + Int(bytes[place]) << 8 + Int(bytes[place + 1])
        }
        return frames
    }
}
