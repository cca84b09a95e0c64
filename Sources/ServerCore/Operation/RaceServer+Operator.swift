import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// What an operator asks for is done at once.
extension RaceServer {
    mutating func operate(_ command: OperatorCommand) -> OperatorAnswer {
        switch command {
        case .ban(let subject, let seconds, let reason): self.ban(subject, seconds, reason)
        case .unban(let subject): self.unban(subject)
        case .bans: self.banRows(self.door.bans.list(now: self.wallTime))
        case .kick(let player, let reason): self.kick(player, reason)
        case .find(let alias):
            self.playersByAlias[AliasKey(alias)].map { .found(self.players[$0].id) }
                ?? .refused(
                    "nobody is here as \(alias), and those who have left can't be looked up just now: #7 names"
                        + " player 7", code: .unavailable)
        case .players(let prefix): self.playerRows(prefix)
        case .matches: self.matchRows()
        case .match(let match): self.seatRows(match)
        case .stop(let match, let reason): self.stopMatch(match, reason)
        case .tell(let player, let text): self.tell(player, text)
        case .change(let door, let deadlines): self.change(door, deadlines)
        case .logLevel(let level): self.setLogLevel(level)
        }
    }

    private mutating func setLogLevel(_ level: LogLine.Level) -> OperatorAnswer {
        self.configuration.logLevel = level
        return .done(closed: 0)
    }

    // MARK: Bans

    private mutating func ban(
        _ subject: Ban.Subject, _ seconds: Int64?, _ reason: String
    ) -> OperatorAnswer {
        let now = self.wallTime
        let ban = Ban(
            subject: subject, until: seconds.map { now.adding(seconds: $0) }, reason: reason, made: now)
        guard ban.holds(at: now) else {
            return .refused("a ban holds for 1 second or longer", code: .badValue)
        }
        let replaced = self.door.bans.ban(of: subject, now: now)
        guard self.door.bans.set(ban, now: now) else { return Self.tooManyBans }
        self.outbox.errands.append(.bans(.set(ban)))
        self.log(.info, "banned", [("subject", subject), ("until", ban.until.map { "\($0)" } ?? "for-good")])
        let closed = self.closeBanned(ban)
        guard let replaced else { return .done(closed: closed) }
        return .replaced(replaced, closed: closed)
    }

    private static let tooManyBans = OperatorAnswer.refused(
        "there are \(Limits.bans) bans, which is all there can be: lift one first", code: .tooMany)

    private mutating func unban(_ subject: Ban.Subject) -> OperatorAnswer {
        guard let ban = self.door.bans.lift(subject) else {
            return .refused("\(subject) is not banned: bans lists those who are")
        }
        self.outbox.errands.append(.bans(.lifted(subject)))
        self.log(.info, "unbanned", [("subject", subject)])
        return ban.made == Ban.bySetting ? .liftedOfSettings : .done(closed: 0)
    }

    private mutating func closeBanned(_ ban: Ban) -> Int {
        switch ban.subject {
        case .player(let player):
            guard let index = self.playersByID[player] else { return 0 }
            let id = self.players[index].connection
            self.giveUpSeat(of: index)
            if let id { self.close(id, .banned, ban.text) }
            return id == nil ? 0 : 1
        case .range(let range):
            var closed = 0
            for slot in self.connections.indices {
                let connection = self.connections[slot]
                guard connection.isOpen, !connection.isClosing, range.contains(connection.address) else {
                    continue
                }
                if let player = connection.player { self.giveUpSeat(of: player) }
                self.close(connection.id, .banned, ban.text)
                closed += 1
            }
            return closed
        }
    }

    /// As if the player had left. May be the last that is known of them.
    private mutating func giveUpSeat(of player: PlayerIndex) {
        guard let room = self.players[player].room else { return }
        self.run(.left(self.players[player].seat), in: room)
        self.releaseIfGone(player)
    }

