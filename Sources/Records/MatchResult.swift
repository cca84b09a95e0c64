package import RaceModel
import WireProtocol

/// What counts of a finished race. It follows from the record alone, so that a leaderboard can be worked out
/// again from the records.
package struct MatchResult: Hashable, Sendable {
    package struct Place: Hashable, Sendable {
        package var player: PlayerID
        package var hasWon: Bool
        package var hasForfeited: Bool
        package init(player: PlayerID, hasWon: Bool, hasForfeited: Bool) {
            self.player = player
            self.hasWon = hasWon
            self.hasForfeited = hasForfeited
        }
    }

    package var match: MatchID
    package var rule: RaceSettings.Rule
    /// Whether it changes anybody's standing: at least two of its players were no computer opponents, and it
    /// did not end without moves or with nobody left.
    package var counts: Bool
    /// Of the players who are no computer opponents, best first.
    package var places: [Place]

    package init(_ record: MatchRecord) {
        var places: [Place] = []
        for standing in record.over.standings where record.order.indices.contains(standing.player.index) {
            let seat = record.order[standing.player.index]
            guard record.found.seats.indices.contains(seat.index) else { continue }
            let player = record.found.seats[seat.index].player
            guard player.value != 0 else { continue }
            places.append(
                Place(
                    player: player, hasWon: record.over.outcome.winner == standing.player,
                    hasForfeited: record.forfeited.contains(seat)))
        }
        self.match = record.found.match
        self.rule = record.found.settings.rule
        self.places = places
        self.counts = places.count >= 2 && record.over.outcome.winner != nil
    }
}
