import Lobby
import RaceModel
import Records
import SQLiteStore
import WireProtocol

/// Makes a file of many players and results, much faster than a server would: what follows from the results is
/// counted in memory, and written once. `catrace-server check` says whether it is the same.
struct Fill {
    private let store: StoreFile
    private var generator = SeededGenerator(seed: 1)
    private let players: Int
    private let results: Int

    init(_ directory: String, players: Int, results: Int) throws {
        self.store = try StoreFile(DataDirectory(directory))
        (self.players, self.results) = (players, results)
    }

    mutating func run() throws {
        let database = self.store.database
        // Nothing is lost if this ends early: it is done again.
        try database.run("PRAGMA synchronous = OFF")
        try database.run("PRAGMA cache_size = -1000000")
        try database.rows("PRAGMA journal_mode = OFF") { _ in }
        try database.run("BEGIN")
        try self.addPlayers(database)
        let standings = try self.addResults(database)
        try self.addStandings(standings, database)
        try database.run("COMMIT")
        try database.rows("PRAGMA journal_mode = WAL") { _ in }
        self.store.close()
    }

    /// Their ids are 1 and up; their aliases are letters in no order.
    static func alias(_ id: Int) -> Alias {
        let letters = Array("abcdefghjkmnpqrstuvwxyz")
        var rest = UInt64(id) &* 0x9E37_79B9_7F4A_7C15 >> 20
        var text = ""
        for _ in 0..<5 {
            text.append(letters[Int(rest % UInt64(letters.count))])
            rest /= UInt64(letters.count)
        }
        guard let alias = Alias("\(text)-\(id)") else { preconditionFailure("these are letters and digits") }
        return alias
    }

    private func addPlayers(_ database: Database) throws {
        for id in 1...self.players {
            let alias = Self.alias(id)
            try database.run(
                "INSERT INTO players (alias, alias_key, key_digest, has_raced, seen) VALUES (?, ?, ?, 1, 0)",
                .text(alias.text), .text(AliasKey(alias).text),
                .bytes(Array(repeating: UInt8(id & 255), count: 32)))
        }
    }

    /// Some play much, most a little: as the cube of a chance.
    private mutating func anybody() -> Int {
        let chance = Double(self.generator.next() >> 11) / Double(1 << 53)
        return 1 + Int(chance * chance * chance * Double(self.players - 1))
    }

    /// - Returns: for both rules, by player.
    private mutating func addResults(_ database: Database) throws -> [[PlayerStanding]] {
        var standings = Array(
            repeating: Array(repeating: PlayerStanding(), count: self.players + 1), count: 2)
        var raced = Array(repeating: false, count: self.players + 1)
        for number in 1...self.results {
            let first = self.anybody()
            var second = self.anybody()
            while second == first { second = self.anybody() }
            let record = self.race(number, [first, second], number % 4 == 0 ? .dash : .turns)
            let result = MatchResult(record)
            for place in result.places {
                raced[Int(place.player.value)] = true
                standings[Int(result.rule.rawValue)][Int(place.player.value)].add(
                    place, number: UInt64(number))
            }
            try database.run(
                "INSERT INTO results (match, number, rule, ended, record) VALUES (?, ?, ?, ?, ?)",
                .number(Int64(number)), .number(Int64(number)), .number(Int64(result.rule.rawValue)),
                .number(Int64(1_700_000_000 + number / 10)), .bytes(record.bytes))
        }
        for id in 1...self.players where !raced[id] {
            try database.run(
                "UPDATE players SET has_raced = 0, seen = 4000000000 WHERE id = ?", .number(Int64(id)))
        }
        return standings
    }

    private mutating func race(_ match: Int, _ players: [Int], _ rule: RaceSettings.Rule) -> MatchRecord {
        var log = RaceLog()
        var positions = [0, 0]
        var turn = 0
        while positions.allSatisfy({ $0 < 25 }) {
            let player = PlayerNumber(index: turn % 2)
            let steps = rule == .turns ? Int(1 + self.generator.below(6)) : 1
            if rule == .turns { log.noteTurn(of: player) }
            log.noteMove(of: player, steps: UInt8(steps), automatic: false)
            positions[turn % 2] += steps
            turn += 1
        }
        let winner = (turn - 1) % 2
        let seats = (0..<2).map { Seat(index: $0) }
        let places = [winner, 1 - winner].map { PlayerNumber(index: $0) }
        func word() -> UInt64 { self.generator.next() }
        return MatchRecord(
            found: MatchFound(
                match: MatchID(UInt64(match)), ownSeat: nil, settings: RaceSettings(rule: rule, finish: 25),
                seal: Bytes32(words: (word(), word(), word(), word())),
                seats: zip(seats, players).map {
                    SeatEntry(seat: $0, player: PlayerID(UInt64($1)), alias: Self.alias($1))
                }),
            numbers: seats.map {
                RevealedNumber(
                    round: 1, seat: $0, number: UInt32(truncatingIfNeeded: word()), drawnByServer: true)
            },
            order: seats, events: log,
            over: GameOver(
                sequence: UInt32(log.count + 1), outcome: Outcome(winner: places[0], reason: .finish),
                nonce: Bytes32(words: (word(), word(), word(), word())),
                digest: Bytes32(words: (word(), word(), word(), word())),
                standings: places.enumerated().map {
                    Standing(rank: UInt8($0 + 1), player: $1, position: UInt32(positions[$1.index]))
                }))
    }

    private func addStandings(_ standings: [[PlayerStanding]], _ database: Database) throws {
        for id in 1...self.players {
            for rule in 0..<2 where standings[rule][id].races > 0 {
                let standing = standings[rule][id]
                try database.run(
                    """
                    INSERT INTO standings (player, rule, races, wins, forfeits, best, run, since)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    .number(Int64(id)), .number(Int64(rule)), .number(Int64(standing.races)),
                    .number(Int64(standing.wins)), .number(Int64(standing.forfeits)),
                    .number(Int64(standing.best)),
                    .number(Int64(standing.run)), .number(Int64(standing.since)))
            }
        }
        try database.run(
            "INSERT INTO win_counts SELECT rule, wins, count(*) FROM standings GROUP BY rule, wins")
    }
}