    private mutating func change(_ door: DoorSettings, _ deadlines: Deadlines) -> OperatorAnswer {
        self.configuration.deadlines = deadlines
        self.tickets.fill = deadlines.fill
        self.privateRaces.fill = deadlines.fill
        var door = door
        door.clockOrigin = self.configuration.door.clockOrigin
        self.configuration.door = door
        self.door.settings = door
        let now = self.wallTime
        let wanted = Set(door.bans.map(\.subject))
        let old = self.door.bans.list(now: now)
        for ban in old where ban.made == Ban.bySetting && !wanted.contains(ban.subject) {
            _ = self.door.bans.lift(ban.subject)
        }
        let known = Set(old.map(\.subject))
        var closed = 0
        for ban in door.bans where !known.contains(ban.subject) {
            guard self.door.bans.set(ban, now: now) else { return Self.tooManyBans }
            closed += self.closeBanned(ban)
        }
        return .done(closed: closed)
    }

    // MARK: Players and matches

    private mutating func kick(_ player: PlayerID, _ reason: String) -> OperatorAnswer {
        guard let index = self.playersByID[player] else { return Self.notHere(player) }
        let id = self.players[index].connection
        self.giveUpSeat(of: index)
        let words = Ban.cut(reason)
        if let id {
            self.close(
                id, .kicked, "the operator sent you away" + (words.isEmpty ? "" : ", because: \(words)"))
        }
        self.log(.info, "kicked", [("player", player.value)])
        return .done(closed: id == nil ? 0 : 1)
    }

    private static func notHere(_ player: PlayerID) -> OperatorAnswer {
        .refused("player \(player.value) is not here", code: .noSuchPlayer)
    }

    private static func noMatch(_ match: MatchID) -> OperatorAnswer {
        .refused("there is no match \(match.value) now: matches lists those there are", code: .noSuchMatch)
    }

    /// Nobody is at fault, and nobody goes back to the queue.
    private mutating func stopMatch(_ match: MatchID, _ reason: String) -> OperatorAnswer {
        guard let room = self.roomsByMatch[match] else { return Self.noMatch(match) }
        guard self.rooms[room].state != .done else {
            return .refused("match \(match.value) is over already, and its result stands")
        }
        let words = Ban.cut(reason)
        let message = ServerMessage.notice(
            .operator, seconds: 0,
            text: "the operator has ended match \(match.value) without a result"
                + (words.isEmpty ? "" : ", because: \(words)"))
        let occupants = self.rooms[room].occupants
        for seat in self.rooms[room].seats {
            if case .player(let player) = occupants[seat] { self.send(message, to: player) }
        }
        for spectator in self.rooms[room].spectators { self.send(message, to: spectator) }
        var broadcast = self.openBroadcast(room)
        self.close(room, &broadcast)
        self.log(.info, "match-stopped", [("match", match.value)])
        return .done(closed: 0)
    }

    /// Encoded once for each dialect. Who has not said what they speak is not told.
    private mutating func tell(_ player: PlayerID?, _ text: String) -> OperatorAnswer {
        let message = ServerMessage.notice(.operator, seconds: 0, text: text)
        if let player {
            guard let index = self.playersByID[player], let id = self.players[index].connection else {
                return Self.notHere(player)
            }
            self.send(message, to: id)
            return .told(1)
        }
        let start = self.outbox.bytes.count
        BinaryEncoder.append(message, to: &self.outbox.bytes)
        let middle = self.outbox.bytes.count
        LineEncoder.append(message, names: .none, to: &self.outbox.bytes)
        let (binary, text) = (start..<middle, middle..<self.outbox.bytes.count)
        var told = 0
        for slot in self.connections.indices where self.connections[slot].isOpen {
            guard !self.connections[slot].isClosing else { continue }
            switch self.connections[slot].dialect {
            case .binary: self.outbox.outputs.append(.send(self.connections[slot].id, binary))
            case .text: self.outbox.outputs.append(.send(self.connections[slot].id, text))
            case .unknown, .preface: continue
            }
            told += 1
        }
        return .told(told)
    }
}
