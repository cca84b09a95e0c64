import RaceModel
import ServerCore
import Testing
import WireProtocol

/// The end of the process.
struct StopTests {
    @Test func `everybody is told and closed, whatever they do, and nothing is left`() {
        var script = ServerScript()
        let racers = script.begunRace()
        let text = script.join("cat")
        script.type("play 5", text)
        let host = script.join("dan")
        script.type("host", host)
        let binary = script.joinBinary("eve")
        script.send(.watch(MatchID(1)), binary)
        let silent = script.connect()
        let halfway = script.connect()
        script.send([0xCA, 0x7E], halfway)
        script.isStoreHeld = true
        let pending = script.connect()
        script.type("name fay", pending)
        for id in racers + [text, host, binary, silent, halfway, pending] { script.skip(id) }
        script.feed(.stop)
        for id in racers + [text, host, silent, pending] {
            let lines = script.read(id)
            #expect(lines.last?.value("reason") == "shutdown")
            #expect(script.isClosed.contains(id))
        }
        guard case .bye(.shutdown, _)? = script.readMessages(binary).last else {
            Issue.record("no goodbye in binary")
            return
        }
        #expect(script.isClosed.contains(halfway))
        script.releaseStore()
        #expect(script.server.census.connections == 0 && script.server.census.lookUps == 0)
        let late = script.connect()
        #expect(script.read(late).last?.value("reason") == "shutdown")
        #expect(script.isClosed.contains(late))
        script.feed(.stop)
        #expect(script.sentBehindClose == 0)
    }

    @Test func `a server that stops wakes nobody for the queue`() {
        var script = ServerScript()
        let ids = (0..<5).map { script.join("p\($0)") }
        for id in ids { script.type("play 2-8", id) }
        script.feed(.stop)
        for id in ids { script.skip(id) }
        script.pass(seconds: 100)
        #expect(script.server.census.tickets == 0 && script.server.census.matches == 0)
        for id in ids { #expect(script.read(id) == []) }
    }
}
