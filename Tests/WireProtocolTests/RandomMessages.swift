import RaceModel
import WireProtocol

/// Messages as chance makes them, within what both dialects can carry.
struct RandomMessages {
    var generator: SeededGenerator

    init(seed: UInt64) { self.generator = SeededGenerator(seed: seed) }

    mutating func below(_ bound: Int) -> Int { Int(self.generator.below(UInt64(bound))) }
    mutating func flag() -> Bool { self.below(2) == 1 }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[self.below(elements.count)] }

    /// Small numbers, large ones, and the edges.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>() -> Number {
        switch self.below(6) {
        case 0: 0
        case 1: .max
        case 2: Number(1) << Number(Number.bitWidth - 1)
        case 3: Number(self.below(100))
        default: Number(truncatingIfNeeded: self.generator.next())
        }
    }

    mutating func seat() -> Seat { Seat(index: self.below(8)) }
    mutating func player() -> PlayerNumber { PlayerNumber(index: self.below(8)) }
    mutating func optional<Value>(_ value: Value) -> Value? { self.flag() ? value : nil }
    mutating func list<Entry>(_ most: Int, _ entry: (inout RandomMessages) -> Entry) -> [Entry] {
        let count = self.below(most + 1)
        return (0..<count).map { _ in entry(&self) }
    }

    /// One script an alias, as players have them.
    mutating func alias() -> Alias {
        let letters = self.pick([
            "abcxyzABC019", "\u{0431}\u{0436}\u{0434}\u{044F}\u{0429}", "\u{8D5B}\u{8DD1}",
        ])
        let count = 1 + self.below(20)
        var text = ""
        for _ in 0..<count { text.unicodeScalars.append(self.pick(Array(letters.unicodeScalars))) }
        return Samples.alias(text)
    }

    /// Anything that is UTF-8, the worst included.
    mutating func text(_ most: Int) -> String {
        let wild = Array(
            "ab 12=\"\\'#,-\n\r\t\u{0}\u{1B}\u{7F}\u{9B}\u{202E}\u{200D}\u{E9}\u{1F600}\u{E000}\u{FFFD}"
                .unicodeScalars)
        var text = ""
        for _ in 0..<self.below(most) {
            let scalar = self.pick(wild)
            if text.utf8.count + String(scalar).utf8.count <= most { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    mutating func bytes32() -> Bytes32 {
        Bytes32(words: (self.number(), self.number(), self.number(), self.number()))
    }

    mutating func settings() -> RaceSettings {
        RaceSettings(
            rule: self.pick(RaceSettings.Rule.allCases), draw: self.pick(RaceSettings.Draw.allCases),
            finish: UInt32(1 + self.below(Int(Limits.finish))))
    }

    mutating func request() -> RaceRequest {
        let minimum = 2 + self.below(7)
        return RaceRequest(
            minimum: UInt8(minimum), maximum: UInt8(minimum + self.below(9 - minimum)),
            settings: self.settings(),
            group: self.number(), bots: UInt8(self.below(8)))
    }

    mutating func client() -> ClientMessage {
        switch self.pick(ClientMessageNumber.allCases) {
        case .randomNumber: .randomNumber(round: self.number(), number: self.number())
        case .gameBegin: .gameBegin
        case .move: .move(turn: self.number())
        case .hello:
            .hello(
                Hello(
                    name: self.text(64),
                    key: self.optional(PlayerKey(high: self.number(), low: self.number())),
                    lastSeen: self.number()))
        case .findMatch: .findMatch(self.request())
        case .cancelFind: .cancelFind
        case .leave: .leave
        case .rematch: .rematch
        case .lookUpAliases:
            .lookUpAliases([PlayerID(self.number())] + self.list(20) { PlayerID($0.number()) })
        case .listPlayers: .listPlayers(prefix: self.text(64), page: UInt16(1 + self.below(65535)))
        case .listMatches: .listMatches(page: UInt16(1 + self.below(65535)))
        case .watch: .watch(MatchID(self.number()))
        case .unwatch: .unwatch
        case .invite: .invite(alias: self.text(64), self.request())
        case .answerInvite: .answerInvite(InviteID(self.number()), accept: self.flag())
        case .cancelInvite: .cancelInvite(InviteID(self.number()))
        case .hostPrivate: .hostPrivate(self.request())
        case .joinPrivate: .joinPrivate(code: self.text(16))
        case .leaderboard:
            .leaderboard(self.pick(RaceSettings.Rule.allCases), page: UInt16(1 + self.below(65535)))
        case .replay: .replay(MatchID(self.number()), page: UInt16(1 + self.below(65535)))
        case .lookUpPlayer: .lookUpPlayer(alias: self.text(64))
        case .why: .why
        case .ping: .ping(self.number())
        case .quit: .quit
        }
    }

    mutating func server() -> ServerMessage {
        switch self.pick(ServerMessageNumber.allCases) {
        case .randomNumber:
            .randomNumber(
                RevealedNumber(
                    round: self.number(), seat: self.seat(), number: self.number(), drawnByServer: self.flag()
                ))
        case .gameBegin: .gameBegin(seconds: self.number())
        case .moved:
            .moved(
                Moved(
                    sequence: self.number(), turn: self.number(), player: self.player(), steps: self.number(),
                    position: self.number(), automatic: self.flag()))
        case .gameOver: .gameOver(self.gameOver())
        case .welcome:
            .welcome(
                PlayerID(self.number()), self.alias(),
                self.optional(PlayerKey(high: self.number(), low: self.number())))
        case .error: .error(self.error())
        case .bye: .bye(self.pick(ByeReason.allCases), text: self.text(200))
        case .queued:
            .queued(
                Queued(
                    waiting: self.number(), minimum: self.number(), maximum: self.number(),
                    startsIn: self.optional(UInt16(self.below(65535)))))
        case .matchFound: .matchFound(self.matchFound())
        case .aliases:
            .aliases(
                self.list(50) { AliasEntry(player: PlayerID($0.number()), alias: $0.optional($0.alias())) })
        case .drawAgain: .drawAgain(round: self.number(), seats: self.list(8) { $0.seat() })
        case .playerOrder: .playerOrder(self.list(8) { $0.seat() })
        case .turnStarted:
            .turnStarted(
                TurnStarted(
                    sequence: self.number(), turn: self.number(), player: self.player(),
                    seconds: self.number()))
        case .playerGone: .playerGone(self.presence(), seconds: self.number())
        case .playerBack: .playerBack(self.presence())
        case .snapshot: .snapshot(self.snapshot())
        case .players: .players(self.page(), self.list(20) { $0.playerEntry() })
        case .matches: .matches(self.page(), self.list(6) { $0.matchEntry() })
        case .invited: .invited(InviteID(self.number()), from: self.alias(), self.request())
        case .inviteClosed:
            .inviteClosed(InviteID(self.number()), self.pick(InviteOutcome.allCases), alias: self.alias())
        case .privateCode: .privateCode(self.text(16), seconds: self.number())
        case .reason: .reason(self.waitReason())
        case .pong: .pong(self.number())
        case .notice: .notice(self.pick(NoticeCode.allCases), seconds: self.number(), text: self.text(200))
        case .matchCancelled:
            .matchCancelled(
                MatchCancelled(
                    match: MatchID(self.number()), alias: self.alias(),
                    reason: self.pick(MatchCancelled.Reason.allCases), queuedAgain: self.flag()))
        case .forfeited:
            .forfeited(
                Forfeited(
                    sequence: self.number(), player: self.player(), reason: self.pick(ForfeitReason.allCases))
            )
        case .rematchOffered:
            .rematchOffered(
                RematchOffered(
                    player: self.player(), wants: self.flag(), agreed: self.number(), of: self.number()))
        case .stopped: .stopped(self.pick(Activity.allCases))
        case .leaderboard: .leaderboard(self.leaderboard())
        case .record: .record(self.recordPage())
        case .history: .history(self.history())
        }
    }
}

extension RandomMessages {
    private mutating func presence() -> Presence {
        Presence(seat: self.seat(), player: self.optional(self.player()))
    }

    mutating func page() -> Page {
        Page(number: UInt16(1 + self.below(65535)), of: UInt16(1 + self.below(65535)))
    }

    private mutating func error() -> ErrorReply {
        ErrorReply(
            code: self.pick(ErrorCode.allCases), request: self.optional(UInt8(self.below(255))),
            text: self.text(200))
    }

    private mutating func waitReason() -> WaitReason {
        WaitReason(
            waitingFor: self.text(200), what: self.pick(WaitKind.allCases), since: self.number(),
            left: self.optional(UInt32(self.below(Int(UInt32.max)))), then: self.text(200))
    }

    private mutating func gameOver() -> GameOver {
        GameOver(
            sequence: self.number(),
            outcome: Outcome(
                winner: self.optional(self.player()), reason: self.pick(Outcome.Reason.allCases)),
            nonce: self.bytes32(), digest: self.bytes32(),
            standings: self.list(8) {
                Standing(rank: $0.number(), player: $0.player(), position: $0.number())
            })
    }

    private mutating func matchFound() -> MatchFound {
        MatchFound(
            match: MatchID(self.number()), ownSeat: self.optional(self.seat()), settings: self.settings(),
            seal: self.bytes32(),
            seats: self.list(8) {
                SeatEntry(seat: $0.seat(), player: PlayerID($0.number()), alias: $0.alias())
            })
    }

    private mutating func snapshot() -> Snapshot {
        Snapshot(
            match: MatchID(self.number()), ownSeat: self.optional(self.seat()), settings: self.settings(),
            seal: self.bytes32(), state: self.pick(MatchState.allCases), sequence: self.number(),
            turn: self.number(), onTurn: self.optional(self.player()), seconds: self.number(),
            runners: self.list(8) {
                Runner(
                    seat: $0.seat(), number: $0.optional($0.player()), player: PlayerID($0.number()),
                    alias: $0.alias(), position: $0.number(), presence: $0.pick(Runner.Presence.allCases))
            })
    }

    private mutating func playerEntry() -> PlayerEntry {
        PlayerEntry(
            player: PlayerID(self.number()), alias: self.alias(), state: self.pick(PlayerState.allCases),
            idle: self.number())
    }

    private mutating func matchEntry() -> MatchEntry {
        MatchEntry(
            match: MatchID(self.number()), state: self.pick(MatchState.allCases),
            rule: self.pick(RaceSettings.Rule.allCases), aliases: self.list(8) { $0.alias() },
            spectators: self.number())
    }
}
