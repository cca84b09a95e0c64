import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Who may come in, by address.
struct DoorTests {
    static func address(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)) }

    /// Nothing of the door's is left once everybody has gone and everything is forgotten.
    static func expectForgotten(_ script: inout ServerScript) {
        #expect(script.server.census.addresses == 0)
        #expect(script.server.census.guessedNames == 0)
    }

    @Test func `an address has so many connections, and the next is told and closed`() throws {
        var script = ServerScript()
        let home = try Self.address("203.0.113.7")
        var ids: [ConnectionID] = []
        for _ in 0..<Limits.connectionsPerAddress {
            ids.append(script.connect(from: home))
            script.pass(seconds: 0.2)
        }
        #expect(script.isClosed.isEmpty)
        let over = script.connect(from: home)
        #expect(
            script.read(over) == [
                "bye reason=full text=\"your address has 32 connections here, which is all it can have: "
                    + "close one first\""
            ])
        #expect(script.isClosed == [over])
        // Others are not concerned, and one that goes makes room for one.
        #expect(script.isLetIn(try Self.address("203.0.113.8")) == true)
        script.drop(ids[0])
        script.pass(seconds: 1)
        #expect(script.isLetIn(home) == true)
        #expect(script.isLetIn(home) == false)
    }

    @Test func `IPv6 counts by its first 64 bits, and IPv4 that comes as IPv6 is IPv4`() throws {
        var door = DoorSettings()
        door.connectionsPerAddress = 2
        for (first, second, isOne) in [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("192.0.2.7", "::ffff:192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
        ] {
            var script = ServerScript(door: door)
            _ = script.connect(from: try Self.address(first))
            _ = script.connect(from: try Self.address(first))
            let third = script.connect(from: try Self.address(second))
            #expect(script.isClosed.contains(third) == isOne, "\(first) \(second)")
        }
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
    func `of this machine nothing is counted, unless it is to be`(text: String) throws {
        let here = try Self.address(text)
        var door = DoorSettings()
        door.connectionsPerAddress = 3
        for capsLoopback in [false, true] {
            door.capsLoopback = capsLoopback
            var script = ServerScript(door: door)
            for _ in 0..<100 { _ = script.connect(from: here) }
            #expect(script.server.census.connections == (capsLoopback ? 3 : 100))
            #expect(script.server.census.addresses == (capsLoopback ? 1 : 0))
        }
    }

    @Test func `an address connects so often at once, then so often a second`() throws {
        var door = DoorSettings()
        door.connects = Budget(perSecond: 2, burst: 5)
        var script = ServerScript(door: door)
        let home = try Self.address("203.0.113.7")
        func come() -> Bool {
            let id = script.connect(from: home)
            let isIn = !script.isClosed.contains(id)
            if isIn { script.drop(id) }
            return isIn
        }
        #expect((0..<6).map { _ in come() } == [true, true, true, true, true, false])
        script.pass(seconds: 0.499)
        #expect(!come())
        script.pass(seconds: 0.001)
        #expect(come())
        let over = script.connect(from: home)
        #expect(
            script.read(over) == ["bye reason=slow-down text=\"your address connects too often: wait 1 s\""])
        script.pass(seconds: 60)
        #expect(come())
        script.pass(seconds: 3)
        Self.expectForgotten(&script)
    }

    /// A connection that is told takes its place until its peer has read it: not one of thousands a second.
    @Test func `who connects on and on is told eight times, then closed without a word`() throws {
        var script = ServerScript()
        let home = try Self.address("203.0.113.7")
        var told = 0
        var silent = 0
        for _ in 0..<1000 {
            let id = script.connect(from: home)
            if script.aborted.contains(id) { silent += 1 }
            if script.read(id).line("bye") != nil { told += 1 }
        }
        #expect(told == Limits.refusalsTold.burst)
        #expect(silent == 1000 - Limits.connectionsPerAddress - told)
        script.pass(seconds: 1)
        let id = script.connect(from: home)
        #expect(script.read(id).line("bye") != nil)
    }

    @Test func `refusals are logged once, and then counted by address and reason`() throws {
        var script = ServerScript()
        for _ in 0..<200 { _ = script.connect(from: try Self.address("203.0.113.7")) }
        for _ in 0..<34 { _ = script.connect(from: try Self.address("2001:db8::7")) }
        func lines(_ event: String) -> [String] {
            script.logs.filter { $0.event == event }
                .map { $0.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
        }
        #expect(
            lines("refused") == [
                "address=203.0.113.7 reason=full", "address=203.0.113.7 reason=too-fast",
                "address=2001:db8:: reason=full",
            ])
        script.pass(seconds: 60)
        #expect(
            lines("refused-again") == [
                "address=203.0.113.7 reason=full count=7", "address=203.0.113.7 reason=too-fast count=159",
                "address=2001:db8:: reason=full count=1",
            ])
        // Nobody came again: another minute, and it is over.
        script.pass(seconds: 3600)
        #expect(lines("refused-again").count == 3)
    }

    @Test func `what is remembered of addresses and for the log has a limit, whoever comes`() throws {
        var script = ServerScript()
        for number in 0..<(Limits.rememberedAddresses + 5000) {
            script.drop(
                script.connect(from: NetworkAddress(high: 0x2001_0db8_0000_0000 + UInt64(number), low: 1)))
        }
        #expect(script.server.census.addresses == Limits.rememberedAddresses)
        script.pass(seconds: 60)
        Self.expectForgotten(&script)
        #expect(script.server.nextDeadline == nil)
        // The same for those who are refused.
        var door = DoorSettings()
        door.bans = [
            Ban(
                subject: .range(try #require(NetworkRange("2001:db8::/16"))), until: nil, reason: "",
                made: WallTime(seconds: 0))
        ]
        script = ServerScript(door: door)
        for number in 0..<3000 {
            script.drop(
                script.connect(from: NetworkAddress(high: 0x2001_0db8_0000_0000 + UInt64(number), low: 1)))
            _ = script.connect(from: NetworkAddress(high: 0x2001_0db8_0000_0000 + UInt64(number), low: 2))
        }
        #expect(script.logs.count { $0.event == "refused" } == Limits.refusalLogEntries)
        script.pass(seconds: 60)
        let last = try #require(script.logs.last { $0.event == "refused-again" })
        #expect(last.fields.map(\.value) == ["others", "\(2 * (3000 - Limits.refusalLogEntries))"])
        script.pass(seconds: 120)
        Self.expectForgotten(&script)
        #expect(script.server.nextDeadline == nil)
    }

    @Test func `an address may take so many new names, and old ones any time`() throws {
        var door = DoorSettings()
        door.newNames = Budget(perHour: 60, burst: 3)
        var script = ServerScript(door: door)
        let home = try Self.address("203.0.113.7")
        let first = script.connect(from: home)
        script.type("name ann", first)
        let key = try #require(script.read(first).line("welcome")?.value("key"))
        // A name that somebody has is not taken.
        let second = script.connect(from: home)
        for _ in 0..<10 { #expect(script.ask("name ann", second).errorCode == "alias-taken") }
        #expect(script.ask("name bob", second).line("welcome") != nil)
        let third = script.connect(from: home)
        #expect(script.ask("name cid", third).line("welcome") != nil)
        let fourth = script.connect(from: home)
        #expect(
            script.ask("name dan", fourth).line("error")
                == "error re=name code=slow-down text=\"your address has taken many new names: wait 60 s, or "
                + "come with a key you have\"")
        #expect(script.ask("name ann \(key)", fourth).line("welcome") != nil)
        let other = script.connect(from: try Self.address("203.0.113.8"))
        #expect(script.ask("name dan", other).line("welcome") != nil)
        script.pass(seconds: 60)
        let fifth = script.connect(from: home)
        #expect(script.ask("name eve", fifth).line("welcome") != nil)
        for id in [first, second, third, fourth, other, fifth] { script.drop(id) }
        script.pass(seconds: 3600)
        Self.expectForgotten(&script)
    }

    @Test func `an address begins so many races at once, then so many a second, in whatever way`() throws {
        var door = DoorSettings()
        door.races = Budget(perSecond: 1, burst: 3)
        var script = ServerScript(door: door)
        let home = try Self.address("203.0.113.7")
        let mal = script.connect(from: home)
        script.type("set notes off\nset auto off\nname mal", mal)
        // Its own race against the computer, won with one move, in a line each.
        let race = "play bots=1 finish=1\nnumber 4294967295\nbegin\nmove"
        for _ in 0..<2 { #expect(script.ask(race, mal).line("over") != nil) }
        #expect(script.ask("rematch\nnumber 4294967295\nbegin\nmove", mal).line("over") != nil)
        let neighbour = script.connect(from: home)
        script.type("name eve", neighbour)
        script.skip(neighbour)
        let other = script.connect(from: try Self.address("203.0.113.8"))
        script.type("name bob", other)
        for (line, verb) in [
            ("rematch", "rematch"), ("play bots=1", "play"), ("host", "host"), ("invite bob", "invite"),
            ("join BALU-KITO-RA", "join"),
        ] {
            for id in [mal, neighbour] where id == mal || verb != "rematch" {
                #expect(
                    script.ask(line, id).line("error")
                        == "error re=\(verb) code=slow-down text=\"races from your address begin too often: wait 1 s\""
                )
            }
        }
        #expect(script.ask("play bots=1", other).line("found") != nil)
        script.pass(seconds: 1)
        #expect(script.ask("play bots=1", mal).line("found") != nil)
        for id in [mal, neighbour, other] { script.drop(id) }
        script.pass(seconds: 3600)
        Self.expectForgotten(&script)
    }
}

extension ServerScript {
    /// Connects, and stays.
    mutating func isLetIn(_ address: NetworkAddress) -> Bool {
        let id = self.connect(from: address)
        return !self.isClosed.contains(id)
    }
}
