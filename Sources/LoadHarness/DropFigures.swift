import RaceModel
import WireProtocol

/// What came of the connections that the run cut itself.
package struct DropFigures: Sendable {
    package var cut = 0
    /// Nobody was in a race when it was due.
    package var skipped = 0
    /// Back in the seat, and told what was missed: as events, or by a snapshot.
    package var returnedByEvents = 0
    package var returnedBySnapshot = 0
    /// By the state that the match was in on return, as `MatchState` numbers them.
    package var returnsByState = [Int](repeating: 0, count: MatchState.allCases.count)
    /// The race was over, and all others had gone on, before the player was back.
    package var endedWhileAway = 0
    package var seatsLost = 0
    /// Lost with the connection, and still to be made.
    package var movesSentAgain = 0
    /// Refused, for the first one had counted after all.
    package var repeatsRefused = 0
    /// Delivered to all, but part of no latency.
    package var movesAround = 0
    /// Their witness did not see all of them.
    package var racesUnwitnessed = 0
    /// From asking for the new connection to being back in the seat.
    package var comingBack = LatencyHistogram()

    package var returned: Int { self.returnedByEvents + self.returnedBySnapshot + self.endedWhileAway }

    package init() {}
}
