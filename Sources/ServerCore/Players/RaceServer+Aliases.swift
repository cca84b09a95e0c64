import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// Who asked for aliases.
enum PendingLookUp: Sendable {
    case connection(ConnectionID)
    /// The seats of a match.
    case room(RoomIndex)
}

/// Aliases by player id: known ones at once, others when the store has answered.
extension RaceServer {
    mutating func lookUpAliases(_ ids: [PlayerID], from slot: Int) {
        let id = self.connections[slot].id
        guard !ids.isEmpty, ids.count <= Limits.lookUpIDs else {
            return self.refuse(
                .tooMany, "ask for 1 to \(Limits.lookUpIDs) ids at once",
                request: ClientMessageNumber.lookUpAliases.rawValue, to: id)
        }
        guard !self.isStoreFull || self.directory.knows(ids) else {
            return self.refuseAliases(to: id)
        }
        self.connections[slot].openLookUps += 1
        self.lookUp(ids, for: .connection(id))
    }

    mutating func lookUp(_ ids: [PlayerID], for asker: PendingLookUp) {
        let lookUp = self.nextLookUp()
        switch self.directory.ask(ids, as: lookUp) {
        case .known(let aliases): self.deliver(aliases, isComplete: true, to: asker)
        case .waiting(let request):
            self.lookUps[lookUp] = asker
            if let request { self.outbox.errands.append(.directory(lookUp, request)) }
        }
    }

    mutating func take(_ answer: DirectoryAnswer, to lookUp: LookUpID) {
        if let hello = self.hellos.removeValue(forKey: lookUp) { return self.take(answer, to: hello) }
        if self.take(answer, toQuestion: lookUp) || self.take(answer, toSearch: lookUp) { return }
        self.answeredLookUps += self.directory.answered(lookUp, answer)
        self.tellAnswered()
    }

    /// Hands on what the store has answered: one answer may be what a thousand questions waited for, so only as
    /// much as one round has room for. The rest is for the next.
    mutating func tellAnswered() {
        let completions = self.answeredLookUps
        self.answeredLookUps = []
        for (index, completion) in completions.enumerated() {
            guard self.work <= Limits.workPerRound else {
                self.answeredLookUps = completions[index...] + self.answeredLookUps
                return
            }
            guard let asker = self.lookUps.removeValue(forKey: completion.question) else { continue }
            let before = self.work
            self.deliver(completion.aliases, isComplete: completion.isComplete, to: asker)
            guard case .connection(let id) = asker, let slot = self.slot(of: id) else { continue }
            self.connections[slot].effort.add(self.work - before, now: self.now)
            self.resume(slot)
        }
    }

    private mutating func refuseAliases(to id: ConnectionID) {
        self.refuse(
            .unavailable, "aliases cannot be looked up just now: try again in a few seconds",
            request: ClientMessageNumber.lookUpAliases.rawValue, to: id)
    }

    private mutating func deliver(_ aliases: [KnownAlias], isComplete: Bool, to asker: PendingLookUp) {
        switch asker {
        case .connection(let id):
            guard let slot = self.slot(of: id) else { return }
            self.connections[slot].openLookUps -= 1
            if isComplete {
                self.send(.aliases(aliases.map { AliasEntry(player: $0.id, alias: $0.alias) }), to: id)
            } else {
                self.refuseAliases(to: id)
            }
        case .room(let room):
            for known in aliases {
                // Once everybody was told a placeholder, it stays: the record of the race names it.
                guard let alias = known.alias, self.rooms.contains(room),
                    self.rooms[room].state == .waitingForMatch
                else { continue }
                for seat in self.rooms[room].match.seats
                where self.rooms[room].playerIDs[seat.index] == known.id {
                    self.name(seat, alias, in: room)
                }
            }
        }
    }
}
