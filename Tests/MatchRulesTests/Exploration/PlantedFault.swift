import MatchRules
import RaceModel

/// A mistake put between the explorer and the rules, and the invariant that has to notice it.
struct PlantedFault: CustomStringConvertible {
    let description: String
    let noticedBy: Invariant
    let step: Explorer.Step

    init(_ description: String, noticedBy invariant: Invariant, step: @escaping Explorer.Step) {
        self.description = description
        self.noticedBy = invariant
        self.step = step
    }

    /// The right step, its effects edited.
    private static func editing(
        _ edit: @escaping (_ before: Match, Match.Event, Match, inout [Match.Effect]) -> Void
    ) -> Explorer.Step {
        { match, event, chance, effects in
            let before = match
            match.apply(event, chance: &chance, into: &effects)
            edit(before, event, match, &effects)
        }
    }

    /// The wrong state: from `event` on, the first match that came to the same state with the same seats in
    /// it.
    private static func remembering(
        _ state: StateName, from name: EventName, unless isSame: @escaping (Match, Match) -> Bool
    ) -> Explorer.Step {
        final class Memory { var first: [[UInt8]: Match] = [:] }
        let memory = Memory()
        return { match, event, chance, effects in
            match.apply(event, chance: &chance, into: &effects)
            guard match.stateName == state, !match.isClosed else { return }
            let seats = [match.gone.bits, match.forfeited.bits, match.departed.bits]
            guard let first = memory.first[seats] else {
                memory.first[seats] = match
                return
            }
            if event.name == name, !isSame(first, match) { match = first }
        }
    }

    static var all: [PlantedFault] { Self.ofEffects + Self.ofStates }

    private static var ofEffects: [PlantedFault] {
        [
            PlantedFault(
                "a turn starts without its clock", noticedBy: .clockRuns,
                step: Self.editing { _, _, _, effects in effects.removeAll { $0 == .startClock(.turn) } }),
            PlantedFault(
                "who returns starts the clock anew", noticedBy: .clockRuns,
                step: Self.editing { _, event, match, effects in
                    if case .returned = event, match.stateName == .active {
                        effects.append(.startClock(.turn))
                    }
                }),
            PlantedFault(
                "a number is shown as soon as it is in", noticedBy: .numbersHidden,
                step: Self.editing { before, event, match, effects in
                    guard case .drewNumber(let seat, _, _) = event, effects.isEmpty, let draw = match.draw
                    else { return }
                    effects.append(
                        .revealed(
                            round: draw.round, seat: seat, number: draw.number(of: seat), byServer: false))
                }),
            PlantedFault(
                "another number is shown than was drawn", noticedBy: .numbersHidden,
                step: Self.editing { _, _, _, effects in
                    guard case .revealed(let round, let seat, let number, let byServer)? = effects.first
                    else { return }
                    effects[0] = .revealed(round: round, seat: seat, number: number + 1, byServer: byServer)
                }),
            PlantedFault(
                "the second to arrive wins too", noticedBy: .oneOutcome,
                step: Self.editing { _, _, match, effects in
                    guard let over = match.race?.sequence, match.ending?.outcome?.winner == PlayerNumber(1),
                        effects.contains(where: { if case .over = $0 { true } else { false } })
                    else { return }
                    let second = Outcome(winner: PlayerNumber(2), reason: .finish)
                    effects.append(.over(sequence: over + 1, second))
                }),
            PlantedFault(
                "who leaves is not released", noticedBy: .goneSeatsAreHeld,
                step: Self.editing { _, event, _, effects in
                    guard case .left(let seat) = event else { return }
                    effects.removeAll { $0 == .releaseSeat(seat) }
                }),
            PlantedFault(
                "two events have one number", noticedBy: .sequenceRises,
                step: Self.editing { _, _, _, effects in
                    for (index, effect) in effects.enumerated() {
                        guard case .turnStarted(let sequence, let turn, let player) = effect, turn > 1
                        else { continue }
                        effects[index] = .turnStarted(sequence: sequence - 1, turn: turn, player: player)
                    }
                }),
            PlantedFault(
                "a roll by the server looks like the player's own", noticedBy: .missedTwiceIsOut,
                step: Self.editing { _, _, _, effects in
                    guard
                        case .moved(let sequence, let turn, let player, let steps, let position, true)? =
                            effects.first
                    else { return }
                    effects[0] = .moved(
                        sequence: sequence, turn: turn, player: player, steps: steps, position: position,
                        automatic: false)
                }),
            PlantedFault(
                "player 1 is told to be on turn always", noticedBy: .turnsGoRound,
                step: Self.editing { _, _, _, effects in
                    for (index, effect) in effects.enumerated() {
                        guard case .turnStarted(let sequence, let turn, _) = effect else { continue }
                        effects[index] = .turnStarted(sequence: sequence, turn: turn, player: PlayerNumber(1))
                    }
                }),
            PlantedFault(
                "one of two is enough for a rematch", noticedBy: .rematchNeedsAll,
                step: Self.editing { _, event, match, effects in
                    if case .offeredRematch(let seat) = event, effects == [.rematchOffered(seat)] {
                        effects.append(.rematchAgreed(match.members))
                    }
                }),
            PlantedFault(
                "a cancelled match is not told to be closed", noticedBy: .closedIsTold,
                step: Self.editing { _, event, _, effects in
                    if case .left = event { effects.removeAll { $0 == .closed } }
                }),
            PlantedFault(
                "a departure is not told", noticedBy: .departedIsFinal,
                step: Self.editing { _, _, match, effects in
                    if match.stateName == .active {
                        effects.removeAll { if case .departed = $0 { true } else { false } }
                    }
                }),
        ]
    }

