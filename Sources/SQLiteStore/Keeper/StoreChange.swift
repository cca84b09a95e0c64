import Lobby
import RaceModel
import Records
import Store

/// A request that changes the file.
enum StoreChange {
    case claim(LookUpID, Alias, keyDigest: Bytes32)
    case keep(LookUpID, FinishedRace)
    case forget(PlayerID)
    case reserve(MatchID)
    case save(LookUpID, [SavedMatch])
    case ban(BanChange)

    /// Nil for look-ups.
    init?(_ request: StoreRequest, ended: Int64) {
        switch request.subject {
        case .directory(.claim(let alias, let keyDigest)):
            self = .claim(request.id, alias, keyDigest: keyDigest)
        case .directory(.forget(let player)): self = .forget(player)
        case .results(.keep(let record)): self = .keep(request.id, FinishedRace(record, ended: ended))
        case .results(.reserveMatches(let match)): self = .reserve(match)
        case .results(.save(let matches)): self = .save(request.id, matches)
        case .bans(let change): self = .ban(change)
        case .directory, .results: return nil
        }
    }

    var isResult: Bool { if case .keep = self { true } else { false } }

    var isSave: Bool { if case .save = self { true } else { false } }

    /// The answer when it can't be carried out.
    var refusal: StoreAnswer? {
        switch self {
        case .claim(let id, _, _): StoreAnswer(id, .directory(.unavailable))
        case .keep(let id, _): StoreAnswer(id, .results(.lost))
        case .save(let id, _): StoreAnswer(id, .results(.unavailable))
        case .forget, .reserve, .ban: nil
        }
    }
}

extension StoreFile {
    /// Only within `write`. Nil: there is no answer.
    func carryOut(_ change: StoreChange, now: Int64) throws(DatabaseError) -> StoreAnswer? {
        switch change {
        case .claim(let id, let alias, let keyDigest):
            return StoreAnswer(id, .directory(try self.claim(alias, keyDigest: keyDigest, now: now)))
        case .keep(let id, let race):
            return StoreAnswer(id, .results(try self.keep(race) ? .kept : .lost))
        case .forget(let player): try self.forget(player)
        case .reserve(let match): try self.reserveMatches(upTo: match)
        case .save(let id, let matches):
            try self.save(matches)
            return StoreAnswer(id, .results(.kept))
        case .ban(let change): try self.keep(change)
        }
        return nil
    }

    func lookUp(_ subject: StoreRequest.Subject) throws(StoreFault) -> StoreAnswer.Subject {
        try self.read { _ throws(DatabaseError) in
            switch subject {
            case .directory(let request): .directory(try self.lookUp(request))
            case .results(let request): .results(try self.lookUp(request))
            case .bans: preconditionFailure("a change is no look-up")
            }
        }
    }

    private func lookUp(_ request: DirectoryRequest) throws(DatabaseError) -> DirectoryAnswer {
        switch request {
        case .findByAlias(let alias): try self.find(alias)
        case .findByID(let id): try self.find(id)
        case .aliases(let ids): try self.aliases(ids)
        case .completions(let prefix, let limit): try self.completions(prefix, limit: limit)
        case .claim, .forget: preconditionFailure("a change is no look-up")
        }
    }

    private func lookUp(_ request: ResultRequest) throws(DatabaseError) -> ResultAnswer {
        switch request {
        case .record(let match): try self.record(match)
        case .history(let alias): try self.history(alias)
        case .leaderboard(let rule, let page, let asker):
            try self.leaderboard(rule, page: page, asker: asker)
        case .keep, .reserveMatches, .save: preconditionFailure("a change is no look-up")
        }
    }
}
