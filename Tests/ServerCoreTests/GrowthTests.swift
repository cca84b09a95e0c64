import RaceModel
import ServerCore
import Store
import Testing
import WireProtocol

/// Nothing grows with what has been.
struct GrowthTests {
    @Test func `ten thousand players who come, play and leave are gone without a trace`() {
        var script = ServerScript()
        script.keepsLogs = false
        var id = script.connect()
        script.drop(id)
        var most = 0
        for round in 0..<10_000 {
            id = script.reconnect(inPlaceOf: id)
            script.send(Array("name p\(round)\nplay bots=1\nleave\nquit\n".utf8), id)
            script.skip(id)
            most = max(most, script.server.census.deadlines)
        }
        #expect(script.isEmpty())
        #expect(most <= 128, "stale deadlines pile up: \(most)")
        // The last guests are forgotten after a day; nothing else is waited for.
        script.pass(seconds: 24 * 60 * 60)
        #expect(script.server.nextDeadline == nil)
    }

    @Test func `a guest who comes back ten thousand times is waited for once`() {
        var script = ServerScript()
        script.keepsLogs = false
        let (first, key) = script.joinKeepingKey("ann")
        script.drop(first)
        var id = first
        for _ in 0..<5_000 {
            id = script.reconnect(inPlaceOf: id)
            script.send(Array("name ann \(key)\n".utf8), id)
            script.drop(id)
        }
        script.pass(seconds: 61)
        #expect(script.server.nextDeadline == Instant(nanoseconds: 24 * 60 * 60 * 1_000_000_000))
        // One deadline passes, and it is the last.
        script.pass(seconds: 24 * 60 * 60)
        #expect(script.server.nextDeadline == nil)
        #expect(script.store.count == 0)
    }

    @Test func `the next deadline is never behind what has been done`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=100000")
        for move in 0..<2000 {
            script.type("move", ids[move % 2])
            script.skip(ids[0], ids[1])
            script.pass(seconds: 0.5)
            let due = script.server.nextDeadline
            #expect(due.map { $0 > script.now } ?? false)
        }
    }

    @Test func `fifty rounds of a hundred players end with the same counts`() {
        var script = ServerScript()
        script.keepsLogs = false
        for round in 0..<20 {
            let ids = (0..<50).map { script.join("p\(round)x\($0)") }
            for (index, id) in ids.enumerated() {
                script.type(["play", "play 3-5", "host", "play bots=3", "watch \(round)"][index % 5], id)
            }
            script.pass(seconds: 3)
            for id in ids { script.drop(id) }
            script.pass(seconds: 200)
            for id in ids { script.skip(id) }
            #expect(script.isEmpty(), "round \(round)")
        }
    }
}