    private static var ofStates: [PlantedFault] {
        [
            PlantedFault("player 1 need not begin, ever", noticedBy: .deadlinesEnd) {
                match, event, chance, effects in
                if match.stateName == .waitingForStart, event == .deadlinePassed {
                    return effects.append(.refused(.wrongState))
                }
                match.apply(event, chance: &chance, into: &effects)
            },
            PlantedFault("a deadline gives another chance, and another", noticedBy: .deadlinesEnd) {
                match, event, chance, effects in
                if match.stateName == .waitingForStart, event == .deadlinePassed { return }
                match.apply(event, chance: &chance, into: &effects)
            },
            PlantedFault("a late move is refused, and played", noticedBy: .refusalChangesNothing) {
                match, event, chance, effects in
                let before = match
                match.apply(event, chance: &chance, into: &effects)
                guard effects == [.refused(.staleTurn)], case .moved(let seat, _) = event else { return }
                var ignored: [Match.Effect] = []
                match = before
                match.apply(.moved(seat, turn: 0), chance: &chance, into: &ignored)
            },
            PlantedFault("who is gone can be dropped again", noticedBy: .goneSeatsAreHeld) {
                match, event, chance, effects in
                match.apply(event, chance: &chance, into: &effects)
                if effects == [.refused(.alreadyGone)], case .dropped(let seat) = event {
                    effects = [.holdSeat(seat), .gone(seat)]
                }
            },
            PlantedFault("who has departed wants a rematch", noticedBy: .departedIsFinal) {
                match, event, chance, effects in
                match.apply(event, chance: &chance, into: &effects)
                if case .offeredRematch(let seat) = event, match.ending != nil, match.departed.contains(seat)
                {
                    effects = [.rematchOffered(seat)]
                }
            },
            PlantedFault(
                "who returns finds everybody back at the start", noticedBy: .positionsNeverFall,
                step: Self.remembering(.active, from: .returned) { $0.positions == $1.positions }),
            PlantedFault(
                "who drops changes how it ended", noticedBy: .doneIsFinal,
                step: Self.remembering(.done, from: .dropped) { $0.ending?.outcome == $1.ending?.outcome }),
            PlantedFault(
                "a race goes back to the start line", noticedBy: .noWayBack,
                step: {
                    var line: Match?
                    return { match, event, chance, effects in
                        let before = match
                        match.apply(event, chance: &chance, into: &effects)
                        if match.stateName == .waitingForStart, match.gone.isEmpty { line = line ?? match }
                        if before.stateName == .active, case .left = event, let line { match = line }
                    }
                }()),
        ]
    }
}
