package import Lobby
package import RaceModel
package import Records

/// The players and results of a server that keeps nothing on disk, and the measure of every other store.
///
/// Answers at once and never fails. Ids are given out from 1 and never again, even when their player is
/// forgotten.
package struct MemoryStore: Sendable {
    private var records: [PlayerID: PlayerRecord] = [:]
    private var owners: [AliasKey: PlayerID] = [:]
    private var names = SortedList<AliasKey>()
    private var lastID: UInt64 = 0
    private var results = MemoryResults()
    private var saved: [SavedMatch] = []

    package init() {}

    /// Players that are known now.
    package var count: Int { self.records.count }
    /// The first match id that no server has used; a new one starts with it.
    package var firstMatch: MatchID { self.results.firstMatch }
    /// Matches whose records are kept now, in the order of keeping.
    package var keptMatches: [MatchID] { self.results.keptMatches }

    /// The matches that were saved last, once.
    package mutating func takeSavedMatches() -> [SavedMatch] {
        defer { self.saved = [] }
        return self.saved
    }

    /// Nil for requests that have no answer (`forget`).
    package mutating func answer(_ request: DirectoryRequest) -> DirectoryAnswer? {
        switch request {
        case .claim(let alias, let keyDigest): return self.claim(alias, keyDigest: keyDigest)
        case .findByAlias(let alias): return self.record(of: alias).map { .found($0) } ?? .notFound
        case .findByID(let id): return self.records[id].map { .found($0) } ?? .notFound
        case .aliases(let ids):
            return .aliases(ids.map { KnownAlias(id: $0, alias: self.records[$0]?.alias) })
        case .completions(let prefix, let limit): return .completions(self.names(from: prefix, limit: limit))
        case .forget(let id):
            self.forget(id)
            return nil
        }
    }

    /// Nil for requests that have no answer (`reserveMatches`).
    package mutating func answer(_ request: ResultRequest) -> ResultAnswer? {
        switch request {
        case .keep(let record):
            if let result = self.results.keep(record) {
                for place in result.places { self.records[place.player]?.hasRaced = true }
            }
            return .kept
        case .record(let match): return self.results.record(of: match).map { .record($0) } ?? .noRecord
        case .history(let alias):
            guard let record = self.record(of: alias) else { return .noSuchPlayer }
            return .history(self.results.history(of: record.id, record.alias))
        case .leaderboard(let rule, let page, let asker):
            return .leaderboard(
                self.results.page(page, of: rule, asker: asker) { self.records[$0]?.alias })
        case .reserveMatches(let last):
            self.results.reserve(upTo: last)
            return nil
        case .save(let matches):
            self.saved = matches
            return .kept
        }
    }

    private func record(of alias: Alias) -> PlayerRecord? {
        self.owners[AliasKey(alias)].flatMap { self.records[$0] }
    }

    private mutating func claim(_ alias: Alias, keyDigest: Bytes32) -> DirectoryAnswer {
        let key = AliasKey(alias)
        guard self.owners[key] == nil else { return .taken }
        guard self.records.count < Limits.rememberedPlayers else { return .unavailable }
        self.lastID += 1
        let id = PlayerID(self.lastID)
        self.records[id] = PlayerRecord(id: id, alias: alias, keyDigest: keyDigest, hasRaced: false)
        self.owners[key] = id
        self.names.insert(key)
        return .claimed(id)
    }

    private mutating func forget(_ id: PlayerID) {
        guard let record = self.records[id], !record.hasRaced else { return }
        let key = AliasKey(record.alias)
        self.records[id] = nil
        self.owners[key] = nil
        self.names.remove(key)
    }

    private func names(from prefix: String, limit: Int) -> [PlayerName] {
        let first = self.names.count(before: AliasKey(folded: prefix))
        return self.names.elements(from: first, limit: limit).prefix { $0.hasPrefix(prefix) }.compactMap {
            key in
            self.owners[key].flatMap { self.records[$0] }.map { PlayerName(id: $0.id, alias: $0.alias) }
        }
    }
}
