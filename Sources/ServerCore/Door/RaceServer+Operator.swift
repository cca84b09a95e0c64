import MatchRules
import RaceModel
import WireProtocol

/// What an operator asks for is done at once.
extension RaceServer {
    mutating func operate(_ command: OperatorCommand) -> OperatorAnswer {
        switch command {
        case .ban(let subject, let seconds, let reason):
            let now = self.wallTime
            let ban = Ban(
                subject: subject, until: seconds.map { now.adding(seconds: $0) }, reason: reason, made: now)
            guard ban.holds(at: now) else { return .refused("a ban holds for 1 second or longer") }
            guard self.door.bans.set(ban, now: now) else {
                return .refused("there are \(Limits.bans) bans, which is all there can be: lift one first")
            }
            self.outbox.outputs.append(.bans(.set(ban)))
            self.log(
                .info, "banned", [("subject", subject), ("until", ban.until.map { "\($0)" } ?? "for-good")])
            return .done(closed: self.closeBanned(ban))
        case .unban(let subject):
            guard self.door.bans.lift(subject) != nil else {
                return .refused("\(subject) is not banned: bans lists those who are")
            }
            self.outbox.outputs.append(.bans(.lifted(subject)))
            self.log(.info, "unbanned", [("subject", subject)])
            return .done(closed: 0)
        case .bans: return .bans(self.door.bans.list(now: self.wallTime))
        case .kick(let player, let reason):
            guard let index = self.playersByID[player] else {
                return .refused("player \(player.value) is not here")
            }
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
}
