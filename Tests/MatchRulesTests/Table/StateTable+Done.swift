import MatchRules
import RaceModel
import Testing

extension StateTable {
    static var done: [Scene] {
        [
            Self.bobWantsARematch, Self.onlyFayHasNotAgreed, Self.onlyTwo, Self.onlyAHeldSeat, Self.closed,
            Self.cancelled,
        ]
    }

    /// Bob has won a dash of three, and wants another.
    private static var raced: Bench {
        var bench = Bench.racing(3, .dash, finish: 1)
        bench.play(.moved(bob, turn: 0), .offeredRematch(bob))
        return bench
    }

    private static var bobWantsARematch: Scene {
        var bench = Self.raced
        bench.play(.dropped(fay))
        return Scene(
            "the race is over, bob wants a rematch, fay is gone", bench,
            Self.outOfPlace
                + [
                    .row(.offeredRematch(ann), [.rematchOffered(ann)]),
                    .refused(.offeredRematch(bob), .alreadyAgreed),
                    .refused(.offeredRematch(dan), .notSeated),
                    .row(.withdrewRematch(bob), [.rematchWithdrawn(bob)]),
                    .refused(.withdrewRematch(ann), .notAgreed),
                    .row(.left(ann), [.departed(ann)]),
                    .row(.left(bob), [.departed(bob), .rematchWithdrawn(bob)]),
                    .row(.left(fay), [.releaseSeat(fay), .departed(fay)]),
                    .refused(.left(dan), .notSeated),
                    .row(.dropped(ann), [.holdSeat(ann), .gone(ann)]),
                    .refused(.dropped(fay), .alreadyGone),
                    .row(.returned(fay), [.releaseSeat(fay), .back(fay)]),
                    .refused(.returned(ann), .notGone),
                    .row(.graceExpired(fay), [.releaseSeat(fay), .departed(fay)]),
                    .refused(.graceExpired(ann), .notGone),
                    .row(.deadlinePassed, [.departed(ann), .departed(bob), .startClock(.rematch)]),
                ])
    }

    private static var onlyFayHasNotAgreed: Scene {
        var bench = Self.raced
        bench.play(.offeredRematch(ann))
        return Scene(
            "the race is over, all but fay want a rematch", bench,
            Self.outOfPlace
                + [
                    .row(
                        .offeredRematch(fay),
                        [.rematchOffered(fay), .rematchAgreed(.first(3)), .stopClock, .closed]),
                    .row(.withdrewRematch(ann), [.rematchWithdrawn(ann)]),
                    .refused(.withdrewRematch(fay), .notAgreed),
                    .row(.left(fay), [.departed(fay), .rematchAgreed(.first(2)), .stopClock, .closed]),
                    .row(.left(ann), [.departed(ann), .rematchWithdrawn(ann)]),
                    .row(.dropped(bob), [.holdSeat(bob), .gone(bob)]),
                    .refused(.returned(bob), .notGone),
                    .refused(.graceExpired(bob), .notGone),
                    .row(.deadlinePassed, [.stopClock, .closed]),
                ])
    }

    private static var onlyTwo: Scene {
        var bench = Bench.racing(2, .dash, finish: 1)
        bench.play(.moved(ann, turn: 0), .offeredRematch(ann), .dropped(bob))
        return Scene(
            "a race of two is over, ann wants a rematch, bob is gone", bench,
            Self.outOfPlace
                + [
                    .refused(.offeredRematch(ann), .alreadyAgreed),
                    .row(.withdrewRematch(ann), [.rematchWithdrawn(ann)]),
                    .row(
                        .left(ann), [.departed(ann), .rematchWithdrawn(ann)]),
                    .row(.left(bob), [.releaseSeat(bob), .departed(bob), .stopClock, .closed]),
                    .row(.dropped(ann), [.holdSeat(ann), .gone(ann)]),
                    .row(.returned(bob), [.releaseSeat(bob), .back(bob)]),
                    .row(.graceExpired(bob), [.releaseSeat(bob), .departed(bob), .stopClock, .closed]),
                    .row(.deadlinePassed, [.departed(ann), .startClock(.rematch)]),
                ])
    }

    /// Who is gone has yet to be told how it ended.
    private static var onlyAHeldSeat: Scene {
        var bench = Bench.racing(2, .dash, finish: 1)
        bench.play(.dropped(bob), .moved(ann, turn: 0), .left(ann))
        return Scene(
            "a race of two is over, ann has left, bob is gone", bench,
            Self.outOfPlace
                + [
                    .refused(.left(ann), .notSeated),
                    .row(.left(bob), [.releaseSeat(bob), .departed(bob), .stopClock, .closed]),
                    .refused(.dropped(bob), .alreadyGone),
                    .row(.returned(bob), [.releaseSeat(bob), .back(bob), .stopClock, .closed]),
                    .row(.graceExpired(bob), [.releaseSeat(bob), .departed(bob), .stopClock, .closed]),
                    .row(.offeredRematch(bob), [.rematchOffered(bob)]),
                    .refused(.withdrewRematch(bob), .notAgreed),
                    .row(.deadlinePassed, [.releaseSeat(bob), .stopClock, .closed]),
                ])
    }

    private static var closed: Scene {
        var bench = Self.raced
        bench.play(.dropped(fay), .deadlinePassed, .deadlinePassed)
        return Scene("the race is over and the match closed", bench, Self.outOfPlace + Self.nothingCounts)
    }

    private static var cancelled: Scene {
        var bench = Bench.starting()
        bench.play(.left(bob))
        return Scene("the match was cancelled before the race", bench, Self.outOfPlace + Self.nothingCounts)
    }

    private static var nothingCounts: [Scene.Row] {
        [
            .refused(.left(ann), .closed),
            .refused(.dropped(ann), .closed),
            .refused(.returned(fay), .closed),
            .refused(.graceExpired(fay), .notGone),
            .refused(.offeredRematch(ann), .closed),
            .refused(.withdrewRematch(bob), .closed),
            .refused(.deadlinePassed, .closed),
        ]
    }

    /// What never counts once a race is over.
    private static var outOfPlace: [Scene.Row] {
        [
            .refused(.joined(ann), .wrongState),
            .refused(.namesKnown(ann), .wrongState),
            .refused(.drewNumber(ann, round: 0, number: 9), .wrongState),
            .refused(.began(ann), .wrongState),
            .refused(.moved(ann, turn: 0), .wrongState),
        ]
    }
}
