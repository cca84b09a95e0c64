/// Why an event does not count.
package enum Refusal: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// This is not what the match waits for.
    case wrongState
    /// Nobody sits there, or no longer.
    case notSeated
    case alreadyJoined
    case alreadyDrew
    /// The number is for a round that is not open.
    case wrongRound
    /// Only the tied draw again, and this seat is not among them.
    case notTied
    case notPlayerOne
    case notYourTurn
    /// The move answers a turn that is over, or one that has not come.
    case staleTurn
    /// The seat has forfeited.
    case outOfRace
    case alreadyAgreed
    case notAgreed
    case alreadyGone
    case notGone
    /// The match is closed.
    case closed
}
