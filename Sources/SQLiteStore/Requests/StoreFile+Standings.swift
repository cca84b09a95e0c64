import Lobby
package import RaceModel
package import Records

extension StoreFile {
    func standing(_ player: Int64, _ rule: RaceSettings.Rule) throws(DatabaseError) -> PlayerStanding? {
        var standing: PlayerStanding?
        try self.database.rows(
            "SELECT races, wins, forfeits, best, run, since FROM standings WHERE player = ? AND rule = ?",
            [.number(player), .number(Int64(rule.rawValue))]
        ) { row in standing = PlayerStanding(row, from: 0) }
        return standing
    }

    /// 1 and how many have more wins.
    private func rank(wins: UInt32, _ rule: RaceSettings.Rule) throws(DatabaseError) -> UInt32 {
        let more = try self.database.number(
            "SELECT sum(players) FROM win_counts WHERE rule = ? AND wins > ?",
            .number(Int64(rule.rawValue)), .number(Int64(wins)))
        return UInt32(clamping: 1 + (more ?? 0))
    }

    package func history(_ alias: Alias) throws(DatabaseError) -> ResultAnswer {
        let found = try self.find(alias)
        guard case .found(let player) = found, let id = Self.number(player.id) else { return .noSuchPlayer }
        var entries: [PlayerHistory.Entry] = []
        for rule in RaceSettings.Rule.allCases {
            let standing = try self.standing(id, rule)
            var rank: UInt32?
            if let standing { rank = try self.rank(wins: standing.wins, rule) }
            entries.append(
                PlayerHistory.Entry(rule: rule, standing: standing ?? PlayerStanding(), rank: rank))
        }
        return .history(PlayerHistory(player: player.id, alias: player.alias, entries: entries))
    }

    package func leaderboard(
        _ rule: RaceSettings.Rule, page: UInt16, asker: PlayerID?
    ) throws(DatabaseError) -> ResultAnswer {
        let ruleNumber = Value.number(Int64(rule.rawValue))
        let all = try self.database.number("SELECT sum(players) FROM win_counts WHERE rule = ?", ruleNumber)
        let shown = min(Int(all ?? 0), Limits.leaderboardPlaces)
        let pages = max(1, (shown + Limits.pageEntries - 1) / Limits.pageEntries)
        let page = max(1, Int(page))
        let first = (page - 1) * Limits.pageEntries
        var entries: [RankedPlayer] = []
        // Who is on the page is read from the index alone, the rest only of these.
        try self.database.rows(
            """
            SELECT standings.player, alias, standings.wins, races FROM (
                SELECT player, wins, since FROM standings WHERE rule = ?1
                ORDER BY wins DESC, since, player LIMIT ?2 OFFSET ?3) AS shown
            JOIN standings ON standings.player = shown.player AND standings.rule = ?1
            JOIN players ON players.id = shown.player
            ORDER BY shown.wins DESC, shown.since, shown.player
            """,
            [
                ruleNumber, .number(Int64(min(Limits.pageEntries, max(0, shown - first)))),
                .number(Int64(first)),
            ]
        ) { row throws(DatabaseError) in
            guard let alias = Alias(row.text(1)) else { throw .damaged("player \(row.number(0))") }
            entries.append(
                RankedPlayer(
                    rank: UInt32(first + entries.count + 1), player: PlayerID(UInt64(row.number(0))),
                    alias: alias, wins: UInt32(clamping: row.number(2)),
                    races: UInt32(clamping: row.number(3))
                ))
        }
        // Equal wins, equal rank: that of the first of them, who may stand on an earlier page.
        for index in entries.indices {
            if index > 0, entries[index].wins == entries[index - 1].wins {
                entries[index].rank = entries[index - 1].rank
            } else if index == 0 {
                entries[0].rank = try self.rank(wins: entries[0].wins, rule)
            }
        }
        var ownRank: UInt32?
        if let asker = asker.flatMap(Self.number), let own = try self.standing(asker, rule) {
            ownRank = try self.rank(wins: own.wins, rule)
        }
        return .leaderboard(
            LeaderboardPage(
                rule: rule, page: UInt16(page), of: UInt16(pages), entries: entries, ownRank: ownRank))
    }
}

extension PlayerStanding {
    /// Six columns of a row, in the order of this type's values.
    init(_ row: Statement, from column: Int32) {
        self.init()
        self.races = UInt32(clamping: row.number(column))
        self.wins = UInt32(clamping: row.number(column + 1))
        self.forfeits = UInt32(clamping: row.number(column + 2))
        self.best = UInt32(clamping: row.number(column + 3))
        self.run = UInt32(clamping: row.number(column + 4))
        self.since = UInt64(clamping: row.number(column + 5))
    }
}
