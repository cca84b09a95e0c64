/// How a race ended.
package struct Outcome: Hashable, Sendable, BitwiseCopyable {
    package enum Reason: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// Someone reached the finish.
        case finish = 0
        /// All others forfeited.
        case forfeit = 1
        /// Dash: nobody moved for the idle time; the leader won.
        case idle = 2
        /// Dash: nobody ever moved. No result.
        case noMoves = 3
        /// Nobody was left. No result.
        case abandoned = 4
    }
    package var winner: PlayerNumber?
    package var reason: Reason
    package init(winner: PlayerNumber?, reason: Reason) {
        self.winner = winner
        self.reason = reason
    }
}

/// Why a seat is out of the race.
package enum ForfeitReason: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The player left.
    case left = 0
    /// Two turns in a row were missed.
    case missedTurns = 1
    /// The connection did not come back in time.
    case gone = 2
}
