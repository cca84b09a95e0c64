import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Names through the whole server: who may have which, and what never leaves it.
struct AliasTests {
    private static let hostile: [String] = [
        "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{9B}2J", "\u{7}", "a\u{8}b", "a\rb", "a\0b", "a\nb", "x\u{2028}y",
        "\u{202E}ecila", "\u{200F}ann", "\u{200B}\u{200B}", "bob\u{200D}", "\u{3164}", "\u{A0}", "", " ann ",
        "\u{301}\u{301}", "\u{FEFF}bob", "a" + String(repeating: "\u{301}", count: 31), "%s%n %d", "ann: hi",
        "x\n2030-01-01 INFO admin logged in", String(repeating: "a", count: 21), "\u{E000}", "\u{7F}",
    ]

    @Test func `hostile aliases are refused in both dialects, and nothing of them comes back raw`() {
        for alias in Self.hostile {
            var script = ServerScript()
            let binary = script.connectBinary()
            script.send(.hello(Hello(name: alias)), binary)
            #expect(script.readMessages(binary).errorCode == .badAlias, "\(alias.debugDescription)")
            let text = script.connect()
            script.type("ping", text)
            script.skip(text)
            script.send(ClientMessage.hello(Hello(name: alias)).line, text)
            let bytes = script.readBytes(text)
            #expect(!bytes.contains { ($0 < 0x20 && $0 != 10) || $0 == 0x7F }, "\(alias.debugDescription)")
            #expect(String(decoding: bytes, as: UTF8.self).contains("code="), "\(alias.debugDescription)")
            #expect(script.server.census.players == 0)
            for log in script.logs { #expect(!log.fields.contains { $0.value.contains("\n") }) }
        }
    }

    @Test func `aliases that look the same are the same`() {
        var script = ServerScript()
        for alias in ["Alice", "José"] { _ = script.join(alias) }
        for twin in ["alice", "ALICE", "AIice", "\u{FF21}lice", "Jose\u{301}", "JOSÉ"] {
            let id = script.connect()
            #expect(script.ask("name \(twin)", id).errorCode == "alias-taken", "\(twin)")
        }
        let id = script.connect()
        #expect(["bad-alias", "alias-taken"].contains(script.ask("name \u{410}lice", id).errorCode))
    }

    @Test func `an alias of many bytes arrives whole, byte by byte`() {
        for alias in ["Мявкин", "я", "José", "日本猫"] {
            var script = ServerScript()
            let bob = script.join("bob")
            let text = script.connect()
            for byte in Array("name \(alias)\n".utf8) {
                script.send([byte], text)
                script.pass(seconds: 0.4)
            }
            #expect(script.ask("alias 2", bob).last == "alias id=2 alias=\(alias)")
        }
    }

    @Test func `each line end names the same player, and help is answered once`() {
        for end in ["\n", "\r\n", "\r\0", "\r", "\n\r"] {
            var script = ServerScript()
            let id = script.connect()
            for byte in Array("name ann\(end)ping 1\(end)".utf8) { script.send([byte], id) }
            let lines = script.read(id)
            #expect(lines.line("welcome")?.value("alias") == "ann")
            #expect(lines.lines("pong").count == 1)
        }
    }

    @Test func `the key is in no log, and each player has another one`() {
        var script = ServerScript()
        var keys: Set<String> = []
        for index in 0..<50 {
            let (id, key) = script.joinKeepingKey("p\(index)")
            #expect(key.count == 32)
            keys.insert(key)
            script.type("quit", id)
        }
        #expect(keys.count == 50)
        for log in script.logs { #expect(!log.fields.contains { keys.contains($0.value) }) }
    }

    @Test func `a bot's name cannot be taken, and an alias is free again a day after its guest went`() {
        var script = ServerScript()
        let id = script.connect()
        #expect(script.ask("name bot-Minka", id).errorCode != nil)
        #expect(script.ask("name ann", id).line("welcome") != nil)
        script.drop(id)
        let other = script.join("bob")
        script.pass(seconds: 24 * 60 * 60 - 1)
        let third = script.connect()
        #expect(script.ask("name ann", third).errorCode == "alias-taken")
        script.pass(seconds: 1)
        #expect(script.ask("name ann", third).line("welcome")?.value("player") == "3")
        #expect(script.ask("alias 1", other).last == "alias id=1 unknown=yes")
    }

    @Test func `who has raced keeps the alias`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        script.type("move", ids[0])
        for id in ids { script.type("quit", id) }
        script.pass(seconds: 48 * 60 * 60)
        let id = script.connect()
        #expect(script.ask("name ann", id).errorCode == "alias-taken")
        #expect(script.server.nextDeadline != nil)
        script.drop(id)
        script.pass(seconds: 100)
        #expect(script.isEmpty())
    }

    @Test func `ids at the edges are answered, never trapped on`() {
        var script = ServerScript()
        let text = script.join("ann")
        let binary = script.joinBinary("bob")
        let ids: [UInt64] = [0, 1, 2, 3, 1 << 31, (1 << 32) - 1, 1 << 63, .max]
        for id in ids {
            for line in ["alias \(id)", "watch \(id)", "accept \(id)", "decline \(id)", "uninvite \(id)"] {
                let lines = script.ask(line, text)
                #expect(lines.count >= 1, "\(line)")
            }
            for message in [
                .lookUpAliases([PlayerID(id)]), .watch(MatchID(id)),
                .answerInvite(InviteID(id), accept: true),
                .cancelInvite(InviteID(id)), .ping(id),
            ] as [ClientMessage] {
                script.send(message, binary)
                #expect(script.readMessages(binary).count == 1)
            }
        }
    }
}
