import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Peers that close their sending side: they get all answers, and then the close.
struct HalfCloseTests {
    @Test func `a half-closed peer gets every answer and then the close`() {
        var script = ServerScript()
        let id = script.connect()
        script.type("help\nwho", id)
        script.endInput(id)
        let lines = script.read(id)
        #expect(lines.line("players") != nil)
        #expect(lines.last?.value("reason") == "half-closed")
        #expect(script.isClosed.contains(id))

        let binary = script.connect()
        script.send(ServerScript.preface + ClientMessage.listMatches(page: 1).frame, binary)
        script.endInput(binary)
        let messages = ServerScript.messages(Array(script.readBytes(binary).dropFirst(8)))
        #expect(messages.first == .matches(Page(number: 1, of: 1), []))
        #expect(script.isClosed.contains(binary))
        #expect(script.isEmpty())
    }

    @Test func `answers that wait for the store still come before the close, all of them`() {
        let requests = "name ann\nalias 1\nwho\nalias 1,99\nping 3"
        var whole = ServerScript()
        let calm = whole.connect()
        whole.type(requests, calm)
        let expected = whole.read(calm)
        #expect(expected.lines("aliases").count == 2)

        var script = ServerScript()
        script.isStoreHeld = true
        let id = script.connect()
        script.type(requests, id)
        script.endInput(id)
        #expect(!script.isClosed.contains(id))
        // The last look-up asks the store once more.
        for _ in 0..<4 where !script.isClosed.contains(id) { script.releaseOneAnswer() }
        let lines = script.read(id)
        #expect(lines.dropLast().sorted() == expected.sorted())
        #expect(lines.last?.value("reason") == "half-closed")
        #expect(script.isClosed.contains(id))
    }

    @Test func `a half-closed player in a race is told that the seat is held, and counts as gone`() {
        var script = ServerScript()
        let ids = script.begunRace()
        script.endInput(ids[0])
        let own = script.read(ids[0])
        #expect(own.line("notice")?.value("code") == "half-closed")
        #expect(own.line("notice")?.value("seconds") == "30")
        #expect(own.last?.value("reason") == "half-closed")
        #expect(script.read(ids[1]) == ["gone player=1 seat=1 alias=ann seconds=30"])
        script.pass(seconds: 30)
        #expect(script.read(ids[1]).line("over")?.value("reason") == "forfeit")
    }

    @Test func `a half-closed spectator goes without anybody noticing`() {
        var script = ServerScript()
        let ids = script.begunRace()
        let eve = script.join("eve")
        script.type("watch 1", eve)
        script.endInput(eve)
        #expect(script.isClosed.contains(eve))
        #expect(script.read(ids[0]) == [] && script.read(ids[1]) == [])
        #expect(script.ask("matches", ids[0]).line("match")?.value("spectators") == "0")
    }
}
