import MatchRules
import RaceModel
import Testing

extension StateTable {
    static var waitingForRandomNumber: [Scene] { [Self.annHasDrawn, Self.annAndBobAreTied] }

    private static var annHasDrawn: Scene {
        var bench = Bench.drawing()
        bench.chance.numbers = [[70, 80]]
        bench.play(.drewNumber(ann, round: 1, number: 75))
        return Scene(
            "ann has drawn 75, bob has not; the server would draw 80 for bob", bench,
            [
                .refused(.joined(ann), .wrongState),
                .refused(.namesKnown(ann), .wrongState),
                .row(
                    .drewNumber(bob, round: 1, number: 99), to: .waitingForStart,
                    Self.shown(75, 99) + [.ordered(Lineup([bob, ann])), .startClock(.start)]),
                .row(
                    .drewNumber(bob, round: 0, number: 7), to: .waitingForStart,
                    Self.shown(75, 7) + [.ordered(Lineup([ann, bob])), .startClock(.start)]),
                .row(
                    .drewNumber(bob, round: 1, number: nil), to: .waitingForStart,
                    Self.shown(75, 80, bobsByServer: true)
                        + [.ordered(Lineup([bob, ann])), .startClock(.start)]),
                .row(
                    .drewNumber(bob, round: 1, number: 75),
                    Self.shown(75, 75) + [.roundOpened(2, .first(2)), .startClock(.number)]),
                .refused(.drewNumber(ann, round: 1, number: 99), .alreadyDrew),
                .refused(.drewNumber(bob, round: 2, number: 99), .wrongRound),
                .refused(.drewNumber(fay, round: 1, number: 99), .notSeated),
                .refused(.began(ann), .wrongState),
                .refused(.moved(ann, turn: 0), .wrongState),
                .row(
                    .left(ann), to: .done,
                    [.cancelled(by: ann, .left), .departed(ann), .stopClock, .closed]),
                .row(.dropped(bob), [.holdSeat(bob), .gone(bob)]),
                .refused(.returned(bob), .notGone),
                .refused(.graceExpired(bob), .notGone),
                .refused(.offeredRematch(ann), .wrongState),
                .refused(.withdrewRematch(ann), .wrongState),
                .row(
                    .deadlinePassed, to: .waitingForStart,
                    Self.shown(75, 80, bobsByServer: true)
                        + [.ordered(Lineup([bob, ann])), .startClock(.start)]),
            ])
    }

    private static var annAndBobAreTied: Scene {
        var bench = Bench.drawing(3)
        bench.play(.drewNumber(ann, round: 1, number: 9), .drewNumber(bob, round: 1, number: 9))
        bench.play(.drewNumber(fay, round: 1, number: 1), .dropped(bob))
        let fayThird: [Match.Effect] = [.ordered(Lineup([bob, ann, fay])), .startClock(.start)]
        return Scene(
            "ann and bob are tied ahead of fay and draw a second time; bob is gone", bench,
            [
                .refused(.joined(ann), .wrongState),
                .refused(.namesKnown(ann), .wrongState),
                .row(.drewNumber(ann, round: 2, number: 5), []),
                .refused(.drewNumber(ann, round: 1, number: 5), .wrongRound),
                .refused(.drewNumber(fay, round: 2, number: 5), .notTied),
                .refused(.began(ann), .wrongState),
                .refused(.moved(ann, turn: 0), .wrongState),
                .row(
                    .left(fay), to: .done,
                    [.cancelled(by: fay, .left), .departed(fay), .releaseSeat(bob), .stopClock, .closed]),
                .refused(.dropped(bob), .alreadyGone),
                .row(.returned(bob), [.releaseSeat(bob), .back(bob)]),
                .row(
                    .graceExpired(bob), to: .done,
                    [.releaseSeat(bob), .cancelled(by: bob, .gone), .departed(bob), .stopClock, .closed]),
                .refused(.offeredRematch(ann), .wrongState),
                .refused(.withdrewRematch(ann), .wrongState),
                .row(
                    .deadlinePassed, to: .waitingForStart,
                    [
                        .revealed(round: 2, seat: ann, number: 1, byServer: true),
                        .revealed(round: 2, seat: bob, number: 2, byServer: true),
                    ] + fayThird),
            ])
    }

    /// Round 1 is shown; ann drew her own.
    private static func shown(
        _ anns: UInt32, _ bobs: UInt32, bobsByServer: Bool = false
    ) -> [Match.Effect] {
        [
            .revealed(round: 1, seat: ann, number: anns, byServer: false),
            .revealed(round: 1, seat: bob, number: bobs, byServer: bobsByServer),
        ]
    }
}
