import MatchRules
import RaceModel
import Testing

extension StateTable {
    static var activeTurns: [Scene] { [Self.annIsOnTurn, Self.bobMissedOnce, Self.fayIsLastAndGone] }
    static var activeDash: [Scene] { [Self.bobLeads, Self.nobodyMoved] }

    private static var annIsOnTurn: Scene {
        var bench = Bench.racing(2, finish: 10, rolls: [4, 3, 5])
        bench.play(.moved(ann, turn: 1), .moved(bob, turn: 2))
        func fiveMore(automatic: Bool) -> [Match.Effect] {
            [
                .moved(sequence: 6, turn: 3, player: player1, steps: 5, position: 9, automatic: automatic),
                .turnStarted(sequence: 7, turn: 4, player: player2), .startClock(.turn),
            ]
        }
        return Scene(
            "turns to 10: turn 3 is ann's, who stands at 4; the die will show 5", bench,
            Self.outOfPlace
                + [
                    .row(.moved(ann, turn: 3), fiveMore(automatic: false)),
                    .row(.moved(ann, turn: 0), fiveMore(automatic: false)),
                    .refused(.moved(ann, turn: 2), .staleTurn),
                    .refused(.moved(ann, turn: 4), .staleTurn),
                    .refused(.moved(bob, turn: 3), .notYourTurn),
                    .refused(.moved(bob, turn: 0), .notYourTurn),
                    .refused(.moved(bob, turn: 2), .staleTurn),
                    .refused(.moved(fay, turn: 3), .notSeated),
                    .row(
                        .left(ann), to: .done,
                        [
                            .forfeited(sequence: 6, player: player1, reason: .left),
                            .over(sequence: 7, Outcome(winner: player2, reason: .forfeit)), .departed(ann),
                            .startClock(.rematch), .stopClock, .closed,
                        ]),
                    .row(
                        .left(bob), to: .done,
                        [
                            .forfeited(sequence: 6, player: player2, reason: .left),
                            .over(sequence: 7, Outcome(winner: player1, reason: .forfeit)), .departed(bob),
                            .startClock(.rematch), .stopClock, .closed,
                        ]),
                    .row(.dropped(ann), [.holdSeat(ann), .gone(ann)]),
                    .refused(.dropped(fay), .notSeated),
                    .refused(.returned(ann), .notGone),
                    .refused(.returned(fay), .notSeated),
                    .refused(.graceExpired(ann), .notGone),
                    .row(.deadlinePassed, fiveMore(automatic: true)),
                ])
    }

    /// Ann missed two turns and is out, bob missed one and is on turn again, fay is gone. Everybody is near
    /// the finish.
    private static var threeRace: Bench {
        var bench = Bench.racing(3, finish: 5, rolls: [1, 2, 1, 6])
        bench.play(.deadlinePassed, .deadlinePassed, .moved(fay, turn: 3), .deadlinePassed, .dropped(fay))
        return bench
    }

    private static var bobMissedOnce: Scene {
        Scene(
            "turns to 5: turn 5 is bob's, who missed the one before; ann is out, fay is gone", Self.threeRace,
            Self.outOfPlace
                + [
                    .row(
                        .moved(bob, turn: 5), to: .done,
                        [
                            .moved(
                                sequence: 10, turn: 5, player: player2, steps: 6, position: 8,
                                automatic: false),
                            .over(sequence: 11, Outcome(winner: player2, reason: .finish)),
                            .startClock(.rematch),
                        ]),
                    .refused(.moved(ann, turn: 5), .outOfRace),
                    .refused(.moved(fay, turn: 5), .notYourTurn),
                    .row(.left(ann), [.departed(ann)]),
                    .row(
                        .left(bob),
                        [
                            .forfeited(sequence: 10, player: player2, reason: .left), .departed(bob),
                            .turnStarted(sequence: 11, turn: 6, player: player3), .startClock(.turn),
                        ]),
                    .row(
                        .left(fay), to: .done,
                        [
                            .releaseSeat(fay), .forfeited(sequence: 10, player: player3, reason: .left),
                            .over(sequence: 11, Outcome(winner: player2, reason: .forfeit)), .departed(fay),
                            .startClock(.rematch),
                        ]),
                    .row(.dropped(ann), [.holdSeat(ann), .gone(ann)]),
                    .refused(.dropped(fay), .alreadyGone),
                    .row(.returned(fay), [.releaseSeat(fay), .back(fay)]),
                    .row(
                        .graceExpired(fay), to: .done,
                        [
                            .releaseSeat(fay), .forfeited(sequence: 10, player: player3, reason: .gone),
                            .over(sequence: 11, Outcome(winner: player2, reason: .forfeit)), .departed(fay),
                            .startClock(.rematch),
                        ]),
                    .row(
                        .deadlinePassed,
                        [
                            .forfeited(sequence: 10, player: player2, reason: .missedTurns),
                            .turnStarted(sequence: 11, turn: 6, player: player3), .startClock(.turn),
                        ]),
                ])
    }

