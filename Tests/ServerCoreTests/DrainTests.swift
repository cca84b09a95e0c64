import RaceModel
import Records
import ServerCore
import Testing
import WireProtocol

/// From being asked to end to having told everybody.
struct DrainTests {
    private static let span = Instant.Span.seconds(8)

    @Test(arguments: ["play 2", "play 2-8 bots=1", "host", "join BABA-BABA-BA", "rematch"])
    func `no new race begins while it drains`(line: String) {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace()
        let (cat, dan) = (script.join("cat"), script.join("dan"))
        script.type("invite dan", cat)
        script.skip(cat, dan)
        script.feed(.drain(Self.span))
        script.skip(cat, dan)
        #expect(script.ask(line, cat).errorCode == "draining")
        #expect(script.ask("invite dan", cat).errorCode == "draining")
        #expect(script.ask("accept 1", dan).errorCode == "draining")
        // Nothing else is refused, and the race goes on.
        #expect(script.ask("ping 1", cat) == ["pong value=1"])
        #expect(script.ask("move", ids[0]).line("moved") != nil)
        #expect(script.server.census.matches == 1)
    }

    @Test func `everybody is told how long, who waits no longer waits, and who comes is told too`() {
        var script = ServerScript(keepsMatches: true)
        let racers = script.begunRace()
        let waiting = script.join("cat")
        script.type("play 4", waiting)
        let host = script.join("dan")
        script.type("host 4", host)
        let binary = script.joinBinary("eve")
        for id in racers + [waiting, host] { script.skip(id) }
        script.feed(.drain(Self.span))
        for id in racers {
            let lines = script.read(id)
            #expect(lines.map { $0.value("code") } == ["draining"])
            #expect(lines.first?.value("seconds") == "8")
            #expect(lines.first?.value("text")?.contains("a race under way is kept") == true)
        }
        for (id, what) in [(waiting, "queue"), (host, "host")] {
            let lines = script.read(id)
            #expect(lines.line("notice")?.value("code") == "draining")
            #expect(lines.lines("stopped").count == 1, "\(what): \(lines)")
        }
        #expect(script.server.census.tickets == 0)
        guard case .notice(.draining, 8, _)? = script.readMessages(binary).first else {
            Issue.record("no notice in binary")
            return
        }
        script.pass(seconds: 3)
        let late = script.connect()
        script.type("name fay", late)
        #expect(script.read(late).line("notice")?.value("seconds") == "5")
        // Asked again it changes nothing.
        script.feed(.drain(.seconds(100)))
        script.pass(seconds: 5.1)
        #expect(script.hasEnded)
    }

    @Test func `without a store for races they are told to finish theirs`() {
        var script = ServerScript()
        let ids = script.begunRace()
        script.feed(.drain(Self.span))
        #expect(script.read(ids[0]).line("notice")?.value("text")?.contains("finish yours") == true)
        script.pass(seconds: 8.1)
        let bye = script.read(ids[0]).line("bye")
        #expect(bye?.value("text") == "the server is stopping: your race ends without a result")
        #expect(script.savedMatches == [])
    }

    @Test func `it ends as soon as no race is on`() {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        script.feed(.drain(Self.span))
        script.pass(seconds: 2)
        #expect(!script.hasEnded)
        script.type("move", ids[0])
        script.pass(seconds: 0.2)
        #expect(script.hasEnded && script.savedMatches == [])
        let lines = script.read(ids[1])
        #expect(lines.line("over") != nil)
        #expect(lines.last?.value("text") == "the server is stopping: try again in a minute")
        #expect(script.keptRecords.count == 1)
    }

    @Test func `with nobody there it ends at once`() {
        var script = ServerScript(keepsMatches: true)
        let ann = script.join("ann")
        script.feed(.drain(Self.span))
        #expect(script.hasEnded)
        #expect(script.read(ann).compactMap { $0.value("reason") } == ["shutdown"])
    }

