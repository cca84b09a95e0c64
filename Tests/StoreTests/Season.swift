import Lobby
import RaceModel
import Records
import Testing
import WireProtocol

/// Players of a store and the races they run, and what the leaderboard must say of them, worked out by itself.
struct Season {
    private static let digest = Bytes32(words: (1, 2, 3, 4))

    var store: any AnsweringStore
    private(set) var lastMatch: UInt64 = 0
    /// Of the races that count, in the order of keeping.
    private var counted: [MatchResult] = []
    /// How many were kept before each of those.
    private var numbers: [UInt64] = []
    private var kept: UInt64 = 0

    init(_ kind: StoreKind) throws { self.store = try kind.make() }

    mutating func claim(_ alias: String) throws -> PlayerID {
        let answer = try self.store.answer(.claim(try Alias(validating: alias), keyDigest: Self.digest))
        guard case .claimed(let id) = answer else {
            throw Unexpected(answer: "\(String(describing: answer))")
        }
        return id
    }

    mutating func claim(_ aliases: [String]) throws -> [PlayerID] { try aliases.map { try self.claim($0) } }

    struct Unexpected: Error { let answer: String }

    /// The record of a race of these players in this order, the first of whom won.
    /// - Parameter quitters: who forfeited; id 0 is a computer opponent.
    static func record(
        match: UInt64, _ players: [PlayerID], rule: RaceSettings.Rule = .turns, quitters: [PlayerID] = [],
        isWon: Bool = true, isLong: Bool = false
    ) -> MatchRecord {
        let seats = players.indices.map { Seat(index: $0) }
        var log = RaceLog()
        for (index, player) in players.enumerated() where quitters.contains(player) {
            log.noteForfeit(of: PlayerNumber(index: index), .left)
        }
        var forfeited = SeatSet()
        for (index, player) in players.enumerated() where quitters.contains(player) {
            forfeited.insert(Seat(index: index))
        }
        return MatchRecord(
            found: MatchFound(
                match: MatchID(match), ownSeat: nil, settings: RaceSettings(rule: rule, finish: 10),
                seal: .zero,
                seats: zip(seats, players).map { seat, player in
                    SeatEntry(seat: seat, player: player, alias: .placeholder(for: player))
                }),
            numbers: seats.map {
                RevealedNumber(round: 1, seat: $0, number: 100 - UInt32($0.value), drawnByServer: false)
            },
            order: seats, events: isLong ? nil : log, forfeited: forfeited,
            over: GameOver(
                sequence: UInt32(log.count) + 1,
                outcome: isWon
                    ? Outcome(winner: PlayerNumber(1), reason: .forfeit)
                    : Outcome(winner: nil, reason: rule == .dash ? .noMoves : .abandoned),
                nonce: .zero, digest: Bytes32(words: (match, 0, 0, 1)),
                standings: players.indices.map {
                    Standing(rank: UInt8($0 + 1), player: PlayerNumber(index: $0), position: 0)
                }))
    }

    /// Keeps a race that the first of these players won, and the answer must be `kept`.
    mutating func race(
        _ players: [PlayerID], rule: RaceSettings.Rule = .turns, quitters: [PlayerID] = [], isWon: Bool = true
    ) throws {
        self.lastMatch += 1
        try self.keep(
            Self.record(match: self.lastMatch, players, rule: rule, quitters: quitters, isWon: isWon))
    }

    mutating func keep(_ record: MatchRecord) throws {
        #expect(try self.store.answer(.keep(record)) == .kept)
        let result = MatchResult(record)
        self.kept += 1
        guard result.counts else { return }
        self.counted.append(result)
        self.numbers.append(self.kept)
    }

    mutating func page(
        _ page: UInt16, _ rule: RaceSettings.Rule = .turns, asker: PlayerID? = nil
    ) throws -> LeaderboardPage {
        let answer = try self.store.answer(.leaderboard(rule, page: page, asker: asker))
        guard case .leaderboard(let page) = answer else {
            throw Unexpected(answer: "\(String(describing: answer))")
        }
        return page
    }

    mutating func history(of alias: String) throws -> PlayerHistory {
        let answer = try self.store.answer(.history(try #require(Alias(alias))))
        guard case .history(let history) = answer else {
            throw Unexpected(answer: "\(String(describing: answer))")
        }
        return history
    }

    /// All pages, one behind the other.
    mutating func wholeBoard(_ rule: RaceSettings.Rule = .turns) throws -> [RankedPlayer] {
        let pages = try self.page(1, rule).of
        return try (1...pages).flatMap { number in
            let page = try self.page(number, rule)
            #expect(page.page == number && page.of == pages && page.rule == rule)
            #expect(
                page.entries.count == Limits.pageEntries || number == pages, "only the last page is short")
            return page.entries
        }
    }

    // MARK: What must come out

    func standing(of player: PlayerID, _ rule: RaceSettings.Rule = .turns) -> PlayerStanding {
        var standing = PlayerStanding()
        for (result, number) in zip(self.counted, self.numbers) where result.rule == rule {
            for place in result.places where place.player == player { standing.add(place, number: number) }
        }
        return standing
    }

    /// Players in the order that the rule demands.
    func expectedOrder(_ rule: RaceSettings.Rule = .turns) -> [PlayerID] {
        let racers = Set(self.counted.filter { $0.rule == rule }.flatMap { $0.places.map(\.player) })
        let standings = Dictionary(uniqueKeysWithValues: racers.map { ($0, self.standing(of: $0, rule)) })
        return racers.sorted { left, right in
            guard let one = standings[left], let other = standings[right] else { return false }
            if one.wins != other.wins { return one.wins > other.wins }
            return one.since != other.since ? one.since < other.since : left < right
        }
    }
}
