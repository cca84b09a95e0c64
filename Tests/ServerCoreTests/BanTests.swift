import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Who is kept out, and by whom.
struct BanTests {
    private static func script(bans: [Ban] = []) -> ServerScript {
        var door = DoorSettings()
        // 2026-12-24 17:00:00 UTC.
        door.clockOrigin = WallTime(seconds: 1_798_131_600)
        door.bans = bans
        return ServerScript(door: door)
    }

    @discardableResult
    private static func operate(_ command: OperatorCommand, _ script: inout ServerScript) -> OperatorAnswer? {
        script.feed(.operated(7, command))
        return script.operatorAnswers.last
    }

    private static func subject(_ text: String) throws -> Ban.Subject { try #require(Ban.Subject(text)) }

    @Test func `a banned address is told until when and why, and gets in again then`() throws {
        var script = Self.script()
        let home = try DoorTests.address("203.0.113.7")
        Self.operate(.ban(try Self.subject("203.0.113.7"), seconds: 3600, reason: "spam"), &script)
        let text = "your address is banned until 2026-12-24 18:00:00 UTC, because: spam"
        let id = script.connect(from: home)
        #expect(script.read(id) == ["bye reason=banned text=\"\(text)\""])
        #expect(script.isClosed.contains(id))
        #expect(script.isLetIn(try DoorTests.address("203.0.113.6")) == true)
        script.pass(seconds: 3599)
        #expect(script.isLetIn(home) == false)
        script.pass(seconds: 1)
        #expect(script.isLetIn(home) == true)
        #expect(Self.operate(.bans, &script) == .bans([]))
    }

    @Test func `bans from the start hold for ranges and for addresses of this machine`() throws {
        let bans = try ["192.0.2.0/24", "2001:db8::/32", "127.0.0.1"].map {
            Ban(subject: try Self.subject($0), until: nil, reason: "", made: WallTime(seconds: 0))
        }
        for (text, isBanned) in [
            ("192.0.2.255", true), ("::ffff:192.0.2.1", true), ("192.0.3.0", false), ("2001:db8:9::1", true),
            ("2001:db9::1", false), ("127.0.0.1", true), ("127.0.0.2", false),
        ] {
            var script = Self.script(bans: bans)
            let id = script.connect(from: try DoorTests.address(text))
            #expect(script.isClosed.contains(id) == isBanned, "\(text)")
            if isBanned {
                #expect(script.read(id) == ["bye reason=banned text=\"your address is banned for good\""])
            }
        }
    }

    @Test func `of several bans the longest counts, and lifting one leaves the others`() throws {
        var script = Self.script()
        let home = try DoorTests.address("203.0.113.7")
        Self.operate(.ban(try Self.subject("203.0.113.0/24"), seconds: 60, reason: "a"), &script)
        Self.operate(.ban(try Self.subject("203.0.113.7"), seconds: nil, reason: "b"), &script)
        Self.operate(.ban(try Self.subject("203.0.0.0/16"), seconds: 90, reason: "c"), &script)
        func told() -> String? {
            let id = script.connect(from: home)
            return script.read(id).line("bye")?.value("text")
        }
        #expect(told() == "your address is banned for good, because: b")
        #expect(Self.operate(.unban(try Self.subject("203.0.113.7")), &script) == .done(closed: 0))
        #expect(told() == "your address is banned until 2026-12-24 17:01:30 UTC, because: c")
        #expect(
            Self.operate(.unban(try Self.subject("203.0.113.7")), &script)
                == .refused("203.0.113.7 is not banned: bans lists those who are"))
        Self.operate(.unban(try Self.subject("203.0.0.0/16")), &script)
        Self.operate(.unban(try Self.subject("203.0.113.0/24")), &script)
        #expect(told() == nil)
    }

