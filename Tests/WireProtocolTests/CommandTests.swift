import RaceModel
import Testing
import WireProtocol

@Suite struct CommandTests {
    private func read(_ line: String) -> TextInput? {
        let events = Feed.lines(line + "\n")
        guard events.count == 1, case .value(let input) = events[0] else { return nil }
        return input
    }

    private func refused(_ line: String) -> ProtocolViolation? {
        guard case .violation(let violation) = self.read(line) else { return nil }
        return violation
    }

    @Test func `verbs are read in any case, and every one of them`() {
        let key = "6f1c000000000001" + "0102030405060708"
        let forms: [(String, ClientMessage)] = [
            ("name ann", .hello(Hello(name: "ann"))),
            ("NAME ann \(key)", .hello(Hello(name: "ann", key: Samples.key))),
            (
                "name #17 \(key.uppercased()) seq=12",
                .hello(Hello(name: "#17", key: Samples.key, lastSeen: 12))
            ),
            ("cancel", .cancelFind), ("number 5", .randomNumber(round: 0, number: 5)),
            ("number 4294967295 round=2", .randomNumber(round: 2, number: .max)), ("begin", .gameBegin),
            ("Move", .move(turn: 0)), ("move 7", .move(turn: 7)), ("leave", .leave), ("rematch", .rematch),
            ("why", .why), ("ping", .ping(0)), ("ping 18446744073709551615", .ping(.max)), ("quit", .quit),
            ("alias 17,18,99", .lookUpAliases([PlayerID(17), PlayerID(18), PlayerID(99)])),
            ("alias 17 18 99", .lookUpAliases([PlayerID(17), PlayerID(18), PlayerID(99)])),
            ("alias 17, 18 ,99", .lookUpAliases([PlayerID(17), PlayerID(18), PlayerID(99)])),
            ("who", .listPlayers(prefix: "", page: 1)), ("who a page=3", .listPlayers(prefix: "a", page: 3)),
            ("who page=2", .listPlayers(prefix: "", page: 2)), ("matches", .listMatches(page: 1)),
            ("matches page=2", .listMatches(page: 2)), ("watch 7", .watch(MatchID(7))), ("unwatch", .unwatch),
            ("replay 7", .replay(MatchID(7), page: 1)), ("replay 7 page=2", .replay(MatchID(7), page: 2)),
            ("top", .leaderboard(.turns, page: 1)), ("TOP page=2 Rule=DASH", .leaderboard(.dash, page: 2)),
            ("player ann", .lookUpPlayer(alias: "ann")),
            ("accept 5", .answerInvite(InviteID(5), accept: true)),
            ("decline 5", .answerInvite(InviteID(5), accept: false)),
            ("uninvite 5", .cancelInvite(InviteID(5))),
            ("join K7QP", .joinPrivate(code: "K7QP")), ("invite bob", .invite(alias: "bob", RaceRequest())),
            ("who \"a b\\\"\\x41\\n\"", .listPlayers(prefix: "a b\"A\n", page: 1)),
            ("\tping\t 7 ", .ping(7)), ("who page=\"2\"", .listPlayers(prefix: "", page: 2)),
        ]
        for (line, message) in forms { #expect(self.read(line) == .message(message), "\(line)") }
        #expect(self.read("number") == .command(.drawNumber))
        #expect(self.read("help") == .command(.help(verb: nil)))
        #expect(self.read("help move") == .command(.help(verb: "move")))
        #expect(self.read("set auto on") == .command(.setAuto(true)))
        #expect(self.read("SET AUTO OFF") == .command(.setAuto(false)))
        #expect(self.read("set notes off") == .command(.setNotes(false)))
    }

    @Test func `play, host and invite take the same settings`() {
        var request = RaceRequest()
        func check(_ settings: String, _ request: RaceRequest) {
            #expect(self.read("play\(settings)") == .message(.findMatch(request)), "\(settings)")
            #expect(self.read("host\(settings)") == .message(.hostPrivate(request)), "\(settings)")
            #expect(
                self.read("invite bob\(settings)") == .message(.invite(alias: "bob", request)), "\(settings)")
        }
        check("", request)
        check(" 2", request)
        check(" rule=turns draw=highest finish=25 group=0 bots=0", request)
        check(" RULE=Turns", request)
        request.minimum = 3
        request.maximum = 3
        check(" 3", request)
        check(" 3-3", request)
        request.minimum = 2
        request.maximum = 8
        request.settings = RaceSettings(rule: .dash, draw: .sealed, finish: 100_000_000)
        request.group = .max
        request.bots = 7
        check(" 2-8 bots=7 group=4294967295 finish=100000000 draw=sealed rule=dash", request)
        for bots in UInt8(1)...7 {
            check(" bots=\(bots)", RaceRequest(minimum: bots + 1, maximum: bots + 1, bots: bots))
        }
        check(" 2-4 bots=1", RaceRequest(minimum: 2, maximum: 4, bots: 1))
    }

