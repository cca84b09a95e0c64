import RaceModel
import Records
import Store
import WireProtocol

/// What a store was asked to keep, and has kept, noted beside it.
struct KeptSeason: Sendable {
    /// Only looked up, never walked through.
    private var asked: Set<MatchID> = []
    private var records: [MatchID: MatchRecord] = [:]
    /// In the order of keeping.
    private var results: [MatchResult] = []

    func record(of match: MatchID) -> MatchRecord? { self.records[match] }
    func wasAsked(_ match: MatchID) -> Bool { self.asked.contains(match) }

    // Each says what does not fit, if something does not.

    mutating func asked(_ record: MatchRecord) -> String? {
        let match = record.found.match
        guard self.asked.insert(match).inserted else { return "match \(match.value) has two results" }
        guard record.workedOutDigest == nil || record.workedOutDigest == record.over.digest else {
            return "the record of match \(match.value) has another digest"
        }
        return (try? MatchRecord(bytes: record.bytes)) == record
            ? nil : "the record of match \(match.value) is not the same behind its bytes"
    }

    mutating func kept(_ record: MatchRecord) {
        self.records[record.found.match] = record
        self.results.append(MatchResult(record))
    }

    func missing(in store: MemoryStore) -> String? {
        let kept = store.keptMatches
        guard kept == self.results.suffix(kept.count).map(\.match),
            kept.count == min(self.results.count, Limits.rememberedRecords)
        else { return "the store has other matches than it kept" }
        return nil
    }

    /// The leaderboard, worked out again from all results.
    func board(_ rule: RaceSettings.Rule) -> [PlayerID: PlayerStanding] {
        var standings: [PlayerID: PlayerStanding] = [:]
        for (index, result) in self.results.enumerated() where result.rule == rule && result.counts {
            for place in result.places {
                standings[place.player, default: PlayerStanding()].add(place, number: UInt64(index + 1))
            }
        }
        return standings
    }

    /// Whether the store's leaderboards say the same.
    func fault(in store: inout MemoryStore) -> String? {
        for rule in RaceSettings.Rule.allCases {
            let standings = self.board(rule)
            let order = standings.sorted { left, right in
                if left.value.wins != right.value.wins { return left.value.wins > right.value.wins }
                return left.value.since != right.value.since
                    ? left.value.since < right.value.since : left.key < right.key
            }
            var shown: [PlayerID] = []
            var (page, pages): (UInt16, UInt16) = (1, 1)
            while page <= pages {
                guard
                    case .leaderboard(let board)? = store.answer(.leaderboard(rule, page: page, asker: nil))
                else { return "the store has no leaderboard" }
                pages = board.of
                page += 1
                for entry in board.entries {
                    shown.append(entry.player)
                    let standing = standings[entry.player]
                    let above = standings.values.count { $0.wins > entry.wins }
                    if standing?.wins != entry.wins || standing?.races != entry.races
                        || above + 1 != Int(entry.rank)
                    {
                        return "player \(entry.player.value) stands elsewhere by the records"
                    }
                }
            }
            if shown != order.prefix(Limits.leaderboardPlaces).map(\.key) {
                return "the leaderboard of \(rule) has another order by the records"
            }
        }
        return nil
    }
}
