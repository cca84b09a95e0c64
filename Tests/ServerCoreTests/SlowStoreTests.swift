import RaceModel
import ServerCore
import Testing
import WireProtocol

/// A store that takes its time, and peers who use that.
struct SlowStoreTests {
    private static func aliases(_ count: Int) -> [UInt8] {
        Array(String(repeating: "alias 18446744073709551615\n", count: count).utf8)
    }

    @Test func `who comes again and again while the store is slow fills nothing, and is told why`() throws {
        var script = ServerScript()
        script.keepsLogs = false
        let ann = script.join("ann")
        script.isStoreHeld = true
        while script.server.census.lookUps < Limits.storeRequests {
            let id = script.connect()
            script.send(Self.aliases(Limits.pendingStoreRequests), id)
            script.drop(id)
        }
        let eve = script.connect()
        for line in ["alias 77", "name eve", "top", "player ann", "who a", "replay 1"] {
            #expect(script.ask(line, eve).errorCode == "unavailable", "\(line)")
        }
        #expect(script.server.census.lookUps == Limits.storeRequests)
        // What is known needs no store.
        #expect(script.ask("alias 1", eve).line("alias") == "alias id=1 alias=ann")
        #expect(script.ask("who", ann).line("player") != nil)
        script.releaseStore()
        script.pass(seconds: 1)
        #expect(script.server.census.lookUps == 0)
        #expect(script.ask("name eve", eve).line("welcome") != nil)
    }

    @Test func `of many who want records the store is asked for one at a time`() throws {
        var script = ServerScript()
        for match in 1...3 {
            let ids = script.begunRace(["ann\(match)", "bob\(match)"], "finish=1")
            script.type("move", ids[0])
        }
        script.isStoreHeld = true
        let before = script.resultRequests.count
        let ids = (0..<20).map { _ in script.connect() }
        for (place, id) in ids.enumerated() { script.type("replay \(place % 2 + 1)", id) }
        script.type("replay 3", ids[0])
        script.drop(ids[19])
        #expect(script.resultRequests.count == before + 1)
        var turns = 0
        while script.server.census.lookUps > 0, turns < 100 {
            script.releaseOneAnswer()
            if script.server.nextDeadline == script.now { script.feed(.deadlinePassed) }
            turns += 1
        }
        for (place, id) in ids.dropLast().enumerated() {
            let lines = script.read(id).lines("record").map { $0.value("match") }
            #expect(lines == (place == 0 ? ["1", "3"] : ["\(place % 2 + 1)"]))
        }
        #expect(script.server.census.lookUps == 0)
    }

    @Test func `what waits behind a name is not done once the server saves its races`() {
        var script = ServerScript(keepsMatches: true)
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        for id in [ann, bob] { script.type("play 2", id) }
        script.type("number 2", ann)
        script.type("number 1", bob)
        script.type("begin", ann)
        script.drop(ann)
        script.isStoreHeld = true
        let back = script.connect()
        script.type("name ann \(key)\nleave", back)
        script.skip(bob)
        script.feed(.stop)
        #expect(!script.hasEnded)
        script.releaseStore()
        let lines = script.read(bob)
        #expect(lines.line("forfeit") == nil && lines.line("over") == nil)
        #expect(lines.last?.value("reason") == "shutdown")
        #expect(script.hasEnded)
    }
}
