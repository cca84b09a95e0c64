import MatchRules
import RaceModel
import WireProtocol

/// How far a player has read. In a dash others move as often as they like: who can't read that fast would be
/// closed for it. They are spared the steps, and get a snapshot in their place once they have read what they
/// have, or when something else happens.
enum Pace: UInt8, Sendable {
    case abreast
    /// Much is unread.
    case behind
    /// And steps were left out since.
    case missing
}

extension RaceServer {
    static func isStep(_ effects: [Match.Effect]) -> Bool {
        // Only a dash waits for any move.
        if case .startClock(.idle)? = effects.last, case .moved? = effects.first { true } else { false }
    }

    static func endsRace(_ effects: [Match.Effect]) -> Bool {
        effects.contains { if case .over = $0 { true } else { false } }
    }

    mutating func setBehind(_ player: PlayerIndex, _ isBehind: Bool) {
        if isBehind {
            if self.players[player].pace == .abreast { self.players[player].pace = .behind }
        } else {
            let wasMissing = self.players[player].pace == .missing
            self.players[player].pace = .abreast
            if wasMissing, let room = self.players[player].room { self.sendStanding(of: room, to: player) }
        }
    }

    /// Whether a player who is behind does without what is being told, since it is only a step, or since the
    /// snapshot that they get has it.
    mutating func spares(_ player: PlayerIndex, _ broadcast: Broadcast) -> Bool {
        if broadcast.isStep {
            self.players[player].pace = .missing
            return true
        }
        guard self.players[player].pace == .missing else { return false }
        // A snapshot of a match that is done tells its end.
        if broadcast.isAheadOfEnd { return true }
        self.players[player].pace = .behind
        self.sendStanding(of: broadcast.room, to: player)
        return true
    }

    /// How things stand in a match, and its end, if it has ended.
    mutating func sendStanding(of room: RoomIndex, to player: PlayerIndex) {
        self.sendSnapshot(of: room, for: self.players[player].seat, to: player)
        guard case .done(let ending) = self.rooms[room].match.phase, let race = ending.race,
            let outcome = ending.outcome
        else { return }
        self.send(
            .gameOver(self.gameOver(room, outcome, race.sequence)), to: player, names: self.rooms[room].names)
    }
}
