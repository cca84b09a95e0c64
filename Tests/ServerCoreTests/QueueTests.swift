import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Looking for a race, through the whole server.
struct QueueTests {
    @Test func `who waits is told so, and who completes a race is told only that it is found`() {
        var script = ServerScript()
        let ann = script.join("ann")
        let bob = script.join("bob")
        #expect(script.ask("play", ann) == ["queued waiting=1 min=2 max=2"])
        script.type("play", bob)
        #expect(script.readVerbs(bob).first == "found")
        #expect(script.readVerbs(ann).first == "found")
    }

    @Test func `only players who ask for equal settings meet`() {
        let variants = [
            "2", "2 rule=dash", "2 draw=sealed", "2 finish=26", "2 group=7", "3", "3-4", "3 bots=1",
        ]
        for (index, left) in variants.enumerated() {
            for (other, right) in variants.enumerated() {
                var script = ServerScript()
                let ids = [script.join("ann"), script.join("bob")]
                script.type("play \(left)", ids[0])
                script.type("play \(right)", ids[1])
                let meets = script.read(ids[0]).line("found") != nil
                // With three to four players or exactly three, two are too few; with a bot they are three.
                let expected = index == other && !["3", "3-4"].contains(left)
                #expect(meets == expected, "\(left) and \(right)")
            }
        }
    }

    @Test func `every set that can race is found at once, and who is left over waits`() {
        var script = ServerScript()
        let ids = ["a", "b", "c", "d", "e", "f"].map { script.join($0) }
        for (id, size) in zip(ids, ["2", "3", "3", "2", "3", "2"]) { script.type("play \(size)", id) }
        let found = ids.map { script.read($0).line("found")?.value("match") }
        #expect(found == ["1", "2", "2", "1", "2", nil])
        let late = script.join("g")
        script.pass(seconds: 60)
        script.type("play 2", late)
        #expect(script.read(ids[5]).line("found")?.value("match") == "3")
    }

    @Test func `a range starts after the fill time with who is there, as promised, or at once when full`() {
        var script = ServerScript()
        let ids = ["ann", "bob", "cat", "dan"].map { script.join($0) }
        #expect(script.ask("play 2-4", ids[0]) == ["queued waiting=1 min=2 max=4"])
        #expect(script.ask("play 2-4", ids[1]) == ["queued waiting=2 min=2 max=4 starts=10"])
        #expect(script.read(ids[0]) == ["queued waiting=2 min=2 max=4 starts=10"])
        script.pass(seconds: 9.999)
        #expect(script.read(ids[0]) == [])
        script.pass(seconds: 0.001)
        #expect(script.read(ids[0]).line("found")?.value("of") == "2")

        var full = ServerScript()
        let four = ["ann", "bob", "cat", "dan"].map { full.join($0) }
        for id in four { full.type("play 2-4", id) }
        #expect(full.read(four[3]).line("found")?.value("of") == "4")
    }

    @Test func `impossible sizes are refused with what would be right`() {
        var script = ServerScript()
        let id = script.join("ann")
        for line in [
            "play 0", "play 1", "play 9", "play 4294967295", "play 4-2", "play 2 bots=2", "play bots=8",
            "play finish=0", "play finish=100000001",
        ] {
            #expect(script.ask(line, id).errorCode == "bad-settings", "\(line)")
        }
        let binary = script.joinBinary("bob")
        for (minimum, maximum, bots, finish) in [
            (0, 0, 0, 25), (1, 1, 0, 25), (0, 2, 0, 25), (3, 2, 0, 25), (2, 9, 0, 25), (255, 255, 0, 25),
            (2, 2, 2, 25), (2, 2, 255, 25), (2, 2, 0, 0), (2, 2, 0, 4_294_967_295),
        ] as [(UInt8, UInt8, UInt8, UInt32)] {
            let request = RaceRequest(
                minimum: minimum, maximum: maximum, settings: RaceSettings(finish: finish), bots: bots)
            script.send(.findMatch(request), binary)
            #expect(script.readMessages(binary).errorCode == .badSettings, "\(request)")
        }
        #expect(script.server.census.tickets == 0)
    }

    @Test func `a player is never matched with themselves, however often they ask`() {
        var script = ServerScript()
        let (ann, key) = script.joinKeepingKey("ann")
        #expect(script.ask("play\nplay", ann).errorCode == "already-queued")
        #expect(script.ask("cancel\nplay", ann).map { $0.prefix { $0 != " " } } == ["stopped", "queued"])
        let newer = script.rejoin("ann", key)
        #expect(script.isClosed.contains(ann))
        #expect(script.read(newer).line("queued") == "queued waiting=1 min=2 max=2")
        #expect(script.ask("play", newer).errorCode == "already-queued")
        #expect(script.server.census.tickets == 1)
        let bob = script.join("bob")
        #expect(script.ask("play", bob).lines("seat").map { $0.value("alias") } == ["ann", "bob"])
        #expect(script.server.census.matches == 1)
    }

