import MatchRules
import RaceModel

/// Which events are tried in a state: each of the twelve by every seat, with every value it can tell apart.
enum EventSource {
    static func events(for match: Match, in configuration: Configuration) -> [Match.Event] {
        var events: [Match.Event] = [.deadlinePassed]
        for index in 0..<configuration.size + (configuration.hasStranger ? 1 : 0) {
            let seat = Seat(index: index)
            events += [
                .joined(seat), .namesKnown(seat), .began(seat), .left(seat), .dropped(seat), .returned(seat),
                .graceExpired(seat), .offeredRematch(seat), .withdrewRematch(seat),
            ]
            self.addNumbers(of: seat, for: match, tiedRounds: configuration.tiedRounds, to: &events)
            self.addMoves(of: seat, for: match, to: &events)
        }
        return events
    }

    /// For the open round both numbers that can tie, or the one that cannot, and the server's; one number for
    /// the round before and one for the round after.
    private static func addNumbers(
        of seat: Seat, for match: Match, tiedRounds: UInt8, to events: inout [Match.Event]
    ) {
        guard let round = match.draw?.round else {
            return events.append(.drewNumber(seat, round: 0, number: 1))
        }
        events.append(.drewNumber(seat, round: 0, number: nil))
        events.append(.drewNumber(seat, round: round + 1, number: 1))
        if round > 1 { events.append(.drewNumber(seat, round: round - 1, number: 1)) }
        if round > tiedRounds {
            events.append(.drewNumber(seat, round: 0, number: BranchingChance.distinctNumber(of: seat)))
        } else {
            events.append(.drewNumber(seat, round: 0, number: 1))
            events.append(.drewNumber(seat, round: round, number: 2))
        }
    }

    /// The open turn by both its names, the one before and the one after.
    private static func addMoves(of seat: Seat, for match: Match, to events: inout [Match.Event]) {
        events.append(.moved(seat, turn: 0))
        guard case .active(let race) = match.phase else { return }
        events.append(.moved(seat, turn: race.turn + 1))
        if race.turn > 0 { events.append(.moved(seat, turn: race.turn)) }
        if race.turn > 1 { events.append(.moved(seat, turn: race.turn - 1)) }
    }
}
