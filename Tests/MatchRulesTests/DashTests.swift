import MatchRules
import RaceModel
import Testing

@Suite struct DashTests {
    @Test func `anyone moves at any time, one step a move`() {
        var bench = Bench.racing(3, .dash)
        bench.play(.moved(fay, turn: 0), .moved(fay, turn: 0), .moved(ann, turn: 0), .moved(fay, turn: 0))
        #expect(bench.match.positions == [1, 0, 3])
        #expect(bench.match.race?.sequence == 4)
    }

    @Test func `each move starts the idle clock anew`() {
        var bench = Bench.racing(2, .dash)
        #expect(
            bench.play(.moved(bob, turn: 0)) == [
                .moved(sequence: 1, turn: 0, player: player2, steps: 1, position: 1, automatic: false),
                .startClock(.idle),
            ])
    }

    @Test func `the first at the finish wins, with as many steps as the track is long`() {
        var bench = Bench.racing(2, .dash, finish: 25)
        for _ in 1...24 { bench.play(.moved(ann, turn: 0), .moved(bob, turn: 0)) }
        #expect(bench.match.stateName == .active)
        bench.play(.moved(bob, turn: 0))
        #expect(bench.match.ending?.outcome == Outcome(winner: player2, reason: .finish))
        #expect(bench.match.positions == [24, 25])
        bench.refuse(.moved(ann, turn: 0), .wrongState)
    }

    @Test func `there are no turns to answer`() {
        var bench = Bench.racing(2, .dash)
        bench.refuse(.moved(ann, turn: 1), .staleTurn)
    }

    @Test func `when nobody moves any more the leader wins`() {
        var bench = Bench.racing(2, .dash)
        bench.play(.moved(ann, turn: 0), .moved(bob, turn: 0), .moved(bob, turn: 0))
        bench.play(.deadlinePassed)
        #expect(bench.match.ending?.outcome == Outcome(winner: player2, reason: .idle))
    }

    @Test func `of two on one field the leader is who came there first`() {
        for order in [[ann, bob, fay], [fay, bob, ann], [bob, fay, ann]] {
            var bench = Bench.racing(3, .dash)
            for seat in order { bench.play(.moved(seat, turn: 0)) }
            bench.play(.deadlinePassed)
            #expect(
                bench.match.ending?.outcome == Outcome(winner: PlayerNumber(order[0].value), reason: .idle))
        }
    }

    @Test func `who passed the leader leads until passed in turn`() {
        var bench = Bench.racing(2, .dash)
        bench.play(.moved(ann, turn: 0), .moved(bob, turn: 0), .moved(bob, turn: 0), .moved(ann, turn: 0))
        #expect(bench.match.race?.leader == bob)
        bench.play(.moved(ann, turn: 0))
        #expect(bench.match.race?.leader == ann)
    }

    @Test func `when the leader forfeits the foremost of the others leads`() {
        var bench = Bench.racing(3, .dash)
        bench.play(.moved(fay, turn: 0), .moved(ann, turn: 0), .moved(ann, turn: 0), .left(ann))
        bench.play(.deadlinePassed)
        #expect(bench.match.ending?.outcome == Outcome(winner: player3, reason: .idle))
    }

    @Test func `when the leader forfeits, of two on one field still the one who came there first leads`() {
        for order in [[bob, fay], [fay, bob]] {
            var bench = Bench.racing(3, .dash)
            for seat in order { bench.play(.moved(seat, turn: 0)) }
            bench.play(.moved(ann, turn: 0), .moved(ann, turn: 0), .left(ann), .deadlinePassed)
            #expect(
                bench.match.ending?.outcome == Outcome(winner: PlayerNumber(order[0].value), reason: .idle))
        }
    }

    @Test func `when nobody ever moved there is no result`() {
        var bench = Bench.racing(2, .dash)
        #expect(
            bench.play(.deadlinePassed) == [
                .over(sequence: 1, Outcome(winner: nil, reason: .noMoves)), .startClock(.rematch),
            ])
    }

    @Test func `when only a leaver had moved there is no result`() {
        var bench = Bench.racing(3, .dash)
        bench.play(.moved(ann, turn: 0), .left(ann), .deadlinePassed)
        #expect(bench.match.ending?.outcome == Outcome(winner: nil, reason: .noMoves))
    }
}
