import RaceModel
import Testing
import WireProtocol

@Suite struct LineEncoderTests {
    private let seal = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    // The forms that programs outside rely on, to the letter.
    @Test func `a whole race reads as the manual shows it`() {
        let digest = "ffffffffffffffff" + "0000000000000000" + "0000000000000001" + "fedcba9876543210"
        let found = MatchFound(
            match: MatchID(7), ownSeat: Seat(1), settings: RaceSettings(), seal: Samples.nonce,
            seats: [
                SeatEntry(seat: Seat(1), player: PlayerID(17), alias: Samples.ann),
                SeatEntry(seat: Seat(2), player: PlayerID(18), alias: Samples.bob),
            ])
        let one = PlayerNumber(1)
        let two = PlayerNumber(2)
        let messages: [ServerMessage] = [
            .welcome(PlayerID(17), Samples.ann, Samples.key),
            .queued(Queued(waiting: 1, minimum: 2, maximum: 2, startsIn: nil)),
            .matchFound(found),
            .randomNumber(
                RevealedNumber(round: 1, seat: Seat(1), number: 1_189_998_819, drawnByServer: false)),
            .randomNumber(RevealedNumber(round: 1, seat: Seat(2), number: 99, drawnByServer: true)),
            .playerOrder([Seat(1), Seat(2)]),
            .gameBegin(seconds: 20),
            .turnStarted(TurnStarted(sequence: 1, turn: 1, player: one, seconds: 20)),
            .moved(Moved(sequence: 2, turn: 1, player: one, steps: 4, position: 4, automatic: false)),
            .turnStarted(TurnStarted(sequence: 3, turn: 2, player: two, seconds: 20)),
            .gameOver(
                GameOver(
                    sequence: 31, outcome: Outcome(winner: one, reason: .finish), nonce: Samples.nonce,
                    digest: Samples.digest,
                    standings: [
                        Standing(rank: 1, player: one, position: 26),
                        Standing(rank: 2, player: two, position: 21),
                    ])),
            .error(ErrorReply(code: .notYourTurn, request: 2, text: "it is bob's turn")),
            .bye(.quit, text: ""),
        ]
        var bytes: [UInt8] = []
        LineEncoder.appendGreeting(to: &bytes)
        for message in messages { LineEncoder.append(message, names: Samples.names, to: &bytes) }
        let expected = """
            hello server=catrace version=1
            welcome player=17 alias=ann key=6f1c0000000000010102030405060708
            queued waiting=1 min=2 max=2
            found match=7 seat=1 of=2 rule=turns finish=25 draw=highest seal=\(self.seal)
            seat n=1 player=17 alias=ann
            seat n=2 player=18 alias=bob
            number round=1 seat=1 value=1189998819
            number round=1 seat=2 value=99 drawn=server
            order seats=1,2
            begin seconds=20
            turn seq=1 turn=1 player=1 alias=ann seconds=20
            moved seq=2 turn=1 player=1 alias=ann by=4 at=4 of=25 auto=no
            turn seq=3 turn=2 player=2 alias=bob seconds=20
            over seq=31 player1won=yes winner=1 alias=ann reason=finish nonce=\(self.seal) digest=\(digest) \
            places=2
            place rank=1 player=1 alias=ann at=26
            place rank=2 player=2 alias=bob at=21
            error re=move code=not-your-turn text="it is bob's turn"
            bye reason=quit

            """
        #expect(Feed.text(bytes) == expected)
        #expect(Feed.serverLines(Feed.pieces(bytes, of: 3)) == messages.map { .value($0) })
    }

