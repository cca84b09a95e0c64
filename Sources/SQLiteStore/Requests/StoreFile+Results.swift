import CSQLite
import Lobby
package import RaceModel
package import Records

extension StoreFile {
    /// Keeps a race and what follows from it. False: another race is kept under its id. Only within `write`.
    package func keep(_ race: FinishedRace) throws(DatabaseError) -> Bool {
        guard let match = Int64(exactly: race.result.match.value) else { return false }
        if let kept = try self.recordBytes(race.result.match) { return kept == race.record }
        let number = 1 + (try self.database.number("SELECT max(number) FROM results") ?? 0)
        try self.database.run(
            "INSERT INTO results (match, number, rule, ended, record) VALUES (?, ?, ?, ?, ?)",
            .number(match), .number(number), .number(Int64(race.result.rule.rawValue)), .number(race.ended),
            .bytes(race.record))
        for place in race.result.places {
            guard let player = Self.number(place.player) else { continue }
            try self.database.run("UPDATE players SET has_raced = 1 WHERE id = ?", .number(player))
            // Nobody of this id: there is no one to stand on the leaderboard.
            guard race.result.counts, self.database.changes == 1 else { continue }
            try self.count(place, player, race.result.rule, number: UInt64(number))
        }
        return true
    }

    private func count(
        _ place: MatchResult.Place, _ player: Int64, _ rule: RaceSettings.Rule, number: UInt64
    ) throws(DatabaseError) {
        let old = try self.standing(player, rule)
        var new = old ?? PlayerStanding()
        new.add(place, number: number)
        let ruleNumber = Value.number(Int64(rule.rawValue))
        try self.database.run(
            """
            INSERT INTO standings (player, rule, races, wins, forfeits, best, run, since)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (player, rule) DO UPDATE SET races = excluded.races, wins = excluded.wins,
                forfeits = excluded.forfeits, best = excluded.best, run = excluded.run, since = excluded.since
            """,
            .number(player), ruleNumber, .number(Int64(new.races)), .number(Int64(new.wins)),
            .number(Int64(new.forfeits)), .number(Int64(new.best)), .number(Int64(new.run)),
            .number(Int64(new.since)))
        guard old?.wins != new.wins else { return }
        if let old {
            try self.database.run(
                "UPDATE win_counts SET players = players - 1 WHERE rule = ? AND wins = ?",
                ruleNumber, .number(Int64(old.wins)))
            try self.database.run(
                "DELETE FROM win_counts WHERE rule = ? AND wins = ? AND players = 0",
                ruleNumber, .number(Int64(old.wins)))
        }
        try self.database.run(
            """
            INSERT INTO win_counts (rule, wins, players) VALUES (?, ?, 1)
            ON CONFLICT (rule, wins) DO UPDATE SET players = players + 1
            """, ruleNumber, .number(Int64(new.wins)))
    }

    /// Ids up to this one may be in use; the latest call counts. Only within `write`.
    package func reserveMatches(upTo match: MatchID) throws(DatabaseError) {
        try self.database.run(
            "UPDATE counters SET value = ? WHERE name = 'match'",
            .number(Int64(clamping: match.value)))
    }

    /// The first id that no race had.
    package func firstFreeMatch() throws(DatabaseError) -> MatchID {
        let reserved = try self.database.number("SELECT value FROM counters WHERE name = 'match'") ?? 0
        let kept = try self.database.number("SELECT max(match) FROM results") ?? 0
        return MatchID(UInt64(max(reserved, kept, 0)) + 1)
    }

    package func record(_ match: MatchID) throws(DatabaseError) -> ResultAnswer {
        guard let bytes = try self.recordBytes(match) else { return .noRecord }
        do throws(RecordFault) { return .record(try MatchRecord(bytes: bytes)) } catch {
            throw .damaged("the record of match \(match.value) (\(error.text))")
        }
    }

    private func recordBytes(_ match: MatchID) throws(DatabaseError) -> [UInt8]? {
        guard let match = Int64(exactly: match.value) else { return nil }
        var bytes: [UInt8]?
        try self.database.rows("SELECT record FROM results WHERE match = ?", [.number(match)]) { row in
            bytes = row.bytes(0)
        }
        return bytes
    }
}
