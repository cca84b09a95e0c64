import RaceModel
package import Records

/// What is in a file, and what is wrong with it.
package struct StoreReport: Hashable, Sendable {
    package var players = 0
    package var results = 0
    package var standings = 0
    /// A sentence each; the first `StoreCheck.faultsTold` of them.
    package var faults: [String] = []
    package var faultCount = 0

    mutating func add(_ fault: String) {
        self.faultCount += 1
        if self.faults.count < StoreCheck.faultsTold { self.faults.append(fault) }
    }
}

/// Goes through all of a file: SQLite's own check; every player's folded alias; every record; and the standings, which
/// are worked out again from the records.
package enum StoreCheck {
    package static let faultsTold = 20

    /// - Parameter examine: looks closer at each record, and says what is wrong with it; nil: nothing.
    package static func run(
        _ reader: StoreReader, examine: (MatchRecord) -> String? = { _ in nil }
    ) throws(StoreFault) -> StoreReport {
        var report = StoreReport()
        try reader.read { database throws(DatabaseError) in
            try Self.checkFile(database, &report)
            let players = try Self.checkPlayers(database, &report)
            let worked = try Self.checkResults(database, players, &report, examine)
            try Self.checkRaced(database, worked, &report)
            try Self.checkStandings(database, worked, &report)
            try Self.checkWinCounts(database, worked, &report)
            try Self.checkBans(database, &report)
        }
        return report
    }

    /// Worked out from the records.
    private struct WorkedOut {
        var standings: [RankKey: PlayerStanding] = [:]
        var raced: Set<Int64> = []
    }

    private struct RankKey: Hashable {
        var player: Int64
        var rule: Int64
    }

    private static func checkFile(_ database: Database, _ report: inout StoreReport) throws(DatabaseError) {
        var faults: [String] = []
        try database.rows("PRAGMA integrity_check(\(Self.faultsTold))") { row in faults.append(row.text(0)) }
        if faults != ["ok"] { for fault in faults { report.add("SQLite: \(fault)") } }
        var broken: [String] = []
        try database.rows("PRAGMA foreign_key_check") { row in
            broken.append("\(row.text(0)) names a player who is not there")
        }
        for fault in broken { report.add(fault) }
    }

    /// - Returns: their ids.
    private static func checkPlayers(
        _ database: Database, _ report: inout StoreReport
    ) throws(DatabaseError) -> Set<Int64> {
        var ids: Set<Int64> = []
        var faults: [String] = []
        try database.rows("SELECT id, alias, alias_key FROM players") { row in
            ids.insert(row.number(0))
            guard let alias = Alias(row.text(1)) else {
                faults.append("player \(row.number(0)) has no legal alias")
                return
            }
            if AliasKey(alias).text != row.text(2) {
                faults.append(
                    "player \(row.number(0)): the alias '\(alias)' is folded another way in the file")
            }
        }
        report.players = ids.count
        for fault in faults { report.add(fault) }
        return ids
    }

    private static func checkResults(
        _ database: Database, _ players: Set<Int64>, _ report: inout StoreReport,
        _ examine: (MatchRecord) -> String?
    ) throws(DatabaseError) -> WorkedOut {
        var worked = WorkedOut()
        var results = 0
        var found = report
        try database.rows("SELECT number, match, rule, record FROM results ORDER BY number") { row in
            results += 1
            let (number, match) = (row.number(0), row.number(1))
            if number != Int64(results) {
                found.add("result \(results) is missing: the next one is \(number)")
            }
            let record: MatchRecord
            do throws(RecordFault) { record = try MatchRecord(bytes: row.bytes(3)) } catch {
                found.add("match \(match): its record can't be read: \(error.text)")
                return
            }
            let result = MatchResult(record)
            if Int64(exactly: result.match.value) != match || Int64(result.rule.rawValue) != row.number(2) {
                found.add("match \(match): its record is of match \(result.match.value), rule \(result.rule)")
            }
            if let fault = examine(record) { found.add("match \(match): \(fault)") }
            for place in result.places {
                guard let player = StoreFile.number(place.player), players.contains(player) else { continue }
                worked.raced.insert(player)
                guard result.counts else { continue }
                let key = RankKey(player: player, rule: row.number(2))
                worked.standings[key, default: PlayerStanding()].add(place, number: UInt64(clamping: number))
            }
        }
        report = found
        report.results = results
        return worked
    }

    private static func checkRaced(
        _ database: Database, _ worked: WorkedOut, _ report: inout StoreReport
    ) throws(DatabaseError) {
        var faults: [String] = []
        try database.rows("SELECT id, has_raced FROM players") { row in
            if worked.raced.contains(row.number(0)) != (row.number(1) != 0) {
                faults.append("player \(row.number(0)): the results say something else about having raced")
            }
        }
        for fault in faults { report.add(fault) }
    }

    private static func checkStandings(
        _ database: Database, _ worked: WorkedOut, _ report: inout StoreReport
    ) throws(DatabaseError) {
        var rest = worked.standings
        var faults: [String] = []
        var count = 0
        let sql = "SELECT player, rule, races, wins, forfeits, best, run, since FROM standings"
        try database.rows(sql) { row in
            count += 1
            let key = RankKey(player: row.number(0), rule: row.number(1))
            if rest.removeValue(forKey: key) != PlayerStanding(row, from: 2) {
                faults.append(
                    "player \(key.player), rule \(key.rule): the standing does not follow from the records")
            }
        }
        for key in rest.keys {
            faults.append("player \(key.player), rule \(key.rule): the standing is missing")
        }
        report.standings = count
        for fault in faults { report.add(fault) }
    }

    private static func checkWinCounts(
        _ database: Database, _ worked: WorkedOut, _ report: inout StoreReport
    ) throws(DatabaseError) {
        // The number of wins stands in the place of the player.
        var counts: [RankKey: Int64] = [:]
        for (key, standing) in worked.standings {
            counts[RankKey(player: Int64(standing.wins), rule: key.rule), default: 0] += 1
        }
        var inFile: [RankKey: Int64] = [:]
        try database.rows("SELECT wins, rule, players FROM win_counts") { row in
            inFile[RankKey(player: row.number(0), rule: row.number(1))] = row.number(2)
        }
        if counts != inFile {
            report.add("how many players have so many wins does not follow from the records")
        }
    }

    private static func checkBans(_ database: Database, _ report: inout StoreReport) throws(DatabaseError) {
        var faults: [String] = []
        try database.rows("SELECT subject FROM bans") { row in
            guard Ban.Subject(row.text(0)) == nil else { return }
            faults.append("the ban of '\(row.text(0))' can't be read: it holds for nobody")
        }
        for fault in faults { report.add(fault) }
    }
}
