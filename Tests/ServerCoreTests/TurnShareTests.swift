import RaceModel
import ServerCore
import Testing
import WireProtocol

struct TurnShareTests {
    @Test func `who asks a lot at once gets every answer, a bounded part each turn`() {
        var script = ServerScript(budgets: .wide)
        script.takesTurns = false
        let greedy = script.join("ann")
        var requests: [UInt8] = []
        for _ in 0..<4000 { requests += Array("help\n".utf8) }
        script.send(requests, greedy)
        let first = script.readBytes(greedy)
        #expect(first.count <= Limits.workPerTurn + 4096)
        #expect(script.server.nextDeadline == script.now, "the rest goes on at once")
        var all = first
        var turns = 0
        while script.server.nextDeadline == script.now {
            script.feed(.deadlinePassed)
            let part = script.readBytes(greedy)
            #expect(part.count <= Limits.workPerTurn + 4096)
            all += part
            turns += 1
            guard turns < 10_000 else { break }
        }
        let ends = String(decoding: all, as: UTF8.self).split(separator: "\n")
            .count { $0 == "# help VERB tells more of one." }
        #expect(ends == 4000)
    }

    /// However many ask a lot at once: what is done between two looks at the sockets has a limit, or all
    /// others wait, and the batch of answers fills the memory.
    @Test func `the turns of many who ask a lot are spread over rounds, and nobody is forgotten`() {
        var script = ServerScript()
        script.takesTurns = false
        let greedy = (0..<40).map { script.join("p\($0)") }
        for id in greedy { script.send([UInt8](String(repeating: "help\n", count: 100).utf8), id) }
        var answers = Dictionary(uniqueKeysWithValues: greedy.map { ($0, script.readBytes($0)) })
        var rounds = 0
        while script.server.nextDeadline == script.now, rounds < 1000 {
            rounds += 1
            script.feed(.deadlinePassed)
            var count = 0
            for id in greedy {
                let part = script.readBytes(id)
                count += part.count
                answers[id, default: []] += part
            }
            #expect(count <= Limits.workPerRound + Limits.workPerTurn + 4096)
        }
        for id in greedy {
            let ends = String(decoding: answers[id] ?? [], as: UTF8.self).split(separator: "\n")
                .count { $0 == "# help VERB tells more of one." }
            #expect(ends == 100)
        }
    }

    /// An empty page is a short answer, and takes as long as a full one.
    @Test func `a search through many players counts by what it takes, not by its answer`() {
        var script = ServerScript()
        for index in 0..<2000 { _ = script.join("p\(index)") }
        let greedy = script.join("ann")
        script.takesTurns = false
        script.send([UInt8](String(repeating: "who page=9999\n", count: 100).utf8), greedy)
        #expect(script.readVerbs(greedy).count <= 3)
        script.pass(seconds: 0)
        #expect(script.readVerbs(greedy).count >= 97)
    }

    /// Within the budgets, too: there may be many who do it.
    @Test func `who goes on asking waits behind others, and a move that counts makes nobody wait`() {
        var script = ServerScript(budgets: .wide)
        let greedy = script.join("greedy")
        let racers = script.begunRace(["ann", "bob"], "rule=dash finish=100000")
        script.takesTurns = false
        script.pass(seconds: 1)
        let question = "alias " + (1...64).map(String.init).joined(separator: ",")
        script.skip(greedy)
        var asked = 0
        while script.ask(question, greedy).first == "aliases count=64", asked < 100 { asked += 1 }
        #expect((1...3).contains(asked), "some are answered at once")
        for _ in 0..<100 {
            #expect(script.ask("move", racers[0]).line("moved") != nil, "a move that counts is never late")
        }
        #expect(script.ask("ping 1", racers[1]).last == "pong value=1", "nor is who asks for little")
        #expect(script.read(greedy) == [])
        script.pass(seconds: 0)
        #expect(script.read(greedy).first == "aliases count=64", "its turn comes")
        // A while later it is like everybody else.
        script.pass(seconds: 0.1)
        #expect(script.ask(question, greedy).first == "aliases count=64")
    }

    /// To read a long request, and to say no, takes time as well.
    @Test func `what is refused takes a turn like what is answered`() {
        for request in ["alias " + [String](repeating: "x", count: 200).joined(separator: ","), "nonsense"] {
            var script = ServerScript()
            script.takesTurns = false
            let greedy = script.join("ann")
            script.pass(seconds: 1)
            script.skip(greedy)
            let lines = [UInt8](String(repeating: request + "\n", count: 90).utf8)
            script.send(lines, greedy)
            let most = (Limits.workPerTurn + 1024) / (request.utf8.count + 128) + 1
            #expect((1...most).contains(script.read(greedy).count))
            script.pass(seconds: 0)
            #expect((90 - most..<90).contains(script.read(greedy).count))
        }
    }

    @Test func `who does not read gets no more answers until they have read, and then all`() {
        var script = ServerScript(budgets: .wide)
        let ann = script.join("ann")
        script.feed(.backedUp(ann))
        let requests = [UInt8](String(repeating: "ping 7\n", count: 4000).utf8)
        script.send(requests, ann)
        script.pass(seconds: 1)
        #expect(script.readBytes(ann).isEmpty)
        #expect(script.paused.contains(ann))
        script.feed(.drained(ann))
        script.pass(seconds: 1)
        #expect(script.read(ann) == [String](repeating: "pong value=7", count: 4000))
        #expect(!script.paused.contains(ann))
        // Also for one who sends no more: everything is answered before the goodbye.
        script.feed(.backedUp(ann))
        script.type("ping 8", ann)
        script.endInput(ann)
        #expect(script.readBytes(ann).isEmpty)
        script.feed(.drained(ann))
        #expect(script.readVerbs(ann) == ["pong", "bye"])
    }

    /// Over the limit of unread output a connection is closed, so a stranger who comes to a queue and goes, or
    /// invites and takes back, thousands of times a second could close everybody on a slow line.
    @Test func `who has much to read is not sent what strangers cause at will`() {
        var script = ServerScript()
        let ann = script.join("ann")
        let bob = script.join("bob")
        script.type("play 8", ann)
        script.skip(ann)
        script.feed(.backedUp(ann))
        script.type("play 8\ncancel\nplay 8", bob)
        script.type("invite ann", bob)
        #expect(script.readBytes(ann).isEmpty)
        #expect(script.read(bob).last == "invite id=0 outcome=busy alias=ann")
        script.feed(.drained(ann))
        #expect(script.read(ann) == ["queued waiting=2 min=8 max=8"])
        script.feed(.drained(ann))
        #expect(script.readBytes(ann).isEmpty)
        script.type("invite ann", bob)
        #expect(script.readVerbs(ann) == ["invited"])
    }
}