    @Test func `at its time the races under way are saved, and their players told when they are`() {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace()
        let idle = script.join("cat")
        script.feed(.drain(Self.span))
        for id in ids + [idle] { script.skip(id) }
        script.isStoreHeld = true
        script.pass(seconds: 8)
        #expect(script.savedMatches.map(\.found.match.value) == [1])
        // Nothing is told before it is true.
        #expect(!script.hasEnded && script.read(ids[0]) == [])
        script.releaseStore()
        #expect(script.hasEnded)
        for id in ids {
            #expect(
                script.read(id).line("bye")?.value("text")
                    == "the server restarts: your race is kept, come back to it with your name and key")
        }
        #expect(
            script.read(idle).line("bye")?.value("text") == "the server is stopping: try again in a minute")
        #expect(script.logged("matches-saved", "count") == "1")
        #expect(script.logged("matches-saved", "lost") == "0")
    }

    @Test func `what comes while races are saved counts no more, nor what waited for a name until then`() {
        var script = ServerScript(keepsMatches: true)
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        for (id, number) in [(ann, 2), (bob, 1)] { script.type("play 2 finish=100\nnumber \(number)", id) }
        script.type("begin", ann)
        script.skip(ann, bob)
        script.isStoreHeld = true
        let back = script.rejoin("ann", key, auto: false)
        script.type("move", back)
        script.feed(.stop)
        script.skip(bob)
        script.type("move", ann)
        // Who she is, is answered; that the race is saved, not yet.
        script.releaseOneAnswer()
        #expect(script.read(back).line("welcome") != nil)
        script.drop(back)
        script.releaseStore()
        #expect(script.hasEnded)
        #expect(script.read(bob).lines("moved") == [] && script.read(back).lines("moved") == [])
        #expect(script.savedMatches.map(\.events.count) == [1])
    }

    /// Found by the simulation: such a match was told of behind the saving, and then counted as lost.
    @Test func `a match whose aliases are still looked up does not begin while races are saved`() {
        var script = ServerScript(cachedAliases: 1, keepsMatches: true)
        let racers = script.begunRace(["cat", "dan"])
        let ids = [script.join("ann"), script.join("bob")]
        script.isStoreHeld = true
        for id in ids { script.type("play 2", id) }
        script.skip(ids[0], ids[1])
        script.feed(.stop)
        script.releaseStore()
        for id in ids {
            let lines = script.read(id)
            #expect(lines.line("found") == nil)
            #expect(lines.line("bye")?.value("text") == "the server is stopping: try again in a minute")
        }
        #expect(script.read(racers[0]).line("bye")?.value("text")?.contains("your race is kept") == true)
        #expect(script.logged("matches-saved", "lost") == "0")
    }

    @Test func `a store that can't save leaves nobody in the belief that it did`() {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace()
        script.isStoreDown = true
        script.feed(.stop)
        script.pass(seconds: 0.99)
        #expect(!script.hasEnded)
        script.pass(seconds: 0.01)
        #expect(script.hasEnded)
        let bye = script.read(ids[0]).line("bye")
        #expect(bye?.value("text") == "the server is stopping: your race ends without a result")
        #expect(script.logged("matches-saved", "lost") == "1")
    }

    @Test func `a store that can't save just then is asked again`() {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace()
        script.isStoreDown = true
        script.feed(.stop)
        script.pass(seconds: 0.55)
        #expect(!script.hasEnded)
        script.isStoreDown = false
        script.pass(seconds: 0.1)
        #expect(script.hasEnded)
        #expect(script.read(ids[0]).line("bye")?.value("text")?.contains("your race is kept") == true)
        #expect(script.savedMatches.count == 1 && script.logged("matches-saved", "lost") == "0")
    }

    @Test func `a store that says nothing is waited for a second, and nobody is promised anything`() {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace()
        script.isStoreHeld = true
        script.feed(.stop)
        script.pass(seconds: 0.99)
        #expect(!script.hasEnded)
        script.pass(seconds: 0.01)
        #expect(script.hasEnded)
        let text = script.read(ids[1]).line("bye")?.value("text")
        #expect(text?.contains("whether your race is kept is not sure") == true)
        // An answer that comes too late changes nothing.
        script.releaseStore()
        #expect(script.sentBehindClose == 0)
    }

    @Test func `a second order to stop saves at once what is still under way`() {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace()
        script.feed(.drain(Self.span))
        script.pass(seconds: 1)
        script.feed(.stop)
        #expect(script.hasEnded && script.savedMatches.count == 1)
        #expect(script.isClosed.isSuperset(of: ids))
    }

    @Test func `a result on its way is waited for beside the races that are saved`() {
        var script = ServerScript(keepsMatches: true)
        let done = script.begunRace(["ann", "bob"], "finish=1")
        let others = script.begunRace(["cat", "dan"])
        script.answerToKeep = nil
        script.type("move", done[0])
        script.skip(done[1])
        script.feed(.stop)
        #expect(script.read(others[0]).line("bye")?.value("text")?.contains("kept") == true)
        #expect(script.savedMatches.map(\.found.match.value) == [2])
        script.answerToKeep = .kept
        script.keepDelayed()
        let lines = script.read(done[1])
        #expect(lines.line("over") != nil && lines.line("notice") == nil)
        #expect(lines.last?.value("reason") == "shutdown")
        #expect(script.server.census.connections == 0)
    }

    @Test func `a race too long for its record is not saved, and its players are told so`() {
        var script = ServerScript(keepsMatches: true)
        let ids = script.begunRace(["ann", "bob"], "rule=dash finish=1000000")
        let short = script.begunRace(["cat", "dan"])
        let steps = [UInt8](String(repeating: "move\n", count: 100).utf8)
        for _ in 0..<(Limits.loggedEvents / 100 + 1) {
            script.send(steps, ids[0])
            script.pass(seconds: 0)
            for id in ids { script.skip(id) }
        }
        script.feed(.stop)
        #expect(script.savedMatches.map(\.found.match.value) == [2])
        #expect(
            script.read(ids[0]).line("bye")?.value("text")
                == "the server is stopping: your race ends without a result")
        #expect(script.read(short[0]).line("bye")?.value("text")?.contains("your race is kept") == true)
        #expect(script.logged("matches-saved", "lost") == "1")
    }
}
