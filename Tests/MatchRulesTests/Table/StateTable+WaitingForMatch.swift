import MatchRules
import RaceModel
import Testing

extension StateTable {
    static var waitingForMatch: [Scene] { [Self.nobodyJoined, Self.annJoined, Self.bobsNameIsMissing] }

    private static var nobodyJoined: Scene {
        Scene(
            "two seats, nobody has joined", Bench(),
            [
                .row(.joined(ann), [.startClock(.aliasLookUp)]),
                .refused(.joined(bob), .notSeated),
                .refused(.namesKnown(ann), .notSeated),
                .refused(.drewNumber(ann, round: 1, number: 9), .notSeated),
                .refused(.began(ann), .wrongState),
                .refused(.moved(ann, turn: 0), .wrongState),
                .refused(.left(ann), .notSeated),
                .refused(.dropped(ann), .notSeated),
                .refused(.returned(ann), .notSeated),
                .refused(.graceExpired(ann), .notGone),
                .refused(.offeredRematch(ann), .wrongState),
                .refused(.withdrewRematch(ann), .wrongState),
                .row(.deadlinePassed, to: .done, [.cancelled(by: ann, .gone), .stopClock, .closed]),
            ])
    }

    private static var annJoined: Scene {
        var bench = Bench()
        bench.play(.joined(ann), .namesKnown(ann))
        return Scene(
            "ann has joined and is named, bob has not come", bench,
            [
                .refused(.joined(ann), .alreadyJoined),
                .row(.joined(bob), []),
                .refused(.joined(fay), .notSeated),
                .refused(.namesKnown(ann), .alreadyJoined),
                .refused(.namesKnown(bob), .notSeated),
                .row(.drewNumber(ann, round: 0, number: 9), []),
                .row(.drewNumber(ann, round: 1, number: 9), []),
                .row(.drewNumber(ann, round: 1, number: nil), []),
                .refused(.drewNumber(ann, round: 2, number: 9), .wrongRound),
                .refused(.drewNumber(bob, round: 1, number: 9), .notSeated),
                .refused(.began(ann), .wrongState),
                .refused(.moved(ann, turn: 0), .wrongState),
                .row(
                    .left(ann), to: .done,
                    [.cancelled(by: ann, .left), .departed(ann), .stopClock, .closed]),
                .refused(.left(bob), .notSeated),
                .row(.dropped(ann), [.holdSeat(ann), .gone(ann)]),
                .refused(.dropped(bob), .notSeated),
                .refused(.returned(ann), .notGone),
                .refused(.graceExpired(ann), .notGone),
                .refused(.offeredRematch(ann), .wrongState),
                .refused(.withdrewRematch(ann), .wrongState),
                .row(.deadlinePassed, to: .done, [.cancelled(by: bob, .gone), .stopClock, .closed]),
            ])
    }

    private static var bobsNameIsMissing: Scene {
        var bench = Bench()
        bench.play(.joined(ann), .joined(bob), .namesKnown(ann))
        bench.play(.drewNumber(ann, round: 1, number: 9), .dropped(ann))
        return Scene(
            "both have joined, bob's alias is not known yet; ann drew early and is gone", bench,
            [
                .refused(.joined(bob), .alreadyJoined),
                .row(
                    .namesKnown(bob), to: .waitingForRandomNumber,
                    [.matched, .roundOpened(1, .first(2)), .startClock(.number)]),
                .refused(.drewNumber(ann, round: 1, number: 8), .alreadyDrew),
                .row(.drewNumber(bob, round: 1, number: 8), []),
                .refused(.began(ann), .wrongState),
                .refused(.moved(ann, turn: 0), .wrongState),
                .row(
                    .left(ann), to: .done,
                    [.releaseSeat(ann), .cancelled(by: ann, .left), .departed(ann), .stopClock, .closed]),
                .row(
                    .left(bob), to: .done,
                    [.cancelled(by: bob, .left), .departed(bob), .releaseSeat(ann), .stopClock, .closed]),
                .refused(.dropped(ann), .alreadyGone),
                .row(.dropped(bob), [.holdSeat(bob), .gone(bob)]),
                .row(.returned(ann), [.releaseSeat(ann), .back(ann)]),
                .row(
                    .graceExpired(ann), to: .done,
                    [.releaseSeat(ann), .cancelled(by: ann, .gone), .departed(ann), .stopClock, .closed]),
                .refused(.graceExpired(bob), .notGone),
                .refused(.offeredRematch(ann), .wrongState),
                .refused(.withdrewRematch(ann), .wrongState),
                .row(
                    .deadlinePassed, to: .waitingForRandomNumber,
                    [.matched, .roundOpened(1, .first(2)), .startClock(.number)]),
            ])
    }
}
