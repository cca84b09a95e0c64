package import RaceModel

/// What one player has done in races of one rule that count.
package struct PlayerStanding: Hashable, Sendable {
    package var races: UInt32 = 0
    package var wins: UInt32 = 0
    package var forfeits: UInt32 = 0
    /// Most wins in a row.
    package var best: UInt32 = 0
    /// Wins in a row up to the latest race.
    package var run: UInt32 = 0
    /// Which result, in the order in which they were kept, from 1, made the number of wins what it is; 0 without a
    /// win. Who had as many wins earlier stands before who had them later.
    package var since: UInt64 = 0

    package init() {}

    /// Takes in one more race.
    /// - Parameter number: of the result, in the order in which they are kept, from 1.
    package mutating func add(_ place: MatchResult.Place, number: UInt64) {
        self.races += 1
        if place.hasForfeited { self.forfeits += 1 }
        guard place.hasWon else {
            self.run = 0
            return
        }
        self.wins += 1
        self.run += 1
        self.best = max(self.best, self.run)
        self.since = number
    }
}

/// One line of a leaderboard.
package struct RankedPlayer: Hashable, Sendable {
    /// 1 and the number of players with more wins: equal wins, equal rank.
    package var rank: UInt32
    package var player: PlayerID
    package var alias: Alias
    package var wins: UInt32
    package var races: UInt32
    package init(rank: UInt32, player: PlayerID, alias: Alias, wins: UInt32, races: UInt32) {
        self.rank = rank
        self.player = player
        self.alias = alias
        self.wins = wins
        self.races = races
    }
}

/// What is known of one player, for `player`.
package struct PlayerHistory: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var rule: RaceSettings.Rule
        package var standing: PlayerStanding
        /// Nil without a race that counts.
        package var rank: UInt32?
        package init(rule: RaceSettings.Rule, standing: PlayerStanding, rank: UInt32?) {
            self.rule = rule
            self.standing = standing
            self.rank = rank
        }
    }
    package var player: PlayerID
    package var alias: Alias
    /// One a rule, in their order, races or not.
    package var entries: [Entry]
    package init(player: PlayerID, alias: Alias, entries: [Entry]) {
        self.player = player
        self.alias = alias
        self.entries = entries
    }
}

/// A page of a leaderboard: by wins, most first; then who had as many earlier; then by id. Everybody with a race that
/// counts is on it, down to `Limits.leaderboardPlaces`.
package struct LeaderboardPage: Hashable, Sendable {
    package var rule: RaceSettings.Rule
    /// From 1, of how many, at least 1.
    package var page: UInt16
    package var of: UInt16
    package var entries: [RankedPlayer]
    /// Of who asked; nil when they have no race that counts.
    package var ownRank: UInt32?
    package init(
        rule: RaceSettings.Rule, page: UInt16, of: UInt16, entries: [RankedPlayer], ownRank: UInt32?
    ) {
        self.rule = rule
        self.page = page
        self.of = of
        self.entries = entries
        self.ownRank = ownRank
    }
}
