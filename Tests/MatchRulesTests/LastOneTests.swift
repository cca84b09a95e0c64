import MatchRules
import RaceModel
import Testing

/// Who is left when others leave.
@Suite struct LastOneTests {
    @Test func `the last one left wins`() {
        for rule in RaceSettings.Rule.allCases {
            var bench = Bench.racing(3, rule)
            bench.play(.left(ann))
            #expect(bench.match.stateName == .active)
            bench.play(.left(fay))
            #expect(
                bench.match.ending?.outcome == Outcome(winner: player2, reason: .forfeit), "\(rule)")
            #expect(bench.match.isClosed, "nobody is left for a rematch")
        }
    }

    @Test func `the last one left wins by missed turns too, and all can race again`() {
        var bench = Bench.racing(2)
        bench.play(.deadlinePassed, .moved(bob, turn: 2), .deadlinePassed)
        #expect(bench.match.ending?.outcome == Outcome(winner: player2, reason: .forfeit))
        #expect(!bench.match.isClosed)
        let effects = bench.play(.offeredRematch(ann), .offeredRematch(bob))
        #expect(effects.contains(.rematchAgreed(.first(2))))
    }

    @Test func `a dropped connection is not leaving: the seat is held and the turn clock goes on`() {
        var bench = Bench.racing()
        #expect(bench.play(.dropped(ann)) == [.holdSeat(ann), .gone(ann)])
        #expect(bench.match.stateName == .active)
        #expect(bench.onTurn == player1)
        #expect(bench.play(.returned(ann)) == [.releaseSeat(ann), .back(ann)])
        bench.play(.moved(ann, turn: 1))
    }

    @Test func `who is gone for the whole grace time forfeits`() {
        var bench = Bench.racing(3)
        bench.play(.dropped(bob))
        #expect(
            bench.play(.graceExpired(bob)) == [
                .releaseSeat(bob), .forfeited(sequence: 2, player: player2, reason: .gone), .departed(bob),
            ])
        bench.refuse(.graceExpired(bob), .notGone)
        bench.refuse(.returned(bob), .notSeated)
        bench.refuse(.moved(bob, turn: 1), .notSeated)
    }

    @Test func `the last one left, if gone, is waited for, and wins on return`() {
        for rule in RaceSettings.Rule.allCases {
            var bench = Bench.racing(2, rule)
            bench.play(.dropped(bob), .left(ann))
            #expect(bench.match.stateName == .active)
            let effects = bench.play(.returned(bob))
            #expect(effects.prefix(2) == [.releaseSeat(bob), .back(bob)])
            #expect(bench.match.ending?.outcome == Outcome(winner: player2, reason: .forfeit))
        }
    }

    @Test func `with both gone the race is abandoned when the second one's time is over`() {
        for rule in RaceSettings.Rule.allCases {
            var bench = Bench.racing(2, rule)
            bench.play(.dropped(ann), .dropped(bob), .graceExpired(ann))
            #expect(bench.match.stateName == .active)
            let effects = bench.play(.graceExpired(bob))
            #expect(bench.match.ending?.outcome == Outcome(winner: nil, reason: .abandoned))
            #expect(effects.suffix(4) == [.departed(bob), .startClock(.rematch), .stopClock, .closed])
        }
    }

    @Test func `who returns while others race on has not won`() {
        var bench = Bench.racing(3)
        bench.play(.dropped(bob), .left(ann))
        #expect(bench.play(.returned(bob)) == [.releaseSeat(bob), .back(bob)])
        #expect(bench.match.stateName == .active)
    }

    @Test func `who is out and returns does not win for the last one, who is gone`() {
        var bench = Bench.racing(3)
        bench.play(.deadlinePassed, .moved(bob, turn: 2), .moved(fay, turn: 3), .deadlinePassed)
        bench.play(.dropped(ann), .dropped(fay), .left(bob), .returned(ann))
        #expect(bench.match.stateName == .active)
        bench.play(.returned(fay))
        #expect(bench.match.ending?.outcome == Outcome(winner: player3, reason: .forfeit))
    }

    @Test func `the last to leave hears how it ended before they are gone`() {
        var bench = Bench.racing()
        let effects = bench.play(.left(ann))
        let over = effects.firstIndex(of: .over(sequence: 3, Outcome(winner: player2, reason: .forfeit)))
        let departed = effects.firstIndex(of: .departed(ann))
        #expect(over == 1 && departed == 2)
    }
}
