import RaceModel

extension ServerMessage {
    /// What a line says, with the entries behind it.
    init(_ line: LineFields, entries: [LineFields]) throws(ProtocolViolation) {
        switch line.verb {
        case "number": self = .randomNumber(try RevealedNumber(line))
        case "begin": self = .gameBegin(seconds: try line.number("seconds"))
        case "moved": self = .moved(try Moved(line))
        case "over": self = .gameOver(try GameOver(line, entries: entries))
        case "welcome":
            self = .welcome(PlayerID(try line.number("player")), try line.alias("alias"), try line.key())
        case "error": self = .error(try ErrorReply(line))
        case "bye": self = .bye(try line.choice("reason"), text: try line.text("text"))
        case "queued": self = .queued(try Queued(line))
        case "found": self = .matchFound(try MatchFound(line, entries: entries))
        case "aliases":
            self = .aliases(try entries.map { entry throws(ProtocolViolation) in try AliasEntry(entry) })
        case "again": self = .drawAgain(round: try line.number("round"), seats: try line.seats("seats"))
        case "order": self = .playerOrder(try line.seats("seats"))
        case "turn": self = .turnStarted(try TurnStarted(line))
        case "gone": self = .playerGone(try Presence(line), seconds: try line.number("seconds"))
        case "back": self = .playerBack(try Presence(line))
        case "snapshot": self = .snapshot(try Snapshot(line, entries: entries))
        case "players":
            self = .players(
                try line.page(), try entries.map { entry throws(ProtocolViolation) in try PlayerEntry(entry) }
            )
        case "matches":
            self = .matches(
                try line.page(), try entries.map { entry throws(ProtocolViolation) in try MatchEntry(entry) })
        case "invited":
            self = .invited(
                InviteID(try line.number("id")), from: try line.alias("from"), try RaceRequest(line))
        case "invite":
            self = .inviteClosed(
                InviteID(try line.number("id")), try line.choice("outcome"), alias: try line.alias("alias"))
        case "code":
            let code = String(decoding: try line.required("value"), as: UTF8.self)
            guard code.utf8.count <= Limits.codeBytes else { throw line.bad("the code is too long") }
            self = .privateCode(code, seconds: try line.number("seconds"))
        case "waiting": self = .reason(try WaitReason(line))
        case "pong": self = .pong(try line.number("value"))
        case "notice":
            self = .notice(
                try line.choice("code"), seconds: try line.number("seconds"), text: try line.text("text"))
        case "cancelled": self = .matchCancelled(try MatchCancelled(line))
        case "forfeit":
            self = .forfeited(
                Forfeited(
                    sequence: try line.number("seq"), player: try line.player("player"),
                    reason: try line.choice("reason")))
        case "rematch":
            self = .rematchOffered(
                RematchOffered(
                    player: try line.player("player"), wants: try line.flag("wants"),
                    agreed: try line.number("agreed"), of: try line.number("of")))
        case "stopped": self = .stopped(try line.choice("what"))
        case "top": self = .leaderboard(try Leaderboard(line, entries: entries))
        case "record": self = .record(try RecordPage(line, text: []))
        case "history": self = .history(try History(line, entries: entries))
        default:
            throw ProtocolViolation(
                code: .unknownVerb, request: nil, text: "the server has no line '\(line.verb.cut(to: 40))'")
        }
    }
}

extension LineFields {
    fileprivate func key() throws(ProtocolViolation) -> PlayerKey? {
        guard let digits = self.optional("key") else { return nil }
        guard let key = Hex.key(digits) else { throw self.bad("key is 32 hexadecimal digits") }
        return key
    }
}

extension RevealedNumber {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(
            round: try line.number("round"), seat: try line.seat("seat"), number: try line.number("value"),
            drawnByServer: line.optional("drawn")?.elementsEqual("server".utf8) ?? false)
    }
}

extension Moved {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(
            sequence: try line.number("seq"), turn: try line.number("turn"),
            player: try line.player("player"),
            steps: try line.number("by"), position: try line.number("at"), automatic: try line.flag("auto"))
    }
}

extension TurnStarted {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(
            sequence: try line.number("seq"), turn: try line.number("turn"),
            player: try line.player("player"),
            seconds: try line.number("seconds"))
    }
}

