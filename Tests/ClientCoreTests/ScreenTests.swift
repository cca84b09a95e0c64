import RaceModel
import Records
import Testing
import WireProtocol

@testable import ClientCore

/// The screen as text, whole: what a person sees is what is compared.
@Suite struct ScreenTests {
    private let now = Instant(nanoseconds: 1_000_000_000)

    private struct Person {
        var alias: String
        var position: UInt32 = 0
        var presence = Runner.Presence.here
    }

    private func view(
        _ people: [Person], own: UInt8? = 1, onTurn: UInt8? = 1, rule: RaceSettings.Rule = .turns,
        finish: UInt32 = 25, more: [ServerMessage] = []
    ) throws -> RaceView {
        let runners = try people.enumerated().map { index, person in
            Runner(
                seat: Seat(index: index), number: PlayerNumber(index: index),
                player: PlayerID(UInt64(index + 1)),
                alias: try #require(Alias(person.alias)), position: person.position, presence: person.presence
            )
        }
        let snapshot = Snapshot(
            match: MatchID(7), ownSeat: own.map { Seat($0) },
            settings: RaceSettings(rule: rule, draw: .highest, finish: finish), seal: .zero, state: .active,
            sequence: 3, turn: 2, onTurn: onTurn.map { PlayerNumber($0) }, seconds: 17, runners: runners)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        let alias = try #require(Alias(people[Int(own ?? 1) - 1].alias))
        _ = client.feed([.welcome(PlayerID(1), alias, nil), .snapshot(snapshot)] + more, now: self.now)
        return client.view
    }

    private func text(_ screen: Screen, _ columns: Int, _ rows: Int) -> String {
        let rendered = screen.render(Screen.Size(columns: columns, rows: rows), now: self.now)
        #expect(rendered.count == rows)
        for row in rendered { #expect(row.width <= columns, "\(row.text)") }
        return rendered.map(\.text).joined(separator: "\n")
    }

    private func two() throws -> RaceView {
        try self.view([Person(alias: "ann", position: 9), Person(alias: "bob", position: 14)])
    }

    private func eight() throws -> RaceView {
        try self.view(
            [
                Person(alias: "ann", position: 9), Person(alias: "Bartholomew_the_2nd.", position: 24),
                Person(alias: "猫猫猫", position: 13), Person(alias: "Мия", position: 0, presence: .gone),
                Person(alias: "eve", position: 20, presence: .out), Person(alias: "kim", position: 1),
                Person(alias: "דנה", position: 11), Person(alias: "zoe", position: 22),
            ], onTurn: 3,
            more: [.playerGone(Presence(seat: Seat(4), player: PlayerNumber(4)), seconds: 12)])
    }

    @Test func `names stand above the runners, the cat at the finish`() throws {
        let screen = Screen(view: try self.two(), events: ["bob rolled 5, now at 14"])
        #expect(
            self.text(screen, 60, 12) == """
                Cat Race  match 7, turns to 25                   you are ann

                                   ann
                >1 |----------------@.............................|  9 =^.^=
                                            bob
                 2 |-------------------------o....................| 14

                your turn: press space to roll (17 s)
                  bob rolled 5, now at 14


                space move  l leave  w why  q quit  ? help
                """)
    }

