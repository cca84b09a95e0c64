package import RaceModel
package import WireProtocol

/// All of one finished race: what a spectator who was there from the beginning has read, and its end.
package struct MatchRecord: Hashable, Sendable {
    /// Match, settings, seal and seats. `ownSeat` is nil.
    package var found: MatchFound
    /// Every number that was revealed, in order.
    package var numbers: [RevealedNumber]
    /// Seats in order of play.
    package var order: [Seat]
    /// Nil when there were more than `Limits.loggedEvents`: then only their digest is left, in `over`.
    package var events: RaceLog?
    /// With the opened nonce, the digest, winner and places.
    package var over: GameOver

    package init(
        found: MatchFound, numbers: [RevealedNumber], order: [Seat], events: RaceLog?, over: GameOver
    ) {
        self.found = found
        self.numbers = numbers
        self.order = order
        self.events = events
        self.over = over
    }
}