    @Test func `find, cancel and find in one write leave one ticket`() {
        var script = ServerScript()
        let ann = script.join("ann")
        #expect(script.ask("play\ncancel\nplay", ann).lines("queued").count == 2)
        #expect(script.server.census.tickets == 1)
    }

    @Test func `the ticket of a client that is gone dies, and the others hear of it`() {
        var script = ServerScript()
        let ids = ["ann", "bob", "cat"].map { script.join($0) }
        for id in ids { script.type("play 4", id) }
        script.skip(ids[1], ids[2])
        script.drop(ids[0])
        #expect(script.read(ids[1]) == ["queued waiting=2 min=4 max=4"])
        #expect(script.read(ids[2]) == ["queued waiting=2 min=4 max=4"])
        #expect(script.server.census.tickets == 2)
        #expect(script.ask("cancel", ids[1]) == ["stopped what=queue"])
        #expect(script.read(ids[2]) == ["queued waiting=1 min=4 max=4"])
    }

    @Test func `a number sent before the match is kept and used`() {
        var script = ServerScript()
        let ids = [script.join("ann", auto: false), script.join("bob", auto: false)]
        #expect(script.ask("play\nnumber 7", ids[0]) == ["queued waiting=1 min=2 max=2"])
        #expect(script.ask("number 8", ids[0]).errorCode == "already-drew")
        #expect(script.ask("play", ids[1]).lines("number") == [])
        let lines = script.ask("number 9", ids[1])
        #expect(lines.lines("number").map { $0.value("value") } == ["7", "9"])
        #expect(lines.line("order") == "order seats=2,1")
    }

    @Test func `a number sent before a private race is kept and used`() {
        var script = ServerScript()
        let ids = [script.join("ann", auto: false), script.join("bob", auto: false)]
        let code = script.ask("host\nnumber 7", ids[0]).line("code")?.value("value") ?? ""
        script.type("join \(code)", ids[1])
        #expect(script.ask("number 3", ids[1]).lines("number").map { $0.value("value") } == ["7", "3"])
    }

    @Test func `a number that was shown is not used again when the match is cancelled`() {
        var script = ServerScript()
        let ids = ["ann", "bob", "cat"].map { script.join($0, auto: false) }
        script.type("play\nnumber 7", ids[0])
        script.type("play\nnumber 9", ids[1])
        script.type("leave", ids[1])
        #expect(script.read(ids[0]).line("cancelled")?.value("queued") == "yes")
        #expect(script.ask("play\nnumber 8", ids[2]).lines("number") == [])
        #expect(script.ask("number 6", ids[0]).lines("number").map { $0.value("value") } == ["6", "8"])

        // One that nobody has seen is kept.
        var hidden = ServerScript()
        let pair = ["ann", "bob", "cat"].map { hidden.join($0, auto: false) }
        hidden.type("play\nnumber 7", pair[0])
        hidden.type("play", pair[1])
        hidden.type("leave", pair[1])
        #expect(
            hidden.ask("play\nnumber 8", pair[2]).lines("number").map { $0.value("value") } == ["7", "8"])
    }

    @Test func `one to seven bots fill the table, with names of their own, and race to the end`() {
        for bots in 1...7 {
            for rule in ["turns", "dash"] {
                var script = ServerScript(seed: UInt64(bots))
                let ann = script.join("ann")
                let lines = script.ask("play bots=\(bots) rule=\(rule) finish=9", ann)
                #expect(Set(lines.lines("seat").compactMap { $0.value("alias") }).count == bots + 1)
                #expect(lines.lines("seat").filter { $0.value("player") == "0" }.count == bots)
                script.pass(seconds: 400)
                #expect(script.read(ann).line("over") != nil, "\(bots) bots, \(rule)")
                #expect(script.isEmpty(connections: 1, players: 1))
            }
        }
    }

    @Test func `five who want two each: one waits, with its place kept`() {
        var script = ServerScript()
        let ids = (0..<5).map { script.join("p\($0)") }
        for id in ids { script.type("play", id) }
        let found = ids.map { script.read($0).line("found")?.value("match") }
        #expect(found == ["1", "1", "2", "2", nil])
        script.pass(seconds: 59)
        #expect(script.ask("why", ids[4]).first?.value("since") == "59")
    }
}
