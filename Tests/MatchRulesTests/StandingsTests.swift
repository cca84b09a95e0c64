import MatchRules
import RaceModel
import Testing

@Suite struct StandingsTests {
    @Test func `the winner is first, then who is further on, then the lower player number`() throws {
        var bench = Bench.racing(4, .dash, finish: 3)
        for seat in [dan, dan, bob, ann, fay, fay, fay] { bench.play(.moved(seat, turn: 0)) }
        let race = try #require(bench.match.race)
        let standings = race.standings(winner: player3, forfeited: bench.match.forfeited)
        #expect(standings.map(\.value) == [3, 4, 1, 2])
    }

    @Test func `who forfeited is behind all others, however far on`() throws {
        var bench = Bench.racing(3, .dash, finish: 9)
        for seat in [ann, ann, ann, bob] { bench.play(.moved(seat, turn: 0)) }
        bench.play(.left(ann), .deadlinePassed)
        let race = try #require(bench.match.race)
        let winner = bench.match.ending?.outcome?.winner
        #expect(winner == player2)
        #expect(
            race.standings(winner: winner, forfeited: bench.match.forfeited).map(\.value) == [2, 3, 1])
    }

    @Test func `a lineup knows seats by players and players by seats`() {
        let lineup = Lineup([dan, ann, fay, bob])
        #expect(lineup.count == 4)
        #expect(lineup.order == [dan, ann, fay, bob])
        for (index, seat) in [dan, ann, fay, bob].enumerated() {
            #expect(lineup.player(at: seat) == PlayerNumber(index: index))
            #expect(lineup.seat(of: PlayerNumber(index: index)) == seat)
        }
    }
}
