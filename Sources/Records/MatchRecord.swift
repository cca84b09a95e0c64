package import RaceModel
package import WireProtocol

/// All of one finished race: what a spectator who was there from the beginning has read, and its end.
///
/// What comes from outside goes through `init(bytes:)` or `init(text:)`, which check that it is a record of one
/// whole race. Whether it keeps to the rules is for `verify` to say.
package struct MatchRecord: Hashable, Sendable {
    /// Match, settings, seal and seats. `ownSeat` is nil.
    package var found: MatchFound
    /// Every number that was revealed, in order.
    package var numbers: [RevealedNumber]
    /// Seats in order of play.
    package var order: [Seat]
    /// Nil when there were `Limits.loggedEvents` or more: then only their digest is left, in `over`.
    package let events: RaceLog?
    /// Seats out of the race at its end. It follows from the events, and is kept where those are not.
    package let forfeited: SeatSet
    /// With the opened nonce, the digest, winner and places.
    package var over: GameOver

    /// - Parameters:
    ///   - events: from the first one; nil when the race was too long to keep them.
    ///   - forfeited: only looked at without events.
    package init(
        found: MatchFound, numbers: [RevealedNumber], order: [Seat], events: RaceLog?,
        forfeited: SeatSet = SeatSet(), over: GameOver
    ) {
        self.found = found
        self.numbers = numbers
        self.order = order
        self.events = events
        self.over = over
        self.forfeited = events.map { Self.forfeited(in: $0, order) } ?? forfeited
    }

    private static func forfeited(in events: RaceLog, _ order: [Seat]) -> SeatSet {
        var seats = SeatSet()
        for player in events.forfeits where order.indices.contains(player.index) {
            seats.insert(order[player.index])
        }
        return seats
    }
}
