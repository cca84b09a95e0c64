import Fairness
import MatchRules
import RaceModel

/// A match's chance, all of it from one sealed nonce.
struct SealedChance: Chance, Sendable {
    let nonce: SealedNonce
    /// Known once the draw is settled.
    var dice: DiceStream?

    init(nonce: SealedNonce) { self.nonce = nonce }

    mutating func roll() -> UInt8 {
        precondition(self.dice != nil, "dice are thrown only behind the draw")
        return self.dice!.roll()
    }

    func number(round: UInt8, seat: Seat) -> UInt32 { self.nonce.drawnNumber(round: round, seat: seat) }
    func mask(round: UInt8, seat: Seat) -> UInt32 { self.nonce.mask(round: round, seat: seat) }
}
