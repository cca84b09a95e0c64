import Lobby
import RaceModel
import Records
import SQLiteStore
import Store
import Testing

struct SQLiteResultsTests {
    @Test func `a record is the same after a restart, and another of its match is refused`() throws {
        let script = try KeeperScript()
        let record = MadeUpRace.record(match: 5, [0, 0], forfeits: [1])
        #expect(script.keep(record) == .results(.kept))
        try script.restart()
        #expect(script.ask(.results(.record(MatchID(5)))) == [.results(.record(record))])
        #expect(script.ask(.results(.record(MatchID(6)))) == [.results(.noRecord)])
        #expect(script.ask(.results(.record(MatchID(.max)))) == [.results(.noRecord)])
        #expect(script.keep(record) == .results(.kept), "keeping twice is harmless")
        #expect(script.keep(MadeUpRace.record(match: 5, [0, 0])) == .results(.lost))
        #expect(script.ask(.results(.record(MatchID(5)))) == [.results(.record(record))])
        #expect(try script.report().results == 1)
    }

    /// Goal: the file's standings are those that the records give. Method: races from a seed, with ties, without
    /// winners, against computer opponents, with forfeits, in both rules, in batches; then the whole check.
    @Test func `standings, ranks and counts follow from the records`() throws {
        let script = try KeeperScript()
        for number in 1...30 { _ = try script.claim("cat-\(number)") }
        var generator = SeededGenerator(seed: 11)
        for match in UInt64(1)...300 {
            var players = (1...UInt64(30)).shuffled(using: &generator).prefix(Int(2 + generator.below(3)))
            if generator.below(5) == 0 { players[players.startIndex] = 0 }
            let record = MadeUpRace.record(
                match: match, Array(players), rule: generator.below(3) == 0 ? .dash : .turns,
                hasWinner: generator.below(9) > 0, forfeits: generator.below(4) == 0 ? [1] : [])
            #expect(script.keep(record) == .results(.kept))
        }
        let report = try script.report()
        #expect(report.faults == [])
        #expect(report.players == 30 && report.results == 300 && report.standings > 40)
    }

    @Test func `the check finds every kind of fault that is planted`() throws {
        let planted = [
            ("UPDATE standings SET wins = wins + 1 WHERE player = 1", "standing does not follow"),
            ("DELETE FROM standings WHERE player = 2", "standing is missing"),
            ("UPDATE win_counts SET players = players + 1", "so many wins"),
            ("UPDATE players SET alias_key = 'x' WHERE id = 1", "folded another way"),
            ("UPDATE players SET has_raced = 0 WHERE id = 1", "having raced"),
            ("DELETE FROM results WHERE match = 1", "result 1 is missing"),
            ("UPDATE results SET record = x'0102' WHERE match = 2", "record can't be read"),
            ("UPDATE results SET rule = 1 WHERE match = 2", "its record is of match 2"),
            (
                "PRAGMA foreign_keys = OFF; DELETE FROM players WHERE id = 2",
                "names a player who is not there"
            ),
        ]
        for (change, sentence) in planted {
            let script = try KeeperScript()
            for alias in ["ann", "bob"] { _ = try script.claim(alias) }
            for match in UInt64(1)...2 { _ = script.keep(MadeUpRace.record(match: match, [1, 2])) }
            #expect(try script.report().faultCount == 0)
            try script.store.database.run(change)
            let report = try script.report()
            #expect(report.faults.contains { $0.contains(sentence) }, "\(change): \(report.faults)")
        }
    }

    @Test func `pages of a leaderboard have no gap and no double, and ranks agree with the list`() throws {
        let script = try KeeperScript()
        for number in 1...65 { _ = try script.claim("cat-\(number)") }
        var match: UInt64 = 0
        // The first ten win twice, the next thirty once, and all others have raced.
        for winner in UInt64(1)...40 {
            for _ in 0..<(winner <= 10 ? 2 : 1) {
                match += 1
                _ = script.keep(MadeUpRace.record(match: match, [winner, 41 + match % 25]))
            }
        }
        var seen: [RankedPlayer] = []
        for page: UInt16 in 1...4 {
            let answer = script.ask(.results(.leaderboard(.turns, page: page, asker: PlayerID(15)))).first
            guard case .results(.leaderboard(let board)) = answer else { continue }
            #expect(board.page == page && board.of == 4 && board.ownRank == 11)
            seen += board.entries
        }
        #expect(seen.map(\.rank) == (1...65).map { $0 <= 10 ? 1 : $0 <= 40 ? 11 : 41 })
        #expect(seen.map(\.player.value) == Array(1...65))
        for entry in seen {
            guard case .results(.history(let history)) = script.ask(.results(.history(entry.alias))).first
            else {
                Issue.record("\(entry.alias) has no history")
                continue
            }
            #expect(history.entries.first?.rank == entry.rank)
        }
        #expect(
            script.ask(.results(.leaderboard(.dash, page: 1, asker: PlayerID(15)))) == [
                .results(
                    .leaderboard(LeaderboardPage(rule: .dash, page: 1, of: 1, entries: [], ownRank: nil)))
            ])
    }
}
