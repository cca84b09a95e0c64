import RaceModel
import WireProtocol

/// At least one value of every message, ordinary ones and those at the edges. The golden vectors are made of
/// them.
enum Samples {
    static func alias(_ text: String) -> Alias {
        guard let alias = Alias(text) else { preconditionFailure("\(text) is no alias") }
        return alias
    }

    /// Twenty letters, sixty bytes.
    static let longAlias = alias(String(repeating: "\u{8D5B}", count: 20))
    static let ann = alias("ann")
    static let bob = alias("bob")

    static let names = RosterNames(aliases: [ann, bob], order: [Seat(1), Seat(2)], finish: 25)

    static let nonce = Bytes32(
        words: (0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F, 0x1011_1213_1415_1617, 0x1819_1A1B_1C1D_1E1F))
    static let digest = Bytes32(words: (.max, 0, 1, 0xFEDC_BA98_7654_3210))
    static let key = PlayerKey(high: 0x6F1C_0000_0000_0001, low: 0x0102_0304_0506_0708)

    static let small = RaceRequest()
    static let large = RaceRequest(
        minimum: 2, maximum: 8, settings: RaceSettings(rule: .dash, draw: .sealed, finish: Limits.finish),
        group: .max, bots: 7)

    static let client: [ClientMessage] = [
        .randomNumber(round: 0, number: 0x0102_0304),
        .randomNumber(round: 3, number: .max),
        .randomNumber(round: 255, number: 0),
        .gameBegin,
        .move(turn: 0),
        .move(turn: 7),
        .move(turn: .max),
        .hello(Hello(name: "ann")),
        .hello(Hello(name: "#17", key: key, lastSeen: 12)),
        .hello(Hello(name: "\u{041C}\u{044F}\u{1F600}", key: PlayerKey(high: .max, low: 0), lastSeen: .max)),
        .hello(Hello(name: "", lastSeen: 1)),
        .hello(Hello(name: String(repeating: "\n", count: 64))),
        .findMatch(small),
        .findMatch(large),
        .cancelFind,
        .leave,
        .rematch,
        .lookUpAliases([PlayerID(17)]),
        .lookUpAliases([PlayerID(0), PlayerID(0x0102_0304_0506_0708), PlayerID(.max)]),
        .listPlayers(prefix: "", page: 1),
        .listPlayers(prefix: "a b=\"c\\", page: .max),
        .listMatches(page: 1),
        .listMatches(page: 2),
        .watch(MatchID(7)),
        .watch(MatchID(.max)),
        .unwatch,
        .invite(alias: "bob", small),
        .invite(alias: "\u{202E}bob\u{9B}", large),
        .answerInvite(InviteID(5), accept: true),
        .answerInvite(InviteID(.max), accept: false),
        .cancelInvite(InviteID(5)),
        .hostPrivate(small),
        .hostPrivate(large),
        .joinPrivate(code: "K7QP"),
        .joinPrivate(code: ""),
        .leaderboard(.turns, page: 1),
        .leaderboard(.dash, page: .max),
        .replay(MatchID(7), page: 1),
        .replay(MatchID(.max), page: .max),
        .why,
        .ping(0),
        .ping(0x0102_0304_0506_0708),
        .ping(.max),
        .quit,
        .lookUpPlayer(alias: "ann"),
        .lookUpPlayer(alias: ""),
    ]

    static let server: [ServerMessage] = matchMessages + lobbyMessages + results

