import RaceModel
import WireProtocol

/// What every record has, whatever happened in its race. Each says what is wrong; nil when nothing is.
extension MatchRecord {
    static func fault(in found: MatchFound) -> String? {
        guard found.ownSeat == nil else { return "the found of a record has no seat: it is a spectator's" }
        let seats = found.seats.map(\.seat)
        guard seats.count >= 2, seats == (0..<seats.count).map({ Seat(index: $0) }) else {
            return "seats are numbered from 1, in order, and there are 2 to \(Limits.playersPerMatch)"
        }
        guard found.settings.finish >= 1, found.settings.finish <= Limits.finish else {
            return "the finish is 1 to \(Limits.finish)"
        }
        let players = found.seats.map(\.player).filter { $0.value != 0 }
        guard Set(players).count == players.count else { return "a player has one seat" }
        return nil
    }

    static func fault(in numbers: [RevealedNumber], of found: MatchFound) -> String? {
        guard numbers.count <= Int(Limits.drawRounds) * Limits.playersPerMatch else {
            return "there are at most \(Limits.drawRounds) rounds of numbers"
        }
        guard numbers.allSatisfy({ $0.seat.index < found.seats.count }) else {
            return "a number is of one of the \(found.seats.count) seats"
        }
        return nil
    }

    static func fault(in order: [Seat], of found: MatchFound) -> String? {
        order.sorted() == found.seats.map(\.seat) ? nil : "each seat has one place in the order"
    }

    /// - Parameter events: nil when they were not kept.
    static func fault(in over: GameOver, after events: RaceLog?, of found: MatchFound) -> String? {
        let players = (0..<found.seats.count).map { PlayerNumber(index: $0) }
        guard over.standings.map(\.player).sorted() == players,
            over.standings.map(\.rank) == players.map(\.value)
        else { return "each player has one place, and places are numbered from 1, in order" }
        guard over.outcome.winner.map({ $0 == over.standings[0].player }) ?? true else {
            return "the winner has the first place"
        }
        if let events, over.sequence != UInt32(events.count) + 1 {
            return "over is event \(events.count + 1)"
        }
        return nil
    }
}