extension GameOver {
    fileprivate init(_ line: LineFields, entries: [LineFields]) throws(ProtocolViolation) {
        let winner = try line.optionalPlayer("winner")
        guard try line.flag("player1won") == (winner?.value == 1) else {
            throw line.bad("player1won says something else than the winner")
        }
        let places = try entries.map { entry throws(ProtocolViolation) in
            Standing(
                rank: try entry.number("rank"), player: try entry.player("player"),
                position: try entry.number("at"))
        }
        self.init(
            sequence: try line.number("seq"),
            outcome: Outcome(winner: winner, reason: try line.choice("reason")),
            nonce: try line.bytes32("nonce"), digest: try line.bytes32("digest"), standings: places)
    }
}

extension ErrorReply {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        var request: UInt8?
        if let name = line.optional("re") {
            if let number = ClientMessageNumber.allCases.first(where: { name.elementsEqual($0.name.utf8) }) {
                request = number.rawValue
            } else {
                request = try line.number("re")
            }
        }
        self.init(code: try line.choice("code"), request: request, text: try line.text("text"))
    }
}

extension Queued {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(
            waiting: try line.number("waiting"), minimum: try line.number("min"),
            maximum: try line.number("max"),
            startsIn: try line.optionalNumber("starts"))
    }
}

extension MatchFound {
    fileprivate init(_ line: LineFields, entries: [LineFields]) throws(ProtocolViolation) {
        let seats = try entries.map { entry throws(ProtocolViolation) in
            SeatEntry(
                seat: try entry.seat("n"), player: PlayerID(try entry.number("player")),
                alias: try entry.alias("alias"))
        }
        self.init(
            match: MatchID(try line.number("match")), ownSeat: try line.optionalSeat("seat"),
            settings: try line.settings(), seal: try line.bytes32("seal"), seats: seats)
    }
}

extension AliasEntry {
    fileprivate init(_ entry: LineFields) throws(ProtocolViolation) {
        let isUnknown = entry.optional("unknown")?.elementsEqual("yes".utf8) ?? false
        self.init(
            player: PlayerID(try entry.number("id")), alias: isUnknown ? nil : try entry.alias("alias"))
    }
}

extension Presence {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(seat: try line.seat("seat"), player: try line.optionalPlayer("player"))
    }
}

extension Snapshot {
    fileprivate init(_ line: LineFields, entries: [LineFields]) throws(ProtocolViolation) {
        let runners = try entries.map { entry throws(ProtocolViolation) in
            Runner(
                seat: try entry.seat("seat"), number: try entry.optionalPlayer("player"),
                player: PlayerID(try entry.number("id")), alias: try entry.alias("alias"),
                position: try entry.number("at"), presence: try entry.choice("presence"))
        }
        self.init(
            match: MatchID(try line.number("match")), ownSeat: try line.optionalSeat("seat"),
            settings: try line.settings(), seal: try line.bytes32("seal"), state: try line.choice("state"),
            sequence: try line.number("seq"), turn: try line.number("turn"),
            onTurn: try line.optionalPlayer("player"), seconds: try line.number("seconds"), runners: runners)
    }
}

extension PlayerEntry {
    fileprivate init(_ entry: LineFields) throws(ProtocolViolation) {
        self.init(
            player: PlayerID(try entry.number("id")), alias: try entry.alias("alias"),
            state: try entry.choice("state"), idle: try entry.number("idle"))
    }
}

extension MatchEntry {
    fileprivate init(_ entry: LineFields) throws(ProtocolViolation) {
        let names = (entry.optional("players") ?? []).split(separator: UInt8(ascii: ","))
        guard names.count <= Limits.playersPerMatch else { throw entry.bad("players names at most 8") }
        let aliases = try names.map { name throws(ProtocolViolation) in
            guard name.count <= Limits.aliasBytes, let alias = Alias(String(decoding: name, as: UTF8.self))
            else {
                throw entry.bad("players are aliases")
            }
            return alias
        }
        self.init(
            match: MatchID(try entry.number("id")), state: try entry.choice("state"),
            rule: try entry.choice("rule"), aliases: aliases, spectators: try entry.number("spectators"))
    }
}

extension RaceRequest {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(
            minimum: try line.number("min"), maximum: try line.number("max"), settings: try line.settings(),
            group: try line.number("group"), bots: try line.number("bots"))
    }
}

extension WaitReason {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(
            waitingFor: try line.text("for"), what: try line.choice("what"), since: try line.number("since"),
            left: try line.optionalNumber("left"), then: try line.text("then"))
    }
}

extension MatchCancelled {
    fileprivate init(_ line: LineFields) throws(ProtocolViolation) {
        self.init(
            match: MatchID(try line.number("match")), alias: try line.alias("alias"),
            reason: try line.choice("reason"), queuedAgain: try line.flag("queued"))
    }
}