    private static let matchMessages: [ServerMessage] = [
        .randomNumber(RevealedNumber(round: 1, seat: Seat(1), number: 0x0102_0304, drawnByServer: false)),
        .randomNumber(RevealedNumber(round: 255, seat: Seat(8), number: .max, drawnByServer: true)),
        .gameBegin(seconds: 20),
        .gameBegin(seconds: .max),
        .moved(Moved(sequence: 2, turn: 1, player: PlayerNumber(1), steps: 4, position: 4, automatic: false)),
        .moved(
            Moved(
                sequence: .max, turn: .max, player: PlayerNumber(8), steps: .max, position: .max,
                automatic: true)),
        .gameOver(
            GameOver(
                sequence: 31, outcome: Outcome(winner: PlayerNumber(1), reason: .finish), nonce: nonce,
                digest: digest,
                standings: [
                    Standing(rank: 1, player: PlayerNumber(1), position: 26),
                    Standing(rank: 2, player: PlayerNumber(2), position: 21),
                ])),
        .gameOver(
            GameOver(
                sequence: 5, outcome: Outcome(winner: PlayerNumber(2), reason: .forfeit), nonce: digest,
                digest: nonce, standings: [])),
        .gameOver(
            GameOver(
                sequence: .max, outcome: Outcome(winner: nil, reason: .noMoves), nonce: .zero, digest: .zero,
                standings: (1...8).map { Standing(rank: 255, player: PlayerNumber($0), position: .max) })),
        .matchFound(
            MatchFound(
                match: MatchID(7), ownSeat: Seat(1), settings: RaceSettings(), seal: nonce,
                seats: [
                    SeatEntry(seat: Seat(1), player: PlayerID(17), alias: ann),
                    SeatEntry(seat: Seat(2), player: PlayerID(18), alias: bob),
                ])),
        .matchFound(
            MatchFound(
                match: MatchID(.max), ownSeat: nil, settings: large.settings, seal: digest,
                seats: (1...8).map { SeatEntry(seat: Seat($0), player: PlayerID(0), alias: longAlias) })),
        .drawAgain(round: 2, seats: [Seat(1), Seat(2)]),
        .drawAgain(round: 255, seats: (1...8).map { Seat($0) }),
        .playerOrder([Seat(1), Seat(2)]),
        .playerOrder((1...8).reversed().map { Seat($0) }),
        .turnStarted(TurnStarted(sequence: 1, turn: 1, player: PlayerNumber(1), seconds: 20)),
        .turnStarted(TurnStarted(sequence: .max, turn: .max, player: PlayerNumber(8), seconds: .max)),
        .playerGone(Presence(seat: Seat(2), player: PlayerNumber(2)), seconds: 30),
        .playerGone(Presence(seat: Seat(2), player: nil), seconds: 0),
        .playerBack(Presence(seat: Seat(2), player: PlayerNumber(2))),
        .playerBack(Presence(seat: Seat(8), player: nil)),
        .snapshot(
            Snapshot(
                match: MatchID(7), ownSeat: Seat(2), settings: RaceSettings(), seal: nonce, state: .active,
                sequence: 9, turn: 5, onTurn: PlayerNumber(1), seconds: 18,
                runners: [
                    Runner(
                        seat: Seat(1), number: PlayerNumber(1), player: PlayerID(17), alias: ann,
                        position: 12,
                        presence: .here),
                    Runner(
                        seat: Seat(2), number: PlayerNumber(2), player: PlayerID(18), alias: bob, position: 9,
                        presence: .gone),
                ])),
        .snapshot(
            Snapshot(
                match: MatchID(.max), ownSeat: nil, settings: large.settings, seal: digest,
                state: .waitingForRandomNumber, sequence: 0, turn: 0, onTurn: nil, seconds: .max,
                runners: (1...8).map {
                    Runner(
                        seat: Seat($0), number: nil, player: PlayerID(.max), alias: longAlias, position: .max,
                        presence: .out)
                })),
        .forfeited(Forfeited(sequence: 9, player: PlayerNumber(2), reason: .left)),
        .forfeited(Forfeited(sequence: .max, player: PlayerNumber(8), reason: .missedTurns)),
        .rematchOffered(RematchOffered(player: PlayerNumber(1), wants: true, agreed: 1, of: 2)),
        .rematchOffered(RematchOffered(player: PlayerNumber(8), wants: false, agreed: 0, of: 255)),
        .matchCancelled(MatchCancelled(match: MatchID(7), alias: bob, reason: .left, queuedAgain: true)),
        .matchCancelled(
            MatchCancelled(match: MatchID(.max), alias: longAlias, reason: .gone, queuedAgain: false)),
    ]

    private static let lobbyMessages: [ServerMessage] = [
        .welcome(PlayerID(17), ann, key),
        .welcome(PlayerID(.max), longAlias, nil),
        .error(ErrorReply(code: .notYourTurn, request: 2, text: "it is bob's turn")),
        .error(ErrorReply(code: .frameTooLong, request: nil, text: "")),
        .error(ErrorReply(code: .unknownType, request: 200, text: "a\r\nb\u{1B}[2J\u{9B}\u{202E}\"\\")),
        .bye(.quit, text: ""),
        .bye(.slowReader, text: "too much was not read"),
        .bye(.banned, text: "you are banned for good"),
        .queued(Queued(waiting: 1, minimum: 2, maximum: 2, startsIn: nil)),
        .queued(Queued(waiting: 3, minimum: 2, maximum: 4, startsIn: 8)),
        .queued(Queued(waiting: .max, minimum: 255, maximum: 0, startsIn: .max - 1)),
        .aliases([
            AliasEntry(player: PlayerID(17), alias: ann), AliasEntry(player: PlayerID(18), alias: bob),
            AliasEntry(player: PlayerID(99), alias: nil),
        ]),
        .aliases([]),
        .players(
            Page(number: 1, of: 2),
            [
                PlayerEntry(player: PlayerID(17), alias: ann, state: .racing, idle: 3),
                PlayerEntry(player: PlayerID(.max), alias: longAlias, state: .gone, idle: .max),
            ]),
        .players(Page(number: .max, of: .max), []),
        .matches(
            Page(number: 1, of: 1),
            [
                MatchEntry(
                    match: MatchID(7), state: .active, rule: .turns, aliases: [ann, bob], spectators: 1),
                MatchEntry(
                    match: MatchID(.max), state: .done, rule: .dash,
                    aliases: Array(repeating: longAlias, count: 8), spectators: .max),
            ]),
        .matches(Page(number: 1, of: 1), []),
        .invited(InviteID(5), from: ann, small),
        .invited(InviteID(.max), from: longAlias, large),
        .inviteClosed(InviteID(5), .accepted, alias: alias("fay")),
        .inviteClosed(InviteID(.max), .noAnswer, alias: longAlias),
        .privateCode("K7QP", seconds: 600),
        .privateCode("", seconds: .max),
        .reason(
            WaitReason(waitingFor: "bob", what: .move, since: 4, left: 16, then: "the server rolls for bob")),
        .reason(WaitReason(waitingFor: "anyone", what: .players, since: .max, left: nil, then: "")),
        .pong(0x0102_0304_0506_0708),
        .pong(.max),
        .notice(.draining, seconds: 8, text: ""),
        .notice(.slowDown, seconds: .max, text: String(repeating: "x", count: 200)),
        .stopped(.queue),
        .stopped(.rematch),
    ]
}
