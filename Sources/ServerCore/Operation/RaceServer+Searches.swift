import Lobby
import RaceModel
import WireProtocol

/// What an operator asked for that needs the store, until it has answered.
struct OperatorSearch: Sendable {
    /// Of the operator's command.
    let number: UInt64
    let command: OperatorCommand
}

/// Operators name players who have left, too: those the store knows.
extension RaceServer {
    /// Answers at once, or when the store has told what it knows.
    mutating func operate(_ command: OperatorCommand, as number: UInt64) {
        guard let request = self.question(for: command), !self.isStoreFull else {
            return self.outbox.errands.append(.operated(number, self.operate(command)))
        }
        let lookUp = self.nextLookUp()
        self.searches[lookUp] = OperatorSearch(number: number, command: command)
        self.outbox.errands.append(.directory(lookUp, request))
    }

    /// Nil: no need to ask.
    private mutating func question(for command: OperatorCommand) -> DirectoryRequest? {
        switch command {
        case .find(let alias):
            return self.playersByAlias[AliasKey(alias)] == nil ? .findByAlias(alias) : nil
        case .ban(.player(let player), _, _):
            return self.knownAlias(of: player) == nil ? .findByID(player) : nil
        case .bans:
            let nameless = self.door.bans.list(now: self.wallTime).compactMap { ban -> PlayerID? in
                guard case .player(let player) = ban.subject else { return nil }
                return self.knownAlias(of: player) == nil ? player : nil
            }
            return nameless.isEmpty ? nil : .aliases(Array(nameless.prefix(Limits.lookUpIDs)))
        default: return nil
        }
    }

    /// Without the store: of those who are here, and of many who were.
    private func knownAlias(of player: PlayerID) -> Alias? {
        self.playersByID[player].map { self.players[$0].alias } ?? self.directory.alias(of: player)
    }

    /// - Returns: false when it is the answer to something else.
    mutating func take(_ answer: DirectoryAnswer, toSearch lookUp: LookUpID) -> Bool {
        guard let search = self.searches.removeValue(forKey: lookUp) else { return false }
        self.outbox.errands.append(.operated(search.number, self.conclude(search.command, answer)))
        return true
    }

    private mutating func conclude(_ command: OperatorCommand, _ answer: DirectoryAnswer) -> OperatorAnswer {
        switch (command, answer) {
        case (.find, .found(let record)):
            self.directory.remember(record.id, record.alias)
            return .found(record.id)
        case (.find(let alias), .notFound):
            return .refused(
                "no player is known as \(alias): who lists those who are here", code: .noSuchPlayer)
        case (.ban(.player(let player), _, _), .notFound):
            return .refused("there is no player \(player.value)", code: .noSuchPlayer)
        case (_, .found(let record)): self.directory.remember(record.id, record.alias)
        case (_, .aliases(let known)):
            for entry in known {
                if let alias = entry.alias { self.directory.remember(entry.id, alias) }
            }
        // The store can't say: a ban must hold all the same.
        default: break
        }
        return self.operate(command)
    }

    func banRows(_ bans: [Ban]) -> OperatorAnswer {
        .bans(
            bans.map { ban in
                guard case .player(let player) = ban.subject else { return BanRow(ban: ban, alias: nil) }
                return BanRow(ban: ban, alias: self.knownAlias(of: player))
            })
    }
}
