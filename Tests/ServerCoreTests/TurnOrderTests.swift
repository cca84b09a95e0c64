import RaceModel
import ServerCore
import Testing

/// Who waits, whatever for, gets on, however many others wait.
struct TurnOrderTests {
    /// A race is over whose record many want, and the store is held before the first of them has it.
    private func scriptWithReaders() -> (ServerScript, readers: [ConnectionID]) {
        var script = ServerScript(budgets: .wide)
        for match in 1...2 {
            let ids = script.begunRace(["ann\(match)", "bob\(match)"], "finish=1")
            script.type("move", ids[0])
        }
        script.pass(seconds: 1)
        script.takesTurns = false
        script.isStoreHeld = true
        let readers = (0..<60).map { _ in script.connect() }
        for reader in readers { script.type("replay 1", reader) }
        return (script, readers)
    }

    @Test func `who waits for a record gets it, however many others wait for a turn`() {
        var (script, readers) = self.scriptWithReaders()
        let greedy = (0..<20).map { _ in script.connect() }
        for id in greedy { script.send([UInt8](String(repeating: "help\n", count: 1000).utf8), id) }
        script.releaseStore()
        for _ in 0..<100 where script.server.nextDeadline == script.now { script.feed(.deadlinePassed) }
        #expect(script.server.census.heldBytes > 0, "the others are still waiting")
        for reader in readers { #expect(script.read(reader).line("record") != nil) }
    }

    @Test func `who asks for a record does not do the work of those who wait for another`() {
        var (script, readers) = self.scriptWithReaders()
        let eve = script.connect()
        script.releaseOneAnswer()
        #expect(script.server.census.lookUps > 10, "some still wait")
        for reader in readers { script.skip(reader) }
        script.type("replay 2", eve)
        for reader in readers { #expect(script.readBytes(reader).isEmpty) }
        #expect(script.server.nextDeadline == script.now)
        script.pass(seconds: 0)
        script.releaseStore()
        script.pass(seconds: 0)
        #expect(script.read(eve).line("record")?.value("match") == "2")
        #expect(script.server.census.lookUps == 0)
    }

    @Test func `who has asked for much is soon like everybody else again`() {
        var script = ServerScript()
        for index in 0..<3000 { _ = script.join("p\(index)") }
        let greedy = script.join("ann")
        script.pass(seconds: 1)
        for _ in 0..<100 { script.type("who page=9999", greedy) }
        script.pass(seconds: 1.1)
        script.skip(greedy)
        script.takesTurns = false
        #expect(script.ask("ping 1", greedy) == ["pong value=1"])
    }
}