    @Test func `what is wrong is named, and what would be right`() {
        let forms: [(String, ErrorCode, UInt8?, String)] = [
            ("play 1", .badSettings, 17, "from 2 to 8"), ("play 9", .badSettings, 17, "from 2 to 8"),
            ("play 0", .badSettings, 17, "from 2 to 8"), ("play 4294967295", .badSettings, 17, "from 2 to 8"),
            ("play 4-2", .badSettings, 17, "2-4"), ("play 2-9", .badSettings, 17, "from 2 to 8"),
            ("play -2", .badValue, 17, "from 2 to 8"), ("play two", .badValue, 17, "from 2 to 8"),
            ("play 2-", .badValue, 17, "from 2 to 8"), ("play 2-3-4", .badValue, 17, "from 2 to 8"),
            ("play finish=0", .badSettings, 17, "finish is a whole number from 1 to 100000000"),
            ("play finish=100000001", .badSettings, 17, "finish"),
            ("play finish=99999999999999999999", .badSettings, 17, "finish"),
            ("play bots=8", .badSettings, 17, "bots is a whole number from 0 to 7"),
            ("play group=4294967296", .badValue, 17, "group"), ("play group=", .badValue, 17, "group"),
            ("play rule=chess", .badValue, 17, "turns or dash"),
            ("play draw=low", .badValue, 17, "highest or sealed"),
            ("play rule=turns rule=dash", .badValue, 17, "rule= may be given only once"),
            ("play speed=9", .badValue, 17, "rule, draw, finish, group, bots"),
            ("play 2 3", .badValue, 17, "'3' was not expected"),
            ("play rule=dash 2", .badValue, 17, "'2' was not"),
            ("move 4294967296", .badValue, 2, "TURN"), ("move +1", .badValue, 2, "TURN"),
            ("move 1.5", .badValue, 2, "TURN"), ("move 0x1", .badValue, 2, "TURN"),
            ("move 1 2", .badValue, 2, "'2'"),
            ("number 4294967296", .badValue, 0, "0 to 4294967295"), ("number -1", .badValue, 0, "N is"),
            ("number 1 round=256", .badValue, 0, "round is a whole number from 0 to 255"),
            ("begin now", .badValue, 1, "'now' was not expected"),
            ("begin x=1", .badValue, 1, "'x=' was not"),
            ("name", .badValue, 16, "ALIAS is missing"),
            ("name ann 6f1c", .badValue, 16, "32 hexadecimal digits"),
            ("name ann \(String(repeating: "g", count: 32))", .badValue, 16, "32 hexadecimal digits"),
            ("name \(String(repeating: "a", count: 65))", .badAlias, 16, "at most 64 bytes"),
            ("alias", .badValue, 21, "ID is missing"), ("alias ,", .badValue, 21, "ID is missing"),
            ("alias 17 x", .badValue, 21, "ID is"), ("alias 18446744073709551616", .badValue, 21, "ID is"),
            ("watch", .badValue, 24, "MATCH is missing"), ("accept", .badValue, 27, "ID is missing"),
            ("join", .badValue, 30, "CODE is missing"),
            ("join \(String(repeating: "a", count: 17))", .badValue, 30, "at most 16 bytes"),
            ("matches page=0", .badValue, 23, "from 1 to 65535"), ("who page=65536", .badValue, 22, "page"),
            ("who \(String(repeating: "a", count: 65))", .badValue, 22, "at most 64 bytes"),
            ("set", .badValue, nil, "auto or notes"), ("set auto", .badValue, nil, "on or off"),
            ("set auto yes", .badValue, nil, "on or off"), ("set beep on", .badValue, nil, "auto and notes"),
            ("who \"a", .badValue, 22, "closing quote"), ("who a\"b", .badValue, 22, "double quote"),
            ("who \"a\"b", .badValue, 22, "space must follow"), ("who \"\\q\"", .badValue, 22, "backslash"),
            ("who \"\\x4\"", .badValue, 22, "backslash"), ("who \"\\xFF\"", .notUTF8, 22, "UTF-8"),
        ]
        for (line, code, request, text) in forms {
            let violation = self.refused(line)
            #expect(violation?.code == code, "\(line)")
            #expect(violation?.request == request, "\(line)")
            #expect(violation?.text.contains(text) == true, "\(line): \(violation?.text ?? "no error")")
        }
    }

    @Test func `a look-up takes 64 ids and not one more`() {
        let ids = (1...64).map { PlayerID($0) }
        let line = "alias " + ids.map { "\($0.value)" }.joined(separator: ",")
        #expect(self.read(line) == .message(.lookUpAliases(ids)))
        #expect(self.refused(line + ",65")?.code == .tooMany)
    }

    @Test func `an unknown verb is told which ones are near`() {
        let forms = [
            ("mvoe", "move"), ("mov", "move"), ("roll", "move"), ("plya", "play"), ("nmae", "name"),
            ("exit", "quit"), ("helpp", "help"), ("unwach", "unwatch"), ("MATCHS", "matches"),
            ("leaderboard", "top"), ("stats", "player"), ("reply", "replay"), ("players", "who"),
        ]
        for (line, verb) in forms {
            let violation = self.refused(line)
            #expect(violation?.code == .unknownVerb && violation?.request == nil, "\(line)")
            #expect(violation?.text.contains("did you mean \(verb)") == true, "\(violation?.text ?? "")")
        }
        #expect(self.refused("xyzzy")?.text == "there is no verb 'xyzzy'; help lists all verbs")
        for line in [
            "top dash", "top rule=chess", "top page=0", "replay", "replay x", "replay 7 page=0", "player",
        ] {
            #expect(self.refused(line)?.code == .badValue, "\(line)")
        }
        #expect(self.refused("player \(String(repeating: "a", count: 65))")?.code == .badAlias)
        #expect(self.refused("move=7")?.code == .unknownVerb)
    }

    @Test func `error texts stay within the limit whatever was written`() {
        for word in [String(repeating: "x", count: 500), String(repeating: "\u{1F600}", count: 120)] {
            for line in [word, "play \(word)", "play \(word.prefix(100))=1", "set auto \(word.prefix(100))"] {
                let text = self.refused(line)?.text
                #expect((1...Limits.textBytes).contains(text?.utf8.count ?? 0), "\(text ?? "no error")")
            }
        }
    }
}
