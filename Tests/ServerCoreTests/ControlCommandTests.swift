import RaceModel
import ServerCore
import Testing
import WireProtocol

/// What operators type, and what they read.
struct ControlCommandTests {
    private func parse(_ line: String) throws -> ControlCommand? {
        try ControlCommand.parse(Array(line.utf8)[...])
    }

    private func fault(_ line: String) -> String {
        do {
            return "taken: \(String(describing: try self.parse(line)))"
        } catch let fault as ProtocolViolation {
            return "\(fault.code.name): \(fault.text)"
        } catch { return "\(error)" }
    }

    @Test func `each verb is read with what belongs to it`() throws {
        let ann = ControlCommand.Whom.alias(try #require(Alias("ann")))
        let range = ControlCommand.Whom.subject(try #require(Ban.Subject("192.0.2.0/24")))
        let seven = ControlCommand.Whom.subject(.player(PlayerID(7)))
        for (line, command) in [
            ("who", ControlCommand.who(prefix: "")), ("WHO an", .who(prefix: "an")), ("matches", .matches),
            ("show 7", .show(MatchID(7))), ("kick ann", .kick(ann, reason: "")),
            ("kick #7 reason=\"a \\\"b\\\"\"", .kick(seven, reason: "a \"b\"")),
            ("ban 192.0.2.0/24 for=60 reason=spam", .ban(range, seconds: 60, reason: "spam")),
            ("ban reason=x ann", .ban(ann, seconds: nil, reason: "x")), ("unban #7", .unban(seven)),
            ("bans", .bans), ("  stop\t1 ", .stop(MatchID(1))),
            ("stop 1 reason=x", .stop(MatchID(1), reason: "x")),
            ("say \"hello all\"", .say("hello all")),
            ("notice ann hi", .notice(ann, "hi")), ("drain", .drain), ("reload", .reload),
            ("loglevel debug", .logLevel(.debug)), ("stats", .stats), ("backup /a/b.db", .backup("/a/b.db")),
            ("help", .help),
        ] {
            #expect(try self.parse(line) == command, "\(line)")
        }
        for nothing in ["", "  ", "# a note"] { #expect(try self.parse(nothing) == nil) }
    }

    @Test func `what is wrong is named, with what would be right`() {
        for (line, text) in [
            ("frob", "unknown-verb: there is no verb 'frob': help lists all"),
            ("a=b", "unknown-verb: there is no verb 'a': help lists all"),
            ("show", "bad-value: show: the number of a match is missing"),
            ("show x", "bad-value: show: a match is a whole number, as matches shows it, not 'x'"),
            (
                "stop 99999999999999999999",
                "bad-value: stop: a match is a whole number, as matches shows it, not '99999999999999999999'"
            ),
            ("kick", "bad-value: kick: whom it concerns is missing"),
            (
                "kick 192.0.2.1",
                "bad-value: kick: it concerns a player: an alias, or #7 for player 7; for addresses there is ban"
            ),
            (
                "ban 192.0.2.1/33",
                "bad-value: ban: '192.0.2.1/33' is no address, no range such as 192.0.2.0/24, no #7 and no alias"
            ),
            (
                "ban 999.1.1.1",
                "bad-value: ban: '999.1.1.1' is no address, no range such as 192.0.2.0/24, no #7 and no alias"
            ),
            (
                "ban 0.0.0.0/0",
                "bad-value: ban: 0.0.0.0/0 takes in far too many, or all of IPv4: a range to ban has at least 8 "
                    + "bits, such as 192.0.2.0/24; drain ends the server for all"
            ),
            ("ban ann for=0", "bad-value: ban: for= is a whole number of seconds from 1 on"),
            (
                "ban ann for=9999999999999999999",
                "bad-value: ban: for= is a whole number of seconds from 1 on"
            ),
            ("ban ann for=1 for=2", "bad-value: ban: for= stands there twice"),
            ("unban ann reason=x", "bad-value: unban: it takes no reason=: help lists what there is"),
            (
                "say hello all",
                "bad-value: say: what is meant by 'all'? A text stands in double quotes"
            ),
            ("say", "bad-value: say: the text is missing"),
            (
                "say \(String(repeating: "a", count: 201))",
                "bad-value: say: a text has at most 200 bytes, not 201"
            ),
            ("loglevel loud", "bad-value: loglevel: a level is debug, info, warning or error, not 'loud'"),
            (
                "backup x.db",
                "bad-value: backup: the path must begin with /, since the server may run elsewhere"
            ),
            ("say \"a", "bad-value: the closing quote is missing"),
            ("say a\u{1b}[2J", "bad-value: control byte 0x1b in the line"),
        ] {
            #expect(self.fault(line) == text, "\(line)")
        }
        #expect(throws: ProtocolViolation.self) { try ControlCommand.parse([0xFF, 0xFE]) }
    }

    @Test func `random bytes are read or refused, and never end the program`() {
        let verbs = ControlCommand.Verb.allCases.map(\.rawValue)
        let pieces = [" ", "\"", "\\", "=", "#", "7", "for=", "/", "ann", "\u{0}", "z\u{eb}"]
        for seed in UInt64(1)...20 {
            var generator = SeededGenerator(seed: seed)
            var refused = 0
            for _ in 0..<500 {
                var line = Array((verbs.randomElement(using: &generator) ?? "").utf8)
                for _ in 0..<Int.random(in: 0...6, using: &generator) {
                    line += Array((pieces.randomElement(using: &generator) ?? "").utf8)
                }
                if Bool.random(using: &generator) {
                    let place = Int.random(in: 0..<line.count, using: &generator)
                    line[place] = UInt8.random(in: 0...255, using: &generator)
                }
                do { _ = try ControlCommand.parse(line[...]) } catch { refused += 1 }
            }
            #expect(refused > 50, "seed \(seed)")
        }
    }

    @Test func `the help has every verb, and every line of it fits a terminal`() {
        for verb in ControlCommand.Verb.allCases {
            #expect(
                ControlCommand.manual.contains("\n\(verb.rawValue) ")
                    || ControlCommand.manual.hasPrefix(verb.rawValue))
        }
        for line in ControlCommand.manual.split(separator: "\n") {
            #expect(line.utf8.count <= 100, "\(line)")
        }
    }

    @Test func `an answer ends in ok or an error, and its values can't be taken for lines`() {
        func text(_ answer: ControlAnswer) -> String { String(decoding: answer.bytes, as: UTF8.self) }
        let ban = Ban(
            subject: .player(PlayerID(3)), until: nil, reason: "x\nok \"y\"", made: WallTime(seconds: 60))
        #expect(
            text(ControlAnswer(.bans([BanRow(ban: ban, alias: nil)])))
                == "ban subject=#3 until=for-good made=\"1970-01-01 00:01:00 UTC\" reason=\"x\\nok \\\"y\\\"\"\nok\n"
        )
        let refused = ControlAnswer(.refused("no\u{1b}", code: .noSuchMatch))
        #expect(text(refused) == "error code=no-such-match text=\"no\\x1b\"\n")
        #expect(refused.outcome == "no-such-match")
        #expect(text(ControlAnswer(.done(closed: 0))) == "ok\n")
        #expect(text(ControlAnswer(.done(closed: 2))) == "closed connections=2\nok\n")
    }
}