    @Test func `the other lines have the forms of the manual`() {
        let two = PlayerNumber(2)
        let forms: [(ServerMessage, String)] = [
            (.drawAgain(round: 2, seats: [Seat(1), Seat(2)]), "again round=2 seats=1,2"),
            (
                .queued(Queued(waiting: 3, minimum: 2, maximum: 4, startsIn: 8)),
                "queued waiting=3 min=2 max=4 starts=8"
            ),
            (
                .matchCancelled(
                    MatchCancelled(match: MatchID(7), alias: Samples.bob, reason: .left, queuedAgain: true)),
                "cancelled match=7 alias=bob reason=left queued=yes"
            ),
            (
                .aliases([
                    AliasEntry(player: PlayerID(17), alias: Samples.ann),
                    AliasEntry(player: PlayerID(99), alias: nil),
                ]), "aliases count=2\nalias id=17 alias=ann\nalias id=99 unknown=yes"
            ),
            (
                .playerGone(Presence(seat: Seat(2), player: two), seconds: 30),
                "gone player=2 seat=2 alias=bob seconds=30"
            ),
            (
                .playerGone(Presence(seat: Seat(2), player: nil), seconds: 30),
                "gone seat=2 alias=bob seconds=30"
            ),
            (.playerBack(Presence(seat: Seat(2), player: two)), "back player=2 seat=2 alias=bob"),
            (
                .reason(
                    WaitReason(
                        waitingFor: "bob", what: .move, since: 4, left: 16, then: "the server rolls for bob")
                ),
                "waiting for=bob what=move since=4 left=16 then=\"the server rolls for bob\""
            ),
            (
                .players(
                    Page(number: 1, of: 2),
                    [PlayerEntry(player: PlayerID(17), alias: Samples.ann, state: .racing, idle: 3)]),
                "players page=1 of=2 count=1\nplayer id=17 alias=ann state=racing idle=3"
            ),
            (
                .matches(
                    Page(number: 1, of: 1),
                    [
                        MatchEntry(
                            match: MatchID(7), state: .active, rule: .turns,
                            aliases: [Samples.ann, Samples.bob],
                            spectators: 1)
                    ]),
                "matches page=1 of=1 count=1\nmatch id=7 state=active rule=turns players=ann,bob spectators=1"
            ),
            (
                .invited(InviteID(5), from: Samples.ann, RaceRequest()),
                "invited id=5 from=ann rule=turns draw=highest finish=25 group=0 bots=0 min=2 max=2"
            ),
            (
                .inviteClosed(InviteID(5), .accepted, alias: Samples.alias("fay")),
                "invite id=5 outcome=accepted alias=fay"
            ),
            (.notice(.draining, seconds: 8, text: ""), "notice code=draining seconds=8"),
            (
                .forfeited(Forfeited(sequence: 9, player: two, reason: .left)),
                "forfeit seq=9 player=2 alias=bob reason=left"
            ),
        ]
        for (message, line) in forms {
            #expect(Feed.text(Feed.line(message, names: Samples.names)) == line + "\n")
        }
    }

    @Test func `what is not known is left out`() {
        let moved = ServerMessage.moved(
            Moved(sequence: 2, turn: 1, player: PlayerNumber(1), steps: 4, position: 4, automatic: true))
        #expect(Feed.text(Feed.line(moved)) == "moved seq=2 turn=1 player=1 by=4 at=4 auto=yes\n")
        let early = RosterNames(aliases: [Samples.ann], finish: 25)
        #expect(
            Feed.text(Feed.line(moved, names: early))
                == "moved seq=2 turn=1 player=1 by=4 at=4 of=25 auto=yes\n")
        #expect(early.alias(of: Seat(1)) == Samples.ann && early.alias(of: Seat(2)) == nil)
        #expect(early.alias(of: Seat(0)) == nil && early.alias(of: PlayerNumber(0)) == nil)
        #expect(early.alias(of: PlayerNumber(1)) == nil)
        let swapped = RosterNames(aliases: [Samples.ann, Samples.bob], order: [Seat(2), Seat(1)])
        #expect(swapped.alias(of: PlayerNumber(1)) == Samples.bob)
    }

    @Test func `what a player wrote is quoted and escaped`() {
        let text = "a \"b\" \\ \r\n\t\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{200D}\u{E9}"
        let line = Feed.text(Feed.line(.bye(.shutdown, text: text)))
        #expect(
            line
                == "bye reason=shutdown text=\"a \\\"b\\\" \\\\ \\r\\n\\t"
                + "\\x1b[2J\\x7f\\xc2\\x9b\\xe2\\x80\\xae\\xe2\\x80\\x8d\u{E9}\"\n"
        )
        #expect(Feed.serverLines([Array(line.utf8)[...]]) == [.value(.bye(.shutdown, text: text))])
        var note: [UInt8] = []
        LineEncoder.appendNote("hi \u{1B}[2J\nerror code=full", to: &note)
        #expect(Feed.text(note) == "# hi \\x1b[2J\n# error code=full\n")
        #expect(Feed.text(Feed.line(.hello(Hello(name: "\u{44F}_-.9")))) == "name \u{44F}_-.9\n")
        #expect(Feed.text(Feed.line(.listPlayers(prefix: "a=b", page: 1))) == "who \"a=b\"\n")
    }
}
