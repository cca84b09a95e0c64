package import RaceModel

/// The race itself: who stands where and whose turn it is.
package struct Race: Hashable, Sendable {
    package let lineup: Lineup
    /// The last event's number; events count from 1.
    package internal(set) var sequence: UInt32 = 0
    /// The open turn, from 1; 0 in dash.
    package internal(set) var turn: UInt32 = 0
    /// Whose turn it is; in dash player 1, without meaning.
    package internal(set) var onTurn = PlayerNumber(1)
    /// Fields from the start.
    package internal(set) var positions = SeatTable<UInt32>(repeating: 0)
    /// By which event each seat came to its field; 0 at the start.
    package internal(set) var arrivals = SeatTable<UInt32>(repeating: 0)
    /// Whose latest turn the server rolled.
    package internal(set) var missed = SeatSet()
    /// Dash: the first who reached the foremost field.
    package internal(set) var leader: Seat?

    init(lineup: Lineup) { self.lineup = lineup }

    mutating func nextSequence() -> UInt32 {
        self.sequence += 1
        return self.sequence
    }

    /// The winner first, then by field, then by player number; those who forfeited behind all others.
    package func standings(winner: PlayerNumber?, forfeited: SeatSet) -> [PlayerNumber] {
        (0..<Int(self.lineup.count)).map { PlayerNumber(index: $0) }.sorted { left, right in
            let leftSeat = self.lineup.seat(of: left)
            let rightSeat = self.lineup.seat(of: right)
            if (left == winner) != (right == winner) { return left == winner }
            let leftOut = forfeited.contains(leftSeat)
            if leftOut != forfeited.contains(rightSeat) { return !leftOut }
            if self.positions[leftSeat] != self.positions[rightSeat] {
                return self.positions[leftSeat] > self.positions[rightSeat]
            }
            return left < right
        }
    }
}
