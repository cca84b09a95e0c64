import Lobby
import RaceModel
import Records
import Testing

/// Results, records and what follows from them, the same in every store.
@Suite struct ResultTests {
    @Test(arguments: StoreKind.allCases)
    func `a record that was kept comes back as it was`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        let players = try season.claim(["ann", "bob"])
        let record = Season.record(match: 7, players, quitters: [players[1]])
        let long = Season.record(match: 9, players, quitters: [players[1]], isLong: true)
        try season.keep(record)
        try season.keep(long)
        #expect(try season.store.answer(.record(MatchID(7))) == .record(record))
        #expect(try season.store.answer(.record(MatchID(9))) == .record(long))
        for other: UInt64 in [0, 1, 8, 1 << 40, .max] {
            #expect(try season.store.answer(.record(MatchID(other))) == .noRecord)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `keeping a race again changes nothing`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        let players = try season.claim(["ann", "bob"])
        try season.race(players)
        let board = try season.wholeBoard()
        for _ in 0..<3 {
            #expect(try season.store.answer(.keep(Season.record(match: 1, players))) == .kept)
        }
        #expect(try season.wholeBoard() == board)
        #expect(board.map(\.wins) == [1, 0])
        #expect(try season.history(of: "ann").entries[0].standing == season.standing(of: players[0]))
    }

    @Test(arguments: StoreKind.allCases)
    func `a history counts races, wins, forfeits and the most wins in a row, by rule`(_ kind: StoreKind)
        throws
    {
        var season = try Season(kind)
        let players = try season.claim(["ann", "bob"])
        let (ann, bob) = (players[0], players[1])
        for winner in [ann, ann, bob, ann, ann, ann, bob, ann] {
            try season.race([winner, winner == ann ? bob : ann], quitters: winner == bob ? [ann] : [])
        }
        try season.race([bob, ann], rule: .dash)
        let history = try season.history(of: "ANN")
        #expect(history.player == ann && history.alias.text == "ann")
        #expect(history.entries.map(\.rule) == [.turns, .dash])
        let (turns, dash) = (history.entries[0], history.entries[1])
        #expect(turns.standing.races == 8 && turns.standing.wins == 6)
        #expect(turns.standing.forfeits == 2 && turns.standing.best == 3 && turns.standing.run == 1)
        #expect(turns.rank == 1)
        #expect(dash.standing.races == 1 && dash.standing.wins == 0 && dash.rank == 2)
        #expect(try season.history(of: "bob").entries.map(\.rank) == [2, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `who has no race that counts has a history without a rank, and who is nobody has none`(
        _ kind: StoreKind
    ) throws {
        var season = try Season(kind)
        _ = try season.claim(["ann"])
        let history = try season.history(of: "ann")
        #expect(history.entries.map(\.standing) == [PlayerStanding(), PlayerStanding()])
        #expect(history.entries.map(\.rank) == [nil, nil])
        #expect(try season.store.answer(.history(try #require(Alias("eve")))) == .noSuchPlayer)
        #expect(try season.store.answer(.history(try #require(Alias("player-1")))) == .noSuchPlayer)
    }

    @Test(arguments: StoreKind.allCases)
    func `races against computers alone and races without a winner are kept but move no standing`(
        _ kind: StoreKind
    ) throws {
        var season = try Season(kind)
        let players = try season.claim(["ann", "bob"])
        try season.race([players[0], PlayerID(0)])
        try season.race([PlayerID(0), players[0], PlayerID(0)])
        try season.race(players, rule: .dash, isWon: false)
        try season.race(players, quitters: players, isWon: false)
        for rule in RaceSettings.Rule.allCases {
            let page = try season.page(1, rule, asker: players[0])
            #expect(page.entries == [] && page.of == 1 && page.ownRank == nil)
        }
        for match: UInt64 in 1...4 {
            guard case .record = try season.store.answer(.record(MatchID(match))) else {
                Issue.record("match \(match) has no record")
                continue
            }
        }
        // With two who are no computers it counts, and computers stand nowhere.
        try season.race([PlayerID(0), players[1], players[0]])
        let board = try season.wholeBoard()
        #expect(
            board.map(\.player) == players && board.map(\.rank) == [1, 1] && board.map(\.wins) == [0, 0])
        #expect(board.map(\.races) == [1, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `who is named by a result is never forgotten, however the race ended`(_ kind: StoreKind) throws {
        var season = try Season(kind)
        let players = try season.claim(["ann", "bob", "eve", "kim"])
        try season.race([players[0], PlayerID(0)])
        try season.race([players[1], players[2]], quitters: [players[1], players[2]], isWon: false)
        for player in players { _ = try season.store.answer(.forget(player)) }
        for player in players[..<3] {
            guard case .found(let record) = try season.store.answer(.findByID(player)) else {
                Issue.record("\(player) was forgotten")
                continue
            }
            #expect(record.hasRaced)
        }
        #expect(try season.store.answer(.findByID(players[3])) == .notFound)
        #expect(try season.claim("kim").value > players[3].value)
    }
}
