/// How long the server waits, for each thing it waits for. At the end of each something happens, by name.
package struct Deadlines: Hashable, Sendable, BitwiseCopyable {
    /// Waiting for match: once the fewest players are there, for more of them.
    package var fill = Instant.Span.seconds(10)
    /// Waiting for match: for the aliases of a full match; then those missing are shown as `player-17`.
    package var aliasLookUp = Instant.Span.seconds(5)
    /// Waiting for random number: a round; then the server draws for who is silent.
    package var number = Instant.Span.seconds(10)
    /// Waiting for start: for player 1; then the server begins.
    package var start = Instant.Span.seconds(15)
    /// Active, rule `turns`: a turn; then the server rolls, the second time in a row the player forfeits.
    package var turn = Instant.Span.seconds(20)
    /// Active, rule `dash`: without any move; then the leader wins.
    package var idle = Instant.Span.seconds(60)
    /// A seat whose connection is gone is held so long; then it forfeits.
    package var grace = Instant.Span.seconds(30)
    /// Active: for the result to be kept; then everybody is told how the race ended, and that it is not kept yet.
    package var keep = Instant.Span.seconds(1)
    /// Done: for a rematch; then the match is closed.
    package var rematch = Instant.Span.seconds(30)

    package init() {}
}