    @Test func `who is banned while here is told and closed, and the seat is given up`() throws {
        for byAddress in [true, false] {
            var script = Self.script()
            let ann = script.connect(from: try DoorTests.address("203.0.113.7"))
            script.type("set notes off\nset auto off\nname ann", ann)
            let key = try #require(script.read(ann).line("welcome")?.value("key"))
            let bob = script.join("bob", auto: false)
            for id in [ann, bob] { script.type("play\nnumber \(9 - id.slot)", id) }
            script.type("begin", ann)
            script.skip(ann, bob)
            let subject = byAddress ? try Self.subject("203.0.0.0/16") : .player(PlayerID(1))
            #expect(
                Self.operate(.ban(subject, seconds: nil, reason: "rude"), &script) == .done(closed: 1))
            let who = byAddress ? "your address is" : "you are"
            #expect(
                script.read(ann).line("bye")
                    == "bye reason=banned text=\"\(who) banned for good, because: rude\"")
            #expect(script.isClosed == [ann])
            let lines = script.read(bob)
            #expect(lines.line("forfeit")?.value("reason") == "left")
            #expect(lines.line("over")?.value("winner") == "2")
            // The player comes back from elsewhere, if the ban is not theirs; others keep their names.
            let back = script.connect()
            let answer = script.ask("name ann \(key)", back)
            #expect((answer.line("welcome") != nil) == byAddress)
            #expect((answer.line("bye")?.value("reason") == "banned") == !byAddress)
            #expect(script.sentBehindClose == 0)
        }
    }

    @Test func `a held seat of a banned player is given up, too`() throws {
        var script = Self.script()
        let ids = script.begunRace()
        script.drop(ids[0])
        script.skip(ids[1])
        #expect(
            Self.operate(.ban(.player(PlayerID(1)), seconds: 5, reason: ""), &script) == .done(closed: 0))
        #expect(script.read(ids[1]).line("over")?.value("winner") == "2")
        #expect(script.server.census.players == 1)
    }

    @Test func `who is kicked loses the seat and may come back`() throws {
        var script = Self.script()
        let ids = script.begunRace()
        #expect(Self.operate(.kick(PlayerID(1), reason: "too loud"), &script) == .done(closed: 1))
        #expect(
            script.read(ids[0]).line("bye")
                == "bye reason=kicked text=\"the operator sent you away, because: too loud\"")
        #expect(script.read(ids[1]).line("over")?.value("winner") == "2")
        #expect(
            Self.operate(.kick(PlayerID(1), reason: ""), &script)
                == .refused("player 1 is not here", code: .noSuchPlayer))
    }

    @Test func `every change is given to who keeps the bans, and the list has an order`() throws {
        var script = Self.script()
        for alias in ["ann", "bob", "cat"] { _ = script.join(alias) }
        let subjects = try ["#3", "203.0.113.7", "#2", "2001:db8::/32", "192.0.2.0/24"].map(Self.subject)
        for subject in subjects { Self.operate(.ban(subject, seconds: nil, reason: "x"), &script) }
        Self.operate(.unban(subjects[0]), &script)
        #expect(script.banChanges.count == 6)
        #expect(script.banChanges.last == .lifted(subjects[0]))
        guard case .set(let first)? = script.banChanges.first else { throw Failure() }
        #expect(first.subject == subjects[0] && first.until == nil && first.made.seconds == 1_798_131_600)
        guard case .bans(let list)? = Self.operate(.bans, &script) else { throw Failure() }
        #expect(
            list.map(\.ban.subject.description) == ["192.0.2.0/24", "203.0.113.7", "2001:db8::/32", "#2"])
        #expect(list.map(\.alias?.text) == [nil, nil, nil, "bob"])
        #expect(
            Self.operate(.ban(subjects[0], seconds: 0, reason: ""), &script)
                == .refused("a ban holds for 1 second or longer", code: .badValue))
    }

    @Test func `bans have a limit, and past ones make room`() throws {
        var script = Self.script()
        script.keepsLogs = false
        for number in 1...Limits.bans {
            let subject = try Self.subject("10.0.\(number / 256).\(number % 256)")
            Self.operate(.ban(subject, seconds: number == 5 ? 10 : nil, reason: ""), &script)
        }
        let one = try Self.subject("192.0.2.1")
        #expect(
            Self.operate(.ban(one, seconds: nil, reason: ""), &script)
                == .refused("there are 10000 bans, which is all there can be: lift one first", code: .tooMany)
        )
        // One that is there may be changed.
        let known = try Self.subject("10.0.0.6")
        guard case .replaced? = Self.operate(.ban(known, seconds: 1000, reason: ""), &script) else {
            throw Failure()
        }
        script.pass(seconds: 10)
        #expect(Self.operate(.ban(one, seconds: nil, reason: ""), &script) == .done(closed: 0))
    }

    @Test func `a player who has left is banned by alias, and by number only if there is one`() throws {
        var script = Self.script()
        script.drop(script.join("Ann"))
        #expect(script.server.census.players == 0)
        let alias = try #require(Alias("ann"))
        #expect(Self.operate(.find(alias), &script) == .found(PlayerID(1)))
        #expect(
            Self.operate(.ban(.player(PlayerID(1)), seconds: nil, reason: ""), &script) == .done(closed: 0))
        guard case .bans(let rows)? = Self.operate(.bans, &script) else { throw Failure() }
        #expect(rows.map(\.alias?.text) == ["Ann"])
        #expect(
            Self.operate(.ban(.player(PlayerID(4242)), seconds: nil, reason: ""), &script)
                == .refused("there is no player 4242", code: .noSuchPlayer))
        #expect(
            Self.operate(.find(try #require(Alias("nobody"))), &script)
                == .refused("no player is known as nobody: who lists those who are here", code: .noSuchPlayer)
        )
        #expect(script.banChanges.count == 1 && script.server.census.lookUps == 0)
    }

    @Test func `what the banned are called is known to a server that never saw them`() throws {
        var old = Self.script()
        old.drop(old.join("ann"))
        let ban = Ban(subject: .player(PlayerID(1)), until: nil, reason: "", made: WallTime(seconds: 5))
        var script = Self.script(bans: [ban])
        script.store = old.store
        guard case .bans(let rows)? = Self.operate(.bans, &script) else { throw Failure() }
        #expect(rows == [BanRow(ban: ban, alias: Alias("ann"))])
    }

    @Test func `while the store can't answer a ban holds all the same, and a name is refused`() throws {
        var script = Self.script()
        script.drop(script.join("ann"))
        script.isStoreDown = true
        #expect(
            Self.operate(.ban(.player(PlayerID(9)), seconds: nil, reason: ""), &script) == .done(closed: 0))
        #expect(script.banChanges.count == 1)
        let refused = Self.operate(.find(try #require(Alias("ann"))), &script)
        guard case .refused(let text, code: .unavailable)? = refused else { throw Failure() }
        #expect(text.contains("#7 names player 7"))
    }

    @Test func `a ban in place of another says what held before, and one of the settings that it comes back`()
        throws
    {
        let fixed = Ban(
            subject: try Self.subject("192.0.2.0/24"), until: nil, reason: "", made: Ban.bySetting)
        var script = Self.script(bans: [fixed])
        let subject = try Self.subject("203.0.113.7")
        Self.operate(.ban(subject, seconds: 3600, reason: "spam"), &script)
        let second = try #require(Self.operate(.ban(subject, seconds: 10, reason: ""), &script))
        #expect(
            String(decoding: ControlAnswer(second).bytes, as: UTF8.self)
                == "replaced until=\"2026-12-24 18:00:00 UTC\" reason=spam\nok\n")
        script.pass(seconds: 10)
        // What is over is not replaced.
        #expect(Self.operate(.ban(subject, seconds: 10, reason: ""), &script) == .done(closed: 0))
        let lifted = try #require(Self.operate(.unban(fixed.subject), &script))
        #expect(String(decoding: ControlAnswer(lifted).bytes, as: UTF8.self).hasPrefix("hint text="))
        #expect(Self.operate(.unban(subject), &script) == .done(closed: 0))
    }

    @Test func `a range that is too wide to be meant is told from one that is wide`() throws {
        for (text, isTooWide) in [
            ("0.0.0.0/0", true), ("::/0", true), ("10.0.0.0/7", true), ("10.0.0.0/8", false), ("::", true),
            ("::/80", true), ("2000::/7", true), ("2000::/8", false), ("127.0.0.1", false), ("::1", false),
        ] {
            #expect(try #require(NetworkRange(text)).isTooWideToBan == isTooWide, "\(text)")
        }
    }

    @Test func `a subject is an address, a range or a player, and nothing else`() {
        for text in [
            "", "#", "#0", "#-1", "#+1", "#18446744073709551616", "ann", "1.2.3", "1.2.3.4/33", "# 1",
        ] {
            #expect(Ban.Subject(text) == nil, "\(text)")
        }
        for text in ["#17", "1.2.3.4", "1.2.3.0/24", "2001:db8::/32"] {
            #expect(Ban.Subject(text)?.description == text)
        }
    }

    @Test func `a reason is cut, and cannot break the line it is told in`() throws {
        let long = String(repeating: "\u{1F408}", count: 100)
        let ban = Ban(subject: .player(PlayerID(1)), until: nil, reason: long, made: WallTime(seconds: 0))
        #expect(ban.reason == String(repeating: "\u{1F408}", count: Limits.banReasonBytes / 4))
        var script = Self.script()
        Self.operate(.ban(try Self.subject("203.0.113.7"), seconds: nil, reason: "a\"\n\u{1B}[2J"), &script)
        let id = script.connect(from: try DoorTests.address("203.0.113.7"))
        let bytes = script.readBytes(id)
        #expect(bytes.count { $0 == 10 } == 1)
        #expect(!bytes.contains(0x1B))
    }

    private struct Failure: Error {}
}
