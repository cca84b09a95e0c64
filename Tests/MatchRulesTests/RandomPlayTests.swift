import MatchRules
import RaceModel
import Testing

/// Goal: what the exploration shows for two and three seats on a short track holds for up to eight on the
/// real one. Method: many matches from fixed seeds, each edge checked with the exploration's own invariants.
@Suite struct RandomPlayTests {
    private static let seeds: ClosedRange<UInt64> = 1...500

    @Test func `two to eight players hold the invariants, and every match ends`() {
        var reasons = Set<Outcome.Reason>()
        var sizes = Set<UInt8>()
        var cancelled = 0
        for seed in Self.seeds {
            var play = RandomPlay(seed: seed)
            play.run()
            #expect(play.broken == [], "seed \(seed)")
            #expect(play.node.match.isClosed, "seed \(seed)")
            sizes.insert(play.node.match.size)
            if let outcome = play.node.match.ending?.outcome {
                reasons.insert(outcome.reason)
            } else {
                cancelled += 1
            }
        }
        #expect(sizes == Set(2...8), "the seeds play every number of seats")
        #expect(reasons == Set(Outcome.Reason.allCases), "and end in every way")
        #expect(cancelled > 0)
    }

    @Test func `one seed gives one history`() {
        for seed in Self.seeds.prefix(10) {
            var first = RandomPlay(seed: seed)
            var second = RandomPlay(seed: seed)
            first.run()
            second.run()
            #expect(first.effects == second.effects, "seed \(seed)")
            #expect(first.node.match == second.node.match, "seed \(seed)")
        }
    }
}
