package import RaceModel

extension Match {
    /// What can happen to a match. Past tense: whether it counts is for the match to say.
    package enum Event: Hashable, Sendable {
        /// Seats join in order: 1, 2, …
        case joined(Seat)
        /// The alias of the player at this seat has been looked up.
        case namesKnown(Seat)
        /// Round 0 is the round that is open; a nil number asks the server to draw.
        case drewNumber(Seat, round: UInt8, number: UInt32?)
        case began(Seat)
        /// Turn 0 is the turn that is open, and the only one in dash.
        case moved(Seat, turn: UInt32)
        /// Of their own will: for good.
        case left(Seat)
        /// The connection is gone; the seat is held.
        case dropped(Seat)
        case returned(Seat)
        /// A held seat's time is over.
        case graceExpired(Seat)
        case offeredRematch(Seat)
        case withdrewRematch(Seat)
        /// The clock that was started last has run out.
        case deadlinePassed
    }
}