    private static var fayIsLastAndGone: Scene {
        var bench = Self.threeRace
        bench.play(.deadlinePassed)
        return Scene(
            "turns to 5: ann and bob are out, and fay, the last one, is gone", bench,
            Self.outOfPlace
                + [
                    .refused(.moved(bob, turn: 6), .outOfRace),
                    .row(.left(bob), [.departed(bob)]),
                    .row(.dropped(bob), [.holdSeat(bob), .gone(bob)]),
                    .row(
                        .returned(fay), to: .done,
                        [
                            .releaseSeat(fay), .back(fay),
                            .over(sequence: 12, Outcome(winner: player3, reason: .forfeit)),
                            .startClock(.rematch),
                        ]),
                    .row(
                        .graceExpired(fay), to: .done,
                        [
                            .releaseSeat(fay), .forfeited(sequence: 12, player: player3, reason: .gone),
                            .over(sequence: 13, Outcome(winner: nil, reason: .abandoned)), .departed(fay),
                            .startClock(.rematch),
                        ]),
                    .row(
                        .deadlinePassed, to: .done,
                        [
                            .moved(
                                sequence: 12, turn: 6, player: player3, steps: 6, position: 7, automatic: true
                            ),
                            .over(sequence: 13, Outcome(winner: player3, reason: .finish)),
                            .startClock(.rematch),
                        ]),
                ])
    }

    private static var bobLeads: Scene {
        var bench = Bench.racing(3, .dash, finish: 2)
        bench.play(.moved(bob, turn: 0), .moved(fay, turn: 0))
        return Scene(
            "dash to 2: bob came to 1 first, fay second, ann has not moved", bench,
            Self.outOfPlace
                + [
                    .row(
                        .moved(ann, turn: 0),
                        [
                            .moved(
                                sequence: 3, turn: 0, player: player1, steps: 1, position: 1, automatic: false
                            ),
                            .startClock(.idle),
                        ]),
                    .row(
                        .moved(fay, turn: 0), to: .done,
                        [
                            .moved(
                                sequence: 3, turn: 0, player: player3, steps: 1, position: 2, automatic: false
                            ),
                            .over(sequence: 4, Outcome(winner: player3, reason: .finish)),
                            .startClock(.rematch),
                        ]),
                    .refused(.moved(ann, turn: 1), .staleTurn),
                    .refused(.moved(dan, turn: 0), .notSeated),
                    .row(
                        .left(bob),
                        [.forfeited(sequence: 3, player: player2, reason: .left), .departed(bob)]),
                    .row(.dropped(bob), [.holdSeat(bob), .gone(bob)]),
                    .refused(.returned(bob), .notGone),
                    .refused(.graceExpired(bob), .notGone),
                    .row(
                        .deadlinePassed, to: .done,
                        [
                            .over(sequence: 3, Outcome(winner: player2, reason: .idle)),
                            .startClock(.rematch),
                        ]),
                ])
    }

    private static var nobodyMoved: Scene {
        var bench = Bench.racing(2, .dash)
        bench.play(.dropped(ann))
        return Scene(
            "dash: nobody has moved, ann is gone", bench,
            Self.outOfPlace
                + [
                    .row(
                        .moved(bob, turn: 0),
                        [
                            .moved(
                                sequence: 1, turn: 0, player: player2, steps: 1, position: 1, automatic: false
                            ),
                            .startClock(.idle),
                        ]),
                    .row(
                        .left(bob),
                        [.forfeited(sequence: 1, player: player2, reason: .left), .departed(bob)]),
                    .row(
                        .left(ann), to: .done,
                        [
                            .releaseSeat(ann), .forfeited(sequence: 1, player: player1, reason: .left),
                            .over(sequence: 2, Outcome(winner: player2, reason: .forfeit)), .departed(ann),
                            .startClock(.rematch), .stopClock, .closed,
                        ]),
                    .refused(.dropped(ann), .alreadyGone),
                    .row(.returned(ann), [.releaseSeat(ann), .back(ann)]),
                    .row(
                        .graceExpired(ann), to: .done,
                        [
                            .releaseSeat(ann), .forfeited(sequence: 1, player: player1, reason: .gone),
                            .over(sequence: 2, Outcome(winner: player2, reason: .forfeit)), .departed(ann),
                            .startClock(.rematch), .stopClock, .closed,
                        ]),
                    .row(
                        .deadlinePassed, to: .done,
                        [.over(sequence: 1, Outcome(winner: nil, reason: .noMoves)), .startClock(.rematch)]),
                ])
    }

    /// What never counts while a race is on.
    private static var outOfPlace: [Scene.Row] {
        [
            .refused(.joined(ann), .wrongState),
            .refused(.namesKnown(ann), .wrongState),
            .refused(.drewNumber(ann, round: 0, number: 9), .wrongState),
            .refused(.began(ann), .wrongState),
            .refused(.offeredRematch(ann), .wrongState),
            .refused(.withdrewRematch(ann), .wrongState),
        ]
    }
}
