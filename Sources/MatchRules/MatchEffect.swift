package import RaceModel

extension Match {
    /// What a phase waits for; how long is for `Deadlines` to say.
    package enum Clock: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case aliasLookUp, number, start, turn, idle, rematch
    }

    package enum CancelReason: UInt8, Hashable, Sendable, BitwiseCopyable {
        case left, gone
    }

    /// What is to be done because of an event, in order.
    package enum Effect: Hashable, Sendable, BitwiseCopyable {
        /// The event does not count; the match is as it was. Always alone.
        case refused(Refusal)
        /// Replaces the clock that ran before.
        case startClock(Clock)
        case stopClock
        /// Start, and stop, the grace time of one seat.
        case holdSeat(Seat)
        case releaseSeat(Seat)
        case gone(Seat)
        case back(Seat)
        /// All seats are taken and named.
        case matched
        /// These seats draw; round 1 is everybody, later rounds are the tied.
        case roundOpened(UInt8, SeatSet)
        /// Comes for each number of a round, in order of seats, once all of the round are in.
        case revealed(round: UInt8, seat: Seat, number: UInt32, byServer: Bool)
        case ordered(Lineup)
        /// By player 1, or by the server for them.
        case began(byServer: Bool)
        case turnStarted(sequence: UInt32, turn: UInt32, player: PlayerNumber)
        case moved(
            sequence: UInt32, turn: UInt32, player: PlayerNumber, steps: UInt8, position: UInt32,
            automatic: Bool)
        case forfeited(sequence: UInt32, player: PlayerNumber, reason: ForfeitReason)
        case over(sequence: UInt32, Outcome)
        /// Before active: no result; the other seats go back to the queue.
        case cancelled(by: Seat, CancelReason)
        case rematchOffered(Seat)
        case rematchWithdrawn(Seat)
        /// The seat has nothing to do with this match any more.
        case departed(Seat)
        /// These seats race again; the match is closed.
        case rematchAgreed(SeatSet)
        /// Nothing more can come of this match.
        case closed
    }
}
