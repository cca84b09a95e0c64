import Lobby
import RaceModel
import Records
import Testing

/// By wins, most first; then who had as many earlier; then by id. The rank is 1 and the number of players with more
/// wins.
struct LeaderboardTests {
    @Test(arguments: StoreKind.allCases)
    func `equal wins are equal ranks, and who had them earlier stands first`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        let (a, b, c, d, e) = try Self.five(&season)
        // A, B and C win 3 each, D 2, E none; C has its third first, then A, then B.
        for winner in [a, b, c, c, c, a, a, b, b, d, d] { try season.race([winner, e]) }
        let board = try season.wholeBoard()
        #expect(board.map(\.player) == [c, a, b, d, e])
        #expect(board.map(\.rank) == [1, 1, 1, 4, 5])
        #expect(board.map(\.wins) == [3, 3, 3, 2, 0])
        #expect(board.map(\.races) == [3, 3, 3, 2, 11])
        // A race that E does not win adds nothing but a race.
        try season.race([PlayerID(0), d, e])
        #expect(try season.wholeBoard().map(\.player) == [c, a, b, d, e])
        for entry in try season.wholeBoard() {
            #expect(try season.page(1, asker: entry.player).ownRank == entry.rank)
        }
    }

    private static func five(
        _ season: inout Season
    ) throws -> (PlayerID, PlayerID, PlayerID, PlayerID, PlayerID) {
        let ids = try season.claim(["ann", "bob", "cat", "dan", "eve"])
        return (ids[0], ids[1], ids[2], ids[3], ids[4])
    }

    @Test(arguments: StoreKind.allCases)
    func `players without a win stand in the order of their ids`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        let (a, b, c, d, e) = try Self.five(&season)
        try season.race([PlayerID(0), e, c])
        try season.race([PlayerID(0), b, d, a])
        #expect(try season.wholeBoard().map(\.player) == [a, b, c, d, e])
        #expect(try season.wholeBoard().map(\.rank) == [1, 1, 1, 1, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `the order in which results are kept decides, not the order of matches`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        let players = try season.claim(["ann", "bob", "eve"])
        try season.keep(Season.record(match: 900, [players[1], players[2]]))
        try season.keep(Season.record(match: 3, [players[0], players[2]]))
        #expect(try season.wholeBoard().map(\.player) == [players[1], players[0], players[2]])
    }

    @Test(arguments: StoreKind.allCases)
    func `pages have no gap and no double, and each rank is the asker's own`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        // On three pages, the last one with a single entry.
        let count = 2 * Limits.pageEntries + 1
        let players = try (0..<count).map { try season.claim("p\($0)x") }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<150 {
            let winner = Int(generator.below(UInt64(count)))
            let loser = (winner + 1 + Int(generator.below(UInt64(count - 1)))) % count
            try season.race(
                [players[winner], players[loser]], rule: generator.below(4) == 0 ? .dash : .turns)
        }
        // Everybody once, so that the last page is known.
        for player in players {
            try season.race([PlayerID(0), player, players[0] == player ? players[1] : players[0]])
        }
        for rule in RaceSettings.Rule.allCases {
            let board = try season.wholeBoard(rule)
            #expect(board.map(\.player) == season.expectedOrder(rule))
            if rule == .turns { #expect(board.count == count) }
            for entry in board {
                let standing = season.standing(of: entry.player, rule)
                #expect(entry.wins == standing.wins && entry.races == standing.races)
                #expect(Int(entry.rank) == 1 + board.count { $0.wins > entry.wins })
                #expect(try season.page(2, rule, asker: entry.player).ownRank == entry.rank)
                #expect(
                    try season.history(of: entry.alias.text).entries.first { $0.rule == rule }?.rank
                        == entry.rank)
            }
            let pages = try season.page(1, rule).of
            let behind = try season.page(pages + 1, rule, asker: players[0])
            #expect(behind.entries == [] && behind.of == pages && behind.page == pages + 1)
            #expect(try season.page(.max, rule).entries == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the board calls players as they are written, and who asks without a name has no rank`(
        _ kind: StoreKind
    ) throws {
        var season = try Season(kind)
        let players = try season.claim(["Мия", "Bob_2"])
        try season.race(players)
        let page = try season.page(1)
        #expect(page.entries.map(\.alias.text) == ["Мия", "Bob_2"])
        #expect(page.ownRank == nil)
        #expect(try season.page(1, asker: PlayerID(999)).ownRank == nil)
    }
}
