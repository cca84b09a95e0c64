import MatchRules
import RaceModel

/// Chance that falls as the test says.
struct ScriptedChance: Chance {
    /// What the die shows, one after the other; then it shows 1.
    var rolls: [UInt8] = []
    /// The server's numbers by round, in order of seats; elsewhere the seat's own number, so that seat 1
    /// draws 1.
    var numbers: [[UInt32]] = []
    /// By round, in order of seats; elsewhere 0.
    var masks: [[UInt32]] = []

    mutating func roll() -> UInt8 { self.rolls.isEmpty ? 1 : self.rolls.removeFirst() }

    func number(round: UInt8, seat: Seat) -> UInt32 {
        Self.entry(self.numbers, round, seat) ?? UInt32(seat.value)
    }

    func mask(round: UInt8, seat: Seat) -> UInt32 { Self.entry(self.masks, round, seat) ?? 0 }

    private static func entry(_ table: [[UInt32]], _ round: UInt8, _ seat: Seat) -> UInt32? {
        guard round <= table.count, seat.index < table[Int(round) - 1].count else { return nil }
        return table[Int(round) - 1][seat.index]
    }
}
