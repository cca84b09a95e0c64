import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// Lists, in pages.
extension RaceServer {
    /// To look at one player or match takes about as long as to write so many bytes of an answer.
    private static let bytesPerLook = 8

    /// Who is here; with a prefix, who is known.
    mutating func listPlayers(_ prefix: String, page: UInt16, to slot: Int) {
        let folded = AliasKey.prefix(of: prefix)
        guard folded.isEmpty else {
            guard !self.isStoreFull else { return self.answer(self.noPlayers, to: slot) }
            let lookUp = self.ask(.players(page: page), from: slot)
            let limit = Limits.prefixPages * Limits.pageEntries
            self.outbox.errands.append(.directory(lookUp, .completions(prefix: folded, limit: limit)))
            return
        }
        self.outbox.work += Self.bytesPerLook * self.players.count
        let (pageInfo, shown) = Self.cut(Array(self.players.indices), page)
        self.answer(.players(pageInfo, shown.map { self.entry(of: $0) }), to: slot)
    }

    func page(_ page: UInt16, of names: [PlayerName]) -> ServerMessage {
        let (pageInfo, shown) = Self.cut(names, page)
        return .players(
            pageInfo,
            shown.map { name in
                self.playersByID[name.id].map { self.entry(of: $0) }
                    ?? PlayerEntry(player: name.id, alias: name.alias, state: .offline, idle: 0)
            })
    }

    private func entry(of player: PlayerIndex) -> PlayerEntry {
        PlayerEntry(
            player: self.players[player].id, alias: self.players[player].alias, state: self.state(of: player),
            idle: UInt32(clamping: (self.now - self.players[player].lastMessage).seconds))
    }

    mutating func listMatches(page: UInt16, to id: ConnectionID) {
        self.outbox.work += Self.bytesPerLook * self.rooms.count
        let (pageInfo, shown) = Self.cut(Array(self.rooms.indices), page)
        let entries = shown.map { index in
            let room = self.rooms[index]
            return MatchEntry(
                match: room.id, state: room.state, rule: room.match.settings.rule, aliases: room.aliases,
                spectators: UInt16(clamping: room.spectators.count))
        }
        self.send(.matches(pageInfo, entries), to: id)
    }

    /// Page 0 counts as page 1; a page behind the last is empty.
    private static func cut<Entry>(_ all: [Entry], _ page: UInt16) -> (Page, ArraySlice<Entry>) {
        let pages = max(1, (all.count + Limits.pageEntries - 1) / Limits.pageEntries)
        let number = max(1, Int(page))
        let start = min(all.count, (number - 1) * Limits.pageEntries)
        let end = min(all.count, start + Limits.pageEntries)
        return (Page(number: UInt16(clamping: number), of: UInt16(clamping: pages)), all[start..<end])
    }

    func state(of player: PlayerIndex) -> PlayerState {
        let entry = self.players[player]
        if entry.connection == nil { return .gone }
        if let room = entry.room {
            switch self.rooms[room].state {
            case .waitingForMatch, .waitingForRandomNumber, .waitingForStart: return .starting
            case .active: return .racing
            case .done: return .finished
            }
        }
        if self.tickets.contains(entry.id) { return .queued }
        if self.privateRaces.race(of: entry.id) != nil { return .hosting }
        return entry.watching == nil ? .idle : .watching
    }
}
