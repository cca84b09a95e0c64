import MatchRules
import RaceModel

/// Walks every way the chance of one event can fall: run the event, then `advance`, until there is no other.
final class Choices {
    private var script: [Int] = []
    private var arities: [Int] = []
    private var used = 0

    /// One of 0..<arity.
    func pick(_ arity: Int) -> Int {
        if self.used == self.script.count {
            self.script.append(0)
            self.arities.append(arity)
        }
        defer { self.used += 1 }
        return self.script[self.used]
    }

    /// To the next way; false when all have been walked, and then all is as new.
    func advance() -> Bool {
        self.used = 0
        while let last = self.script.last, let arity = self.arities.last {
            if last + 1 < arity {
                self.script[self.script.count - 1] = last + 1
                return true
            }
            self.script.removeLast()
            self.arities.removeLast()
        }
        return false
    }
}

/// Chance that takes every value in turn: the die 1...faces, the server's numbers 1 and 2, masks 0 and 3
/// (which turn a 1 into a 2 and a 2 into a 1). Behind the rounds that can tie the numbers differ, so that the
/// draw ends.
struct BranchingChance: Chance {
    let choices: Choices
    let faces: Int
    let tiedRounds: UInt8

    mutating func roll() -> UInt8 { UInt8(1 + self.choices.pick(self.faces)) }

    func number(round: UInt8, seat: Seat) -> UInt32 {
        round <= self.tiedRounds ? UInt32(1 + self.choices.pick(2)) : Self.distinctNumber(of: seat)
    }

    func mask(round: UInt8, seat: Seat) -> UInt32 {
        round <= self.tiedRounds ? UInt32(3 * self.choices.pick(2)) : 0
    }

    static func distinctNumber(of seat: Seat) -> UInt32 { 100 + UInt32(seat.value) }
}
