import MatchRules
import RaceModel
import Testing

extension StateTable {
    static var waitingForStart: [Scene] {
        [Self.bobIsToBegin(.turns), Self.bobIsToBegin(.dash), Self.bobIsGone]
    }

    private static func bobIsToBegin(_ rule: RaceSettings.Rule) -> Scene {
        var bench = Bench.drawing(2, rule)
        bench.play(.drewNumber(ann, round: 1, number: 1), .drewNumber(bob, round: 1, number: 2))
        let opening: [Match.Effect] =
            switch rule {
            case .turns: [.turnStarted(sequence: 1, turn: 1, player: player1), .startClock(.turn)]
            case .dash: [.startClock(.idle)]
            }
        return Scene(
            "bob is player 1 and is to begin, rule \(rule)", bench,
            [
                .refused(.joined(ann), .wrongState),
                .refused(.namesKnown(ann), .wrongState),
                .refused(.drewNumber(ann, round: 1, number: 9), .wrongState),
                .row(.began(bob), to: .active, [.began(byServer: false)] + opening),
                .refused(.began(ann), .notPlayerOne),
                .refused(.began(fay), .notSeated),
                .refused(.moved(bob, turn: 0), .wrongState),
                .row(
                    .left(ann), to: .done,
                    [.cancelled(by: ann, .left), .departed(ann), .stopClock, .closed]),
                .refused(.left(fay), .notSeated),
                .row(.dropped(bob), [.holdSeat(bob), .gone(bob)]),
                .refused(.returned(bob), .notGone),
                .refused(.graceExpired(bob), .notGone),
                .refused(.offeredRematch(ann), .wrongState),
                .refused(.withdrewRematch(ann), .wrongState),
                .row(.deadlinePassed, to: .active, [.began(byServer: true)] + opening),
            ])
    }

    private static var bobIsGone: Scene {
        var bench = Bench.starting()
        bench.play(.dropped(bob))
        return Scene(
            "ann is to begin; bob is gone", bench,
            [
                .refused(.joined(bob), .wrongState),
                .refused(.namesKnown(bob), .wrongState),
                .refused(.drewNumber(bob, round: 0, number: nil), .wrongState),
                .row(
                    .began(ann), to: .active,
                    [
                        .began(byServer: false), .turnStarted(sequence: 1, turn: 1, player: player1),
                        .startClock(.turn),
                    ]),
                .refused(.moved(ann, turn: 1), .wrongState),
                .row(
                    .left(bob), to: .done,
                    [.releaseSeat(bob), .cancelled(by: bob, .left), .departed(bob), .stopClock, .closed]),
                .refused(.dropped(bob), .alreadyGone),
                .row(.returned(bob), [.releaseSeat(bob), .back(bob)]),
                .row(
                    .graceExpired(bob), to: .done,
                    [.releaseSeat(bob), .cancelled(by: bob, .gone), .departed(bob), .stopClock, .closed]),
                .refused(.offeredRematch(bob), .wrongState),
                .refused(.withdrewRematch(bob), .wrongState),
                .row(
                    .deadlinePassed, to: .active,
                    [
                        .began(byServer: true), .turnStarted(sequence: 1, turn: 1, player: player1),
                        .startClock(.turn),
                    ]),
            ])
    }
}
