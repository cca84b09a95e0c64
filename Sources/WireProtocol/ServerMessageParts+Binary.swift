import RaceModel

extension RevealedNumber {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            round: try reader.u8(), seat: try reader.seat(), number: try reader.u32(),
            drawnByServer: try reader.flag("drawn"))
    }
}

extension Moved {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            sequence: try reader.u32(), turn: try reader.u32(), player: try reader.player(),
            steps: try reader.u8(),
            position: try reader.u32(), automatic: try reader.flag("automatic"))
    }
}

extension TurnStarted {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            sequence: try reader.u32(), turn: try reader.u32(), player: try reader.player(),
            seconds: try reader.u16())
    }
}

extension GameOver {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        let sequence = try reader.u32()
        let player1Won = try reader.flag("player1Won")
        let winner = try reader.optionalPlayer()
        guard player1Won == (winner?.value == 1) else {
            throw reader.violation(.badValue, "player1Won says something else than the winner")
        }
        let outcome = Outcome(winner: winner, reason: try reader.choice("the reason"))
        let nonce = try reader.bytes32()
        let digest = try reader.bytes32()
        let standings = try reader.list("places", limit: Limits.playersPerMatch, Standing.init(from:))
        self.init(sequence: sequence, outcome: outcome, nonce: nonce, digest: digest, standings: standings)
    }
}

extension Standing {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(rank: try reader.u8(), player: try reader.player(), position: try reader.u32())
    }
}

extension ErrorReply {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        let raw = try reader.u16()
        guard let code = ErrorCode(rawValue: raw) else {
            throw reader.violation(.badValue, "there is no error code \(raw) in version 1")
        }
        let request = try reader.u8()
        self.init(code: code, request: request == .max ? nil : request, text: try reader.text())
    }
}

extension Queued {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        let waiting = try reader.u16()
        let minimum = try reader.u8()
        let maximum = try reader.u8()
        let starts = try reader.u16()
        self.init(
            waiting: waiting, minimum: minimum, maximum: maximum, startsIn: starts == .max ? nil : starts)
    }
}

extension MatchFound {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            match: MatchID(try reader.u64()), ownSeat: try reader.optionalSeat(),
            settings: try reader.settings(),
            seal: try reader.bytes32(),
            seats: try reader.list("seats", limit: Limits.playersPerMatch, SeatEntry.init(from:)))
    }
}

extension SeatEntry {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(seat: try reader.seat(), player: PlayerID(try reader.u64()), alias: try reader.alias())
    }
}

extension AliasEntry {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        let player = PlayerID(try reader.u64())
        let text = try reader.string("an alias", limit: Limits.aliasBytes, code: .badAlias)
        guard !text.isEmpty else {
            self.init(player: player, alias: nil)
            return
        }
        guard let alias = Alias(text) else {
            throw reader.violation(.badAlias, "not an alias: see the rules for aliases")
        }
        self.init(player: player, alias: alias)
    }
}

extension Presence {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(seat: try reader.seat(), player: try reader.optionalPlayer())
    }
}

extension Snapshot {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            match: MatchID(try reader.u64()), ownSeat: try reader.optionalSeat(),
            settings: try reader.settings(),
            seal: try reader.bytes32(), state: try reader.choice("the state"), sequence: try reader.u32(),
            turn: try reader.u32(), onTurn: try reader.optionalPlayer(), seconds: try reader.u16(),
            runners: try reader.list("runners", limit: Limits.playersPerMatch, Runner.init(from:)))
    }
}

extension Runner {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            seat: try reader.seat(), number: try reader.optionalPlayer(), player: PlayerID(try reader.u64()),
            alias: try reader.alias(), position: try reader.u32(), presence: try reader.choice("presence"))
    }
}

extension Page {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(number: try reader.page(), of: try reader.page())
    }
}

extension PlayerEntry {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            player: PlayerID(try reader.u64()), alias: try reader.alias(),
            state: try reader.choice("the state"),
            idle: try reader.u32())
    }
}

extension MatchEntry {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        let match = MatchID(try reader.u64())
        let state: MatchState = try reader.choice("the state")
        let rule: RaceSettings.Rule = try reader.choice("rule")
        let spectators = try reader.u16()
        let aliases = try reader.list("aliases", limit: Limits.playersPerMatch) {
            (reader: inout BinaryReader) throws(ProtocolViolation) -> Alias in try reader.alias()
        }
        self.init(match: match, state: state, rule: rule, aliases: aliases, spectators: spectators)
    }
}

extension WaitReason {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        let waitingFor = try reader.string("for", limit: Limits.textBytes)
        let what: WaitKind = try reader.choice("what")
        let since = try reader.u32()
        let left = try reader.u32()
        self.init(
            waitingFor: waitingFor, what: what, since: since, left: left == .max ? nil : left,
            then: try reader.text())
    }
}

extension MatchCancelled {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            match: MatchID(try reader.u64()), alias: try reader.alias(),
            reason: try reader.choice("the reason"),
            queuedAgain: try reader.flag("queuedAgain"))
    }
}
