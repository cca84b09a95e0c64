import LoadHarness
import RaceModel
import Testing
import WireProtocol

/// Connections that the run cuts itself, against a server that is a value too.
struct LoadDropTests {
    private static func plan(_ players: Int, raceSize: Int = 2, textShare: Double = 0.5) -> LoadPlan {
        var plan = LoadPlan()
        plan.players = players
        plan.raceSize = raceSize
        plan.textShare = textShare
        plan.seconds = 1
        // The script cuts; the first cut of the plan's own would be due behind the window.
        plan.dropsPerSecond = 0.01
        plan.away = .milliseconds(20)
        return plan
    }

    private static func after(_ microseconds: Int64) -> Instant {
        Instant(nanoseconds: microseconds * 1000)
    }

    /// Goal: coming back works from every state a match can be in. Method: somebody is cut every few
    /// milliseconds, and the figures tell that each state was met on return.
    @Test func `players who are cut in any state come back and play clean races`() throws {
        var dash = Self.plan(6, raceSize: 3)
        dash.settings.rule = .dash
        dash.settings.finish = 12
        var open = Self.plan(8)
        open.racesPerSecond = 10
        open.givenPace = .milliseconds(5)
        var tied = Self.plan(4)
        tied.settings.draw = .sealed
        tied.textShare = 1
        var long = Self.plan(6, raceSize: 3, textShare: 0)
        long.settings.finish = 60
        var byState = [Int](repeating: 0, count: MatchState.allCases.count)
        var (ended, again) = (0, 0)
        for base in [Self.plan(6), Self.plan(9, raceSize: 3), dash, open, tied, long] {
            for seed in UInt64(1)...2 {
                var plan = base
                plan.seed = seed
                var script = FleetScript(plan)
                var generator = SeededGenerator(seed: seed)
                var at: Int64 = 2000
                while at < 900_000 {
                    at += 500 + Int64(generator.below(9000))
                    script.fleetCuts.append((Int(generator.below(UInt64(plan.players))), Self.after(at)))
                }
                try script.run()
                let (figures, drops) = (script.fleet.figures, script.fleet.figures.drops)
                #expect(figures.faults.total == 0, "seed \(seed) of \(plan): \(figures.faultText)")
                #expect(drops.cut > 10, "seed \(seed)")
                #expect(drops.returned == drops.cut, "seed \(seed)")
                #expect(figures.racesFinishedInAll > 1)
                #expect(figures.racesUnfinished == 0)
                // Moves that waited for somebody who was away are in no latency.
                if !plan.isOpen { #expect(figures.latency.maximum.milliseconds <= 2, "seed \(seed)") }
                #expect(drops.movesAround > 0)
                for state in byState.indices { byState[state] += drops.returnsByState[state] }
                ended += drops.endedWhileAway
                again += drops.movesSentAgain
            }
        }
        for state in MatchState.allCases where state != .waitingForMatch {
            #expect(byState[Int(state.rawValue)] > 0, "\(state)")
        }
        #expect(ended == 0, "whoever comes back in time is told how the race ended")
        #expect(again > 0)
    }

    @Test func `so many are cut as the rate says, the same ones for the same seed`() throws {
        var plan = Self.plan(20)
        plan.seconds = 2
        plan.dropsPerSecond = 50
        var cuts: [[Int]] = []
        for _ in 0..<2 {
            var script = FleetScript(plan)
            try script.run()
            let drops = script.fleet.figures.drops
            #expect(script.fleet.figures.faults.total == 0, "\(script.fleet.figures.faultText)")
            #expect(drops.cut + drops.skipped == 99)
            #expect(drops.skipped == 0)
            #expect(drops.returned == 99)
            cuts.append(drops.returnsByState + [drops.movesAround, drops.movesSentAgain])
        }
        #expect(cuts[0] == cuts[1])
    }

    @Test func `a seat that is not held is an error of its own`() throws {
        var plan = Self.plan(2)
        // Longer than any server waits.
        plan.away = .seconds(31)
        var script = FleetScript(plan)
        script.fleetCuts = [(0, Self.after(100_000))]
        try script.run()
        let figures = script.fleet.figures
        #expect(figures.drops.cut == 1)
        #expect(figures.count(.seatLost) == figures.drops.seatsLost)
        #expect(figures.drops.seatsLost > 0, "\(figures.faultText)")
    }

    @Test func `a return that tells an event twice or not at all is found`() throws {
        for isDoubled in [true, false] {
            var found = 0
            for at in stride(from: Int64(60_000), to: 80_000, by: 1000) {
                var plan = Self.plan(3, raceSize: 3, textShare: 0)
                plan.settings.finish = 1000
                var script = FleetScript(plan)
                script.fleetCuts = [(0, Self.after(at))]
                var welcomes = 0
                script.tamper = { player, bytes in
                    guard player == 0 else { return bytes }
                    let types = Self.types(bytes)
                    welcomes += types.count { $0 == 64 }
                    guard welcomes == 2, let first = types.first(where: { $0 == 2 || $0 == 72 }),
                        first == types.first
                    else { return bytes }
                    welcomes += 1
                    return isDoubled ? bytes + bytes : nil
                }
                try script.run()
                let kinds = script.fleet.figures.faults.sorted.map(\.fault)
                if kinds.contains(Fault(.protocolFault, "an event is missing")) { found += 1 }
            }
            #expect(found > 4, "doubled: \(isDoubled)")
        }
    }

    private static func types(_ bytes: [UInt8]) -> [UInt8] {
        var types: [UInt8] = []
        var place = bytes.first == 0xCA ? 8 : 0
        while place + 3 <= bytes.count {
            types.append(bytes[place + 2])
            place += 2 + Int(bytes[place]) << 8 + Int(bytes[place + 1])
        }
        return types
    }
}
