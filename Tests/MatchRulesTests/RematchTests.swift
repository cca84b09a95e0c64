import MatchRules
import RaceModel
import Testing

@Suite struct RematchTests {
    /// A dash that ann has won.
    private static func raced(_ size: Int) -> Bench {
        var bench = Bench.racing(size, .dash, finish: 1)
        bench.play(.moved(ann, turn: 0))
        return bench
    }

    @Test func `when all agree they race again, and the match is closed`() {
        var bench = Self.raced(3)
        #expect(bench.play(.offeredRematch(fay)) == [.rematchOffered(fay)])
        #expect(bench.play(.offeredRematch(ann)) == [.rematchOffered(ann)])
        #expect(
            bench.play(.offeredRematch(bob))
                == [.rematchOffered(bob), .rematchAgreed(.first(3)), .stopClock, .closed])
    }

    @Test func `a wish counts once`() {
        var bench = Self.raced(3)
        bench.play(.offeredRematch(ann))
        bench.refuse(.offeredRematch(ann), .alreadyAgreed)
    }

    @Test func `when the only one who did not agree leaves, the others race again`() {
        var bench = Self.raced(3)
        bench.play(.offeredRematch(ann), .offeredRematch(bob))
        #expect(
            bench.play(.left(fay))
                == [.departed(fay), .rematchAgreed(SeatSet([ann, bob])), .stopClock, .closed])
    }

    @Test func `when who is gone does not come back, the others race again`() {
        var bench = Self.raced(3)
        bench.play(.dropped(fay), .offeredRematch(ann), .offeredRematch(bob))
        #expect(!bench.match.isClosed, "fay may still come back and agree")
        #expect(
            bench.play(.graceExpired(fay)) == [
                .releaseSeat(fay), .departed(fay), .rematchAgreed(SeatSet([ann, bob])), .stopClock, .closed,
            ])
    }

    @Test func `a wish can be taken back, and wished again`() {
        var bench = Self.raced(2)
        bench.play(.offeredRematch(ann))
        #expect(bench.play(.withdrewRematch(ann)) == [.rematchWithdrawn(ann)])
        bench.refuse(.withdrewRematch(ann), .notAgreed)
        #expect(bench.play(.offeredRematch(bob)) == [.rematchOffered(bob)])
        #expect(bench.play(.offeredRematch(ann)).contains(.rematchAgreed(.first(2))))
    }

    @Test func `who leaves takes the wish along`() {
        var bench = Self.raced(3)
        bench.play(.offeredRematch(ann))
        #expect(bench.play(.left(ann)) == [.departed(ann), .rematchWithdrawn(ann)])
        bench.refuse(.offeredRematch(ann), .notSeated)
        bench.refuse(.left(ann), .notSeated)
    }

    @Test func `at the deadline the match is closed`() {
        var bench = Self.raced(2)
        bench.play(.offeredRematch(ann))
        #expect(bench.play(.deadlinePassed) == [.stopClock, .closed])
        bench.refuse(.offeredRematch(bob), .closed)
        bench.refuse(.withdrewRematch(ann), .closed)
        bench.refuse(.deadlinePassed, .closed)
    }

    @Test func `with one player left there is nobody to race again with`() {
        var bench = Self.raced(2)
        bench.play(.offeredRematch(ann))
        #expect(bench.play(.left(bob)) == [.departed(bob), .stopClock, .closed])
    }

    @Test func `who forfeited by missed turns may race again, who left may not`() {
        var bench = Bench.racing(3)
        bench.play(.left(ann), .deadlinePassed, .moved(fay, turn: 3), .deadlinePassed)
        #expect(bench.match.ending?.outcome == Outcome(winner: player3, reason: .forfeit))
        bench.refuse(.offeredRematch(ann), .notSeated)
        let effects = bench.play(.offeredRematch(bob), .offeredRematch(fay))
        #expect(effects.contains(.rematchAgreed(SeatSet([bob, fay]))))
    }

    @Test func `the race and its outcome stay as they were until the end`() {
        var bench = Self.raced(3)
        let race = bench.match.race
        bench.play(.dropped(fay), .offeredRematch(ann), .left(bob), .returned(fay), .deadlinePassed)
        #expect(bench.match.race == race)
        #expect(bench.match.ending?.outcome == Outcome(winner: player1, reason: .finish))
    }
}
