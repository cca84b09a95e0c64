import Lobby
import RaceModel
import ServerCore
import Testing
import WireProtocol

/// While a hello waits for the store, what comes behind it waits too.
struct PendingHelloTests {
    @Test func `what comes behind a hello is answered behind it, in order`() {
        for isCut in [false, true] {
            var script = ServerScript()
            let id = script.connect()
            script.type("set notes off", id)
            script.skip(id)
            script.isStoreHeld = true
            let input = Array("ping 1\nname ann\nping 2\nplay\nping 3\n".utf8)
            if isCut {
                for byte in input { script.send([byte], id) }
            } else {
                script.send(input, id)
            }
            #expect(script.read(id) == ["pong value=1"])
            script.releaseStore()
            #expect(script.readVerbs(id) == ["welcome", "pong", "queued", "pong"])
        }
    }

    @Test func `reading pauses once too much is held, goes on later, and nothing is lost or reordered`() {
        var script = ServerScript(budgets: .wide)
        let id = script.connectBinary()
        script.isStoreHeld = true
        script.send(.hello(Hello(name: "ann")), id)
        var sent: UInt64 = 0
        for _ in 0..<100 {
            script.send((0..<100).flatMap { ClientMessage.ping(sent + $0).frame }, id)
            sent += 100
        }
        #expect(script.paused.contains(id))
        #expect(script.readBytes(id) == [])
        script.releaseStore()
        script.pass(seconds: 0)
        #expect(!script.paused.contains(id))
        let messages = script.readMessages(id)
        guard case .welcome = messages.first else {
            Issue.record("the welcome comes first")
            return
        }
        #expect(Array(messages.dropFirst()) == (0..<sent).map { .pong($0) })
    }

    @Test func `little input behind a hello does not pause reading`() {
        var script = ServerScript()
        script.isStoreHeld = true
        let id = script.connect()
        script.type("name ann\nping 1", id)
        #expect(script.paused.isEmpty)
    }

    @Test func `a hello whose peer is gone makes no player`() {
        var script = ServerScript()
        script.isStoreHeld = true
        let id = script.connect()
        script.type("name ann", id)
        script.drop(id)
        let other = script.reconnect(inPlaceOf: id)
        script.releaseStore()
        #expect(script.requests.last == .forget(PlayerID(1)))
        #expect(script.readBytes(other) == [])
        #expect(script.isEmpty(connections: 1))
        script.type("name ann", other)
        #expect(script.read(other).line("welcome")?.value("player") == "2")
    }

    @Test func `a store that cannot answer is said so, and a later try succeeds`() {
        var script = ServerScript()
        let id = script.connect()
        script.isStoreDown = true
        #expect(script.ask("name #7 00000000000000000000000000000000", id).errorCode == "unavailable")
        script.isStoreDown = false
        #expect(script.ask("name bob", id).line("welcome") != nil)
    }

    @Test func `two hellos behind each other: the first that succeeds counts`() {
        var script = ServerScript()
        _ = script.join("ann")
        let id = script.connect()
        script.type("set notes off", id)
        script.skip(id)
        script.isStoreHeld = true
        script.type("name ann\nname bob\nname cat\nping 1", id)
        script.releaseOneAnswer()
        #expect(script.read(id).errorCode == "alias-taken")
        script.releaseOneAnswer()
        let lines = script.read(id)
        #expect(lines.map { String($0.prefix { $0 != " " }) } == ["welcome", "error", "pong"])
        #expect(lines.errorCode == "already-named")
    }

    @Test func `a guest whose day ends while they come back is not found any more`() {
        for isByID in [false, true] {
            var script = ServerScript()
            let (ann, key) = script.joinKeepingKey("ann")
            script.type("quit", ann)
            script.pass(seconds: 24 * 60 * 60 - 1)
            script.isStoreHeld = true
            let back = script.rejoin(isByID ? "#1" : "ann", key)
            script.pass(seconds: 2)
            #expect(script.requests.last == .forget(PlayerID(1)))
            script.releaseStore()
            #expect(script.read(back).errorCode == "wrong-key")
            // The alias is free: two players of one alias there never are.
            let other = script.connect()
            script.type("name ann", other)
            #expect(script.read(other).line("welcome")?.value("player") == "2")
            #expect(script.ask("who", other).lines("player").count == 1)
            #expect(script.server.census.players == 1)
        }
    }
}
