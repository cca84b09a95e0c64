package import Lobby
import RaceModel

/// The players of a server that keeps nothing on disk.
///
/// Answers at once and never fails. Ids are given out from 1 and never again, even when their player is
/// forgotten.
package struct MemoryStore: Sendable {
    private var records: [PlayerID: PlayerRecord] = [:]
    private var owners: [AliasKey: PlayerID] = [:]
    private var lastID: UInt64 = 0

    package init() {}

    /// Players that are known now.
    package var count: Int { self.records.count }

    /// Nil for requests that have no answer (`keep`, `forget`).
    package mutating func answer(_ request: DirectoryRequest) -> DirectoryAnswer? {
        switch request {
        case .claim(let alias, let keyDigest): return self.claim(alias, keyDigest: keyDigest)
        case .findByAlias(let alias):
            return self.owners[AliasKey(alias)].flatMap { self.records[$0] }.map { .found($0) } ?? .notFound
        case .findByID(let id): return self.records[id].map { .found($0) } ?? .notFound
        case .aliases(let ids):
            return .aliases(ids.map { KnownAlias(id: $0, alias: self.records[$0]?.alias) })
        case .keep(let id):
            self.records[id]?.hasRaced = true
            return nil
        case .forget(let id):
            if let record = self.records.removeValue(forKey: id) {
                self.owners.removeValue(forKey: AliasKey(record.alias))
            }
            return nil
        }
    }

    private mutating func claim(_ alias: Alias, keyDigest: Bytes32) -> DirectoryAnswer {
        let key = AliasKey(alias)
        guard self.owners[key] == nil else { return .taken }
        guard self.records.count < Limits.rememberedPlayers else { return .unavailable }
        self.lastID += 1
        let id = PlayerID(self.lastID)
        self.records[id] = PlayerRecord(id: id, alias: alias, keyDigest: keyDigest, hasRaced: false)
        self.owners[key] = id
        return .claimed(id)
    }
}
