import RaceModel
import Records
import WireProtocol

/// Results, what follows from them, and the records that there is room for.
struct MemoryResults: Sendable {
    /// Where a player stands: by wins, most first; then who had as many earlier; then by id.
    private struct Place: Comparable, Sendable {
        var wins: UInt32
        var since: UInt64
        var player: PlayerID

        static func < (left: Place, right: Place) -> Bool {
            if left.wins != right.wins { return left.wins > right.wins }
            return left.since != right.since ? left.since < right.since : left.player < right.player
        }
    }

    private struct Leaderboard: Sendable {
        var standings: [PlayerID: PlayerStanding] = [:]
        var order = SortedList<Place>()
    }

    private var boards: [RaceSettings.Rule: Leaderboard] = [:]
    /// As bytes, which take less room.
    private var records: [MatchID: [UInt8]] = [:]
    /// In the order of keeping; those before `oldest` are forgotten.
    private var matches: [MatchID] = []
    private var oldest = 0
    private var lastNumber: UInt64 = 0
    private var lastMatch: UInt64 = 0

    var firstMatch: MatchID { MatchID(self.lastMatch + 1) }
    var keptMatches: [MatchID] { Array(self.matches[self.oldest...]) }

    mutating func reserve(upTo last: MatchID) { self.lastMatch = last.value }

    /// - Returns: what it comes to; nil when it was kept before.
    mutating func keep(_ record: MatchRecord) -> MatchResult? {
        let match = record.found.match
        guard self.records[match] == nil else { return nil }
        self.records[match] = record.bytes
        self.matches.append(match)
        self.lastMatch = max(self.lastMatch, match.value)
        if self.records.count > Limits.rememberedRecords { self.forgetOldest() }
        let result = MatchResult(record)
        self.lastNumber += 1
        if result.counts {
            for place in result.places { self.add(place, rule: result.rule) }
        }
        return result
    }

    private mutating func forgetOldest() {
        self.records[self.matches[self.oldest]] = nil
        self.oldest += 1
        if self.oldest * 2 > self.matches.count {
            self.matches.removeFirst(self.oldest)
            self.oldest = 0
        }
    }

    private mutating func add(_ place: MatchResult.Place, rule: RaceSettings.Rule) {
        let before = self.boards[rule]?.standings[place.player]
        var standing = before ?? PlayerStanding()
        standing.add(place, number: self.lastNumber)
        self.boards[rule, default: Leaderboard()].standings[place.player] = standing
        if let before { self.boards[rule]?.order.remove(Self.place(of: place.player, before)) }
        self.boards[rule]?.order.insert(Self.place(of: place.player, standing))
    }

    private static func place(of player: PlayerID, _ standing: PlayerStanding) -> Place {
        Place(wins: standing.wins, since: standing.since, player: player)
    }

    func record(of match: MatchID) -> MatchRecord? {
        self.records[match].flatMap { try? MatchRecord(bytes: $0) }
    }

    func history(of player: PlayerID, _ alias: Alias) -> PlayerHistory {
        PlayerHistory(
            player: player, alias: alias,
            entries: RaceSettings.Rule.allCases.map { rule in
                let standing = self.boards[rule]?.standings[player]
                return PlayerHistory.Entry(
                    rule: rule, standing: standing ?? PlayerStanding(),
                    rank: standing.flatMap { self.rank(wins: $0.wins, rule) })
            })
    }

    /// - Parameter alias: of everybody on it.
    func page(
        _ page: UInt16, of rule: RaceSettings.Rule, asker: PlayerID?, alias: (PlayerID) -> Alias?
    ) -> LeaderboardPage {
        let board = self.boards[rule] ?? Leaderboard()
        let shown = min(board.order.count, Limits.leaderboardPlaces)
        let start = (max(1, Int(page)) - 1) * Limits.pageEntries
        let places = board.order.elements(from: start, limit: max(0, min(Limits.pageEntries, shown - start)))
        return LeaderboardPage(
            rule: rule, page: max(1, page),
            of: UInt16(max(1, (shown + Limits.pageEntries - 1) / Limits.pageEntries)),
            entries: places.map { place in
                RankedPlayer(
                    rank: self.rank(wins: place.wins, rule), player: place.player,
                    alias: alias(place.player) ?? .placeholder(for: place.player), wins: place.wins,
                    races: board.standings[place.player]?.races ?? 0)
            },
            ownRank: asker.flatMap { board.standings[$0] }.map { self.rank(wins: $0.wins, rule) })
    }

    /// 1 and the number of players with more wins.
    private func rank(wins: UInt32, _ rule: RaceSettings.Rule) -> UInt32 {
        let first = Place(wins: wins, since: 0, player: PlayerID(0))
        return UInt32(clamping: 1 + (self.boards[rule]?.order.count(before: first) ?? 0))
    }
}