    @Test func `eight players fit into 80 by 24, with long, wide, gone and forfeited ones`() throws {
        let screen = Screen(
            view: try self.eight(), events: ["kim rolled 1", "Bartholomew_the_2nd. rolled 3"])
        #expect(
            self.text(screen, 80, 24) == """
                Cat Race  match 7, turns to 25                                       you are ann

                                          ann
                 1 |-----------------------@..........................................|  9
                                                                        Bartholomew_the_2nd.
                 2 |--------------------------------------------------------------o...| 24
                                                  猫猫猫
                >3 |---------------------------------o................................| 13
                    Мия (gone, 12 s)
                 4 |?.................................................................|  0 =^.^=
                                                                    eve (out)
                 5 |----------------------------------------------------x.............| 20
                     kim
                 6 |--o...............................................................|  1
                                               \u{2068}דנה\u{2069}
                 7 |----------------------------o.....................................| 11
                                                                            zoe
                 8 |---------------------------------------------------------o........| 22

                猫猫猫's turn (17 s)
                  kim rolled 1
                  Bartholomew_the_2nd. rolled 3

                space move  l leave  w why  q quit  ? help
                """)
    }

    @Test func `in a low window the names stand in front`() throws {
        let screen = Screen(view: try self.eight(), events: ["kim rolled 1"])
        #expect(
            self.text(screen, 40, 14) == """
                Cat Race                     you are ann

                 1 ann          |----@........|  9
                 2 Bartholomew_~|-----------o.| 24
                >3 猫猫猫       |------o......| 13
                 4 Мия (gone, 1~|?............|  0 =^.^=
                 5 eve (out)    |---------x...| 20
                 6 kim          |o............|  1
                 7 \u{2068}דנה\u{2069}          |-----o.......| 11
                 8 zoe          |----------o..| 22

                猫猫猫's turn (17 s)
                  kim rolled 1
                space move  l leave  w why  q quit  ? h~
                """)
        #expect(
            self.text(screen, 24, 6) == """
                Cat Race     you are ann
                 1 ann     |-@..|  9
                 2 Barthol~|--o.| 24 =^~
                猫猫猫's turn (17 s)
                  kim rolled 1
                space move  l leave  w ~
                """)
    }

    @Test func `the help takes the place of the track`() throws {
        let screen = Screen(view: try self.two(), showsHelp: true)
        #expect(
            self.text(screen, 60, 15) == """
                Cat Race  match 7, turns to 25                   you are ann

                space  move: roll the die, or in a dash run a step
                n      send your number for the draw
                b      begin the race, as player 1
                r      ask for a rematch
                p      look for another race
                w      whom do we wait for, and what then?
                l      leave the match, or the queue
                q      quit
                ?      this help, and back

                your turn: press space to roll (17 s)

                space move  l leave  w why  q quit  ? help
                """)
    }

    @Test func `any size is filled and never passed, down to a single cell`() throws {
        let views = [RaceView(), try self.two(), try self.eight()]
        for columns in [1, 2, 3, 7, 20, 39, 40, 79, 80, 200] {
            for rows in 1...30 {
                for view in views {
                    for help in [false, true] {
                        _ = self.text(
                            Screen(view: view, events: ["one", "two"], showsHelp: help), columns, rows)
                    }
                }
            }
        }
    }

    @Test func `the status says whose turn it is and counts down to 0, never below`() throws {
        let screen = Screen(view: try self.two())
        func status(_ seconds: Int) -> String {
            screen.status(now: self.now + .seconds(seconds)).text
        }
        #expect(status(0) == "your turn: press space to roll (17 s)")
        #expect(status(16) == "your turn: press space to roll (1 s)")
        #expect(status(17) == "your turn: press space to roll (0 s)")
        #expect(status(400) == "your turn: press space to roll (0 s)")
        let other = try self.view([Person(alias: "ann"), Person(alias: "bob")], onTurn: 2)
        #expect(Screen(view: other).status(now: self.now).text == "bob's turn (17 s)")
        let dash = try self.view([Person(alias: "ann"), Person(alias: "bob")], onTurn: nil, rule: .dash)
        #expect(Screen(view: dash).status(now: self.now).text == "run! each press of space is a step")
        let lost = Screen(view: other, linkStatus: "the connection was lost: attempt 2 in 3 s")
        #expect(lost.status(now: self.now).text == "the connection was lost: attempt 2 in 3 s")
    }

    @Test func `the end says who has won, what was checked, and who wants a rematch`() throws {
        let over = GameOver(
            sequence: 4, outcome: Outcome(winner: PlayerNumber(2), reason: .finish), nonce: .zero,
            digest: .zero,
            standings: [
                Standing(rank: 1, player: PlayerNumber(2), position: 26),
                Standing(rank: 2, player: PlayerNumber(1), position: 9),
            ])
        let offer = RematchOffered(player: PlayerNumber(1), wants: true, agreed: 1, of: 2)
        let view = try self.view(
            [Person(alias: "ann", position: 9), Person(alias: "bob", position: 14)],
            more: [.gameOver(over), .rematchOffered(offer)])
        let report = RaceReport(lines: [RaceReport.Line(subject: .seal, verdict: .passed(""))])
        #expect(
            self.text(Screen(view: view, report: report), 60, 12) == """
                Cat Race  match 7, turns to 25                   you are ann

                              ann (again!)
                 1 |----------------@.............................|  9 =^.^=
                                                                bob
                 2 |---------------------------------------------o| 26

                bob has won the race!  rematch: 1 of 2
                  checked: seal


                r rematch  p play again  l leave  q quit  ? help
                """)
    }

    @Test func `nothing from outside steers the terminal`() {
        #expect(DisplayText.harmless("a\u{1B}[2Jb\u{9B}c\u{202E}d\n") == "a?[2Jb?c?d?")
        #expect(DisplayText.harmless("דנה") == "\u{2068}דנה\u{2069}")
        var screen = Screen(view: RaceView(), events: ["evil \u{1B}]0;x\u{7}"])
        screen.linkStatus = "\u{1B}[31mred"
        for row in screen.render(Screen.Size(columns: 40, rows: 5), now: self.now) {
            #expect(row.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        }
    }

    @Test func `wide and combining characters take the columns they take`() {
        let widths: [(String, Int)] = [
            ("ann", 3), ("猫", 2), ("ａ", 2), ("e\u{301}", 1), ("😀", 2), ("Мия", 3), ("한", 2),
            ("\u{2068}a\u{2069}", 1),
            ("", 0), ("⛄", 2), ("é", 1),
        ]
        for (text, width) in widths { #expect(DisplayText.width(text) == width, "\(text)") }
        #expect(DisplayText.cut("猫猫猫", to: 4) == "猫~")
        #expect(DisplayText.cut("猫猫", to: 4) == "猫猫")
        #expect(DisplayText.cut("abc", to: 0) == "")
    }
}
