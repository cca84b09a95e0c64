package import RaceModel

/// What the server core asks of whoever keeps the results. Answers come later, in any order; the core never
/// waits.
package enum ResultRequest: Hashable, Sendable {
    /// Keep this race, once, however often it is asked. Answered `kept`; or `delayed`, and `kept` later; or
    /// `lost`.
    case keep(MatchRecord)
    case record(MatchID)
    case history(Alias)
    /// Pages from 1. The rank of `asker` is told too.
    case leaderboard(RaceSettings.Rule, page: UInt16, asker: PlayerID?)
    /// Ids up to this one are in use, or soon will be: a server that starts later uses none of them. The latest
    /// request counts, so that an end in order gives back what was not needed. Not answered.
    case reserveMatches(upTo: MatchID)
    /// Keep these matches, all or none, until a server starts and goes on with them. Answered `kept` or `unavailable`.
    case save([SavedMatch])
}

package enum ResultAnswer: Hashable, Sendable {
    /// It survives the end of the process from now on.
    case kept
    /// The store can't write now; the result waits, in a list that has a limit, and `kept` follows.
    case delayed
    /// The list is full: this result will not be kept.
    case lost
    case record(MatchRecord)
    case noRecord
    case history(PlayerHistory)
    case noSuchPlayer
    case leaderboard(LeaderboardPage)
    /// The store can't answer now.
    case unavailable
}
