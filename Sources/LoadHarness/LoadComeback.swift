import RaceModel
import WireProtocol

/// What a player needs to come back into a seat; kept only where connections are cut.
struct LoadComeback: Sendable {
    /// From the first welcome.
    var key: PlayerKey?
    /// When the connection was lost, and how often it was asked for since then; with restarts only.
    var lostAt: Instant?
    var attempts = 0
    /// When the connection that brings the player back was asked for.
    var askedAt = Instant.zero
    /// The state the snapshot showed; nil: events were told instead.
    var snapshotState: MatchState?
    /// The last round of the draw whose numbers were told behind the snapshot.
    var lastRound: UInt8 = 0
    /// That round's numbers, and this player's own.
    var numbers: [UInt32] = []
    var ownNumber: UInt32?
    /// The answer to `why` is on its way: it tells whether there is still a match.
    var awaitsReason = false
    /// In this race the server may have had a request before the cut that was made again behind it.
    var hasRepeated = false

    /// The round to draw in, as far as the numbers tell; nil when this player is not among the tied.
    var openRound: UInt8? {
        guard self.lastRound > 0 else { return 1 }
        guard self.lastRound < Limits.playerDrawRounds, let ownNumber,
            self.numbers.count(where: { $0 == ownNumber }) > 1
        else { return nil }
        return self.lastRound + 1
    }

    mutating func note(_ revealed: RevealedNumber, ownSeat: UInt8) {
        if revealed.round != self.lastRound {
            self.lastRound = revealed.round
            self.numbers = []
            self.ownNumber = nil
        }
        if self.numbers.count < Limits.playersPerMatch { self.numbers.append(revealed.number) }
        if revealed.seat.value == ownSeat { self.ownNumber = revealed.number }
    }
}
