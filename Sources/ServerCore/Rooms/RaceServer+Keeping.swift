import Lobby
import MatchRules
import RaceModel
import Records
import WireProtocol

/// Told means kept: who is told how a race ended reads it once the result is kept, or is told that it is not.
extension RaceServer {
    /// The race is over. What everybody is told from here on is behind the answer of the store.
    mutating func keep(_ over: GameOver, of room: RoomIndex, _ broadcast: inout Broadcast) {
        self.flush(&broadcast)
        broadcast.isAheadOfEnd = false
        if self.results.count >= Limits.pendingResults, let oldest = self.results.oldest {
            self.warn(oldest)
            if let entry = self.results.remove(oldest) { self.setUnkept(.unknown, entry.match) }
        }
        let lookUp = self.nextLookUp()
        let match = self.rooms[room].id
        let due = self.now + self.configuration.deadlines.keep
        self.results.add(PendingResults.Entry(match: match, due: due), as: lookUp)
        self.outbox.errands.append(.results(lookUp, .keep(self.record(of: room, over))))
        // A store that is known to be behind is not waited for.
        if self.isStoreBehind { _ = self.results.makeLate(lookUp) }
        for connection in self.listeners(in: room) { self.waitForResult(of: match, connection) }
        broadcast.start = self.outbox.bytes.count
    }

    private func record(of room: RoomIndex, _ over: GameOver) -> MatchRecord {
        let isWhole = self.rooms[room].recordDigest == nil
        let forfeited = self.rooms[room].match.forfeited
        return MatchRecord(
            found: self.found(room, for: nil), numbers: self.rooms[room].numbers,
            order: self.rooms[room].lineup?.order ?? [], events: isWhole ? self.rooms[room].log : nil,
            forfeited: forfeited, over: over)
    }

    /// Everybody who is told of this match.
    private func listeners(in room: RoomIndex) -> [ConnectionID] {
        var players = self.rooms[room].spectators
        let occupants = self.rooms[room].occupants
        for seat in self.rooms[room].seats {
            if case .player(let player) = occupants[seat] { players.append(player) }
        }
        return players.compactMap { self.players[$0].connection }
    }

    /// Comes before anything that tells how this match ended: while its result is on its way, this connection waits
    /// for it, or is warned.
    mutating func waitForResult(of match: MatchID, _ connection: ConnectionID) {
        guard let entry = self.results.entry(of: match), !entry.held.contains(connection),
            !entry.warned.contains(connection)
        else { return }
        if entry.isLate {
            self.send(Self.notKept(match), to: connection)
        } else {
            self.outbox.outputs.append(.hold(connection))
        }
        let connections = self.connections
        self.results.include(connection, in: match) { id in
            Int(id.slot) < connections.count && connections[Int(id.slot)].id == id
        }
    }

    mutating func waitForResult(of room: RoomIndex, _ player: PlayerIndex) {
        guard let connection = self.players[player].connection else { return }
        let match = self.rooms[room].id
        switch self.rooms[room].unkept {
        case .lost: self.send(Self.lost(match), to: connection)
        case .unknown: self.send(Self.notKept(match), to: connection)
        case nil: self.waitForResult(of: match, connection)
        }
    }

    private mutating func setUnkept(_ unkept: Room.Unkept, _ match: MatchID) {
        if let room = self.roomsByMatch[match] { self.rooms[room].unkept = unkept }
    }

    // MARK: Answers

    mutating func take(_ answer: ResultAnswer, to lookUp: LookUpID) {
        if self.takeSaved(answer, to: lookUp) { return }
        switch answer {
        case .kept:
            guard let entry = self.results.remove(lookUp) else { return }
            self.setStoreBehind(false, entry.match)
            for connection in entry.held { self.outbox.outputs.append(.release(connection)) }
            let news = ServerMessage.notice(
                .kept, seconds: 0, text: "the result of match \(entry.match.value) is kept")
            for connection in entry.warned { self.send(news, to: connection) }
        case .delayed:
            self.warn(lookUp)
        case .lost:
            guard let entry = self.results.remove(lookUp) else { return }
            self.setStoreBehind(true, entry.match)
            self.setUnkept(.lost, entry.match)
            self.release(entry.held, behind: Self.lost(entry.match))
            for connection in entry.warned { self.send(Self.lost(entry.match), to: connection) }
        case .record, .noRecord, .history, .noSuchPlayer, .leaderboard, .unavailable:
            self.take(answer, toQuestion: lookUp)
        }
    }

    mutating func passResultDeadlines() {
        while let lookUp = self.results.due(self.now) { self.warn(lookUp) }
    }

    /// Who waits for this result waits no longer.
    private mutating func warn(_ lookUp: LookUpID) {
        guard let late = self.results.makeLate(lookUp) else { return }
        self.setStoreBehind(true, late.match)
        self.release(late.held, behind: Self.notKept(late.match))
    }

    private mutating func release(_ connections: [ConnectionID], behind warning: ServerMessage) {
        for connection in connections {
            self.sendAhead(warning, to: connection)
            self.outbox.outputs.append(.release(connection))
        }
    }

    private mutating func setStoreBehind(_ isBehind: Bool, _ match: MatchID) {
        guard self.isStoreBehind != isBehind else { return }
        self.isStoreBehind = isBehind
        self.log(
            isBehind ? .warning : .info, isBehind ? "results-not-kept" : "results-kept",
            [("match", match.value)])
    }

    private static func notKept(_ match: MatchID) -> ServerMessage {
        .notice(
            .notKept, seconds: 0,
            text: "the result of match \(match.value) is not kept yet, and is lost if the server ends now")
    }

    private static func lost(_ match: MatchID) -> ServerMessage {
        .notice(.notKept, seconds: 0, text: "the result of match \(match.value) will not be kept")
    }

    // MARK: Ids

    mutating func nextMatch() -> MatchID {
        self.lastMatch += 1
        self.reserveMatches()
        return MatchID(self.lastMatch)
    }

    /// Ids are reserved long ahead of their use, so that none is used again after whatever end: the first ones before
    /// anybody can have a name, which the same store gives them.
    mutating func reserveMatches() {
        guard self.reservedMatches < self.lastMatch + Self.matchBlock / 2 else { return }
        self.reservedMatches = self.lastMatch + Self.matchBlock
        self.reserveMatches(upTo: self.reservedMatches)
    }

    private static let matchBlock: UInt64 = 1000

    mutating func reserveMatches(upTo last: UInt64) {
        self.outbox.errands.append(.results(self.nextLookUp(), .reserveMatches(upTo: MatchID(last))))
    }
}
