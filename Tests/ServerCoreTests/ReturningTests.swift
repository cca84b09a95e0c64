import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Players who come back to a seat, on whatever connection.
struct ReturningTests {
    @Test func `a return in each state gives the seat back and tells the others`() {
        for stage in LeavingTests.Stage.allCases where stage != .waitingForMatch {
            var (script, ids, keys) = LeavingTests.match(stage)
            script.drop(ids[0])
            script.pass(seconds: 4)
            let back = script.rejoin("ann", keys[0], auto: false)
            let lines = script.read(back)
            #expect(lines[0] == "welcome player=1 alias=ann")
            let snapshot = lines.line("snapshot")
            #expect(snapshot?.value("seat") == "1")
            let state = ["waiting-for-random-number", "waiting-for-start", "active", "done"]
            #expect(state.contains(snapshot?.value("state") ?? ""))
            #expect(lines.lines("runner").map { $0.value("presence") } == ["here", "here"])
            #expect(lines.line("back")?.value("alias") == "ann")
            #expect((lines.line("over") != nil) == (stage == .done))
            #expect(script.read(ids[1]).map { $0.prefix { $0 != " " } } == ["gone", "back"])
            // The old deadline no longer counts.
            let action = ["number 5", "begin", "move", "rematch"]
            let own = script.ask(action[LeavingTests.Stage.allCases.firstIndex(of: stage)! - 1], back)
            #expect(own.line("error") == nil, "\(stage)")
        }
    }

    @Test func `a return while the match is being made waits for it like everybody`() {
        var (script, ids, keys) = LeavingTests.match(.waitingForMatch)
        script.drop(ids[0])
        script.pass(seconds: 1)
        #expect(script.read(ids[1]) == [])
        let back = script.connect()
        script.type("set notes off\nset auto off\nname ann \(keys[0])", back)
        script.skip(back)
        script.releaseOneAnswer(last: true)
        script.releaseStore()
        #expect(script.read(back).map { $0.prefix { $0 != " " } } == ["welcome", "found", "seat", "seat"])
        #expect(script.readVerbs(ids[1]) == ["found", "seat", "seat"])
    }

    @Test func `who is told of a match with a seat that is gone is told that, too`() {
        var (script, ids, keys) = LeavingTests.match(.waitingForMatch)
        script.drop(ids[0])
        script.pass(seconds: 2)
        script.releaseStore()
        #expect(script.readVerbs(ids[1]) == ["found", "seat", "seat", "gone"])
        let back = script.rejoin("ann", keys[0], auto: false)
        #expect(
            script.read(back).map { $0.prefix { $0 != " " } } == [
                "welcome", "snapshot", "runner", "runner", "back",
            ])
    }

    @Test func `a return with the last event seen gets exactly the later ones, without it a snapshot`() {
        var (script, ids, keys) = LeavingTests.match(.active)
        var all: [String] = ["turn seq=1 turn=1 player=1 alias=ann seconds=20"]
        for _ in 0..<5 {
            for id in ids {
                script.type("move", id)
                all += script.read(ids[1])
            }
        }
        script.drop(ids[0])
        script.skip(ids[1])
        for seen in 1...all.count {
            var branch = script
            let back = branch.rejoin("ann", keys[0], seq: UInt32(seen))
            let lines = branch.read(back)
            #expect(Array(lines.dropFirst().dropLast()) == Array(all.dropFirst(seen)), "after \(seen)")
            #expect(lines.last?.hasPrefix("back ") == true)
        }
        for seen in [0, UInt32(all.count) + 1, .max] {
            var branch = script
            let back = branch.rejoin("ann", keys[0], seq: seen)
            let snapshot = branch.read(back).line("snapshot")
            #expect(snapshot?.value("seq") == "\(all.count)")
            #expect(snapshot?.value("turn") == "11" && snapshot?.value("player") == "1")
        }
    }

    @Test func `a return after the end still gets how it ended`() {
        var (script, ids, keys) = LeavingTests.match(.active)
        script.drop(ids[1])
        script.skip(ids[0])
        script.type("move", ids[0])
        script.pass(seconds: 20)
        // Bob comes back, leaves the race by missing twice, and comes back once more.
        var lines = script.read(ids[0])
        #expect(lines.line("moved") != nil)
        let bob = script.rejoin("bob", keys[1], seq: 1)
        script.skip(bob)
        script.type("move", ids[0])
        script.pass(seconds: 20)
        lines = script.read(bob)
        let over = lines.line("over")
        #expect(over?.value("winner") == "1")
        script.drop(bob)
        let late = script.rejoin("bob", keys[1], seq: 1)
        #expect(script.read(late).line("over") == over)
        script.drop(late)
        let fresh = script.rejoin("bob", keys[1])
        #expect(script.read(fresh).line("over") == over)
    }

    @Test func `the newest connection plays, the older one is told and closed; ten times over`() {
        var (script, ids, keys) = LeavingTests.match(.active)
        var current = ids[0]
        for round in 0..<10 {
            let newer = script.rejoin("ann", keys[0], auto: false)
            #expect(script.read(current).last?.value("reason") == "taken-over")
            #expect(script.isClosed.contains(current))
            let old = current
            current = newer
            let lines = script.read(current)
            #expect(lines.lines("snapshot").count == 1 && lines.line("back") == nil)
            #expect(script.read(ids[1]) == [], "bob notices nothing")
            script.type("move", old)
            #expect(script.read(ids[1]) == [])
            #expect(script.ask("move", current).lines("moved").count == 1)
            #expect(script.ask("move", ids[1]).lines("moved").count == 2, "round \(round)")
            script.skip(current)
            let positions = [current, ids[1]].map { id -> [String?] in
                var copy = script
                return copy.ask("matches", id)
            }
            #expect(positions[0] == positions[1])
            #expect(script.server.census.players == 2 && script.server.census.connections == 2)
        }
    }

    @Test func `one seat is one player everywhere, after twenty drops and returns`() {
        var (script, ids, keys) = LeavingTests.match(.active)
        var ann = ids[0]
        for _ in 0..<20 {
            script.drop(ann)
            ann = script.rejoin("ann", keys[0])
            #expect(
                script.ask("who", ids[1]).lines("player").filter { $0.value("alias") == "ann" }.count == 1)
            script.skip(ann)
            script.type("leave", ann)
            script.type("play finish=1000", ann)
            script.type("play finish=1000", ids[1])
            script.type("number 2", ann)
            script.type("number 1", ids[1])
            script.type("begin", ann)
            script.skip(ann, ids[1])
            #expect(script.server.census.matches == 1)
        }
    }

    @Test func `a wrong key, another's key and an unknown name or id get the same answer`() {
        var (script, _, keys) = LeavingTests.match(.active)
        let wrong = String(keys[0].reversed())
        var answers: Set<String> = []
        for line in [
            "name ann \(wrong)", "name ann \(keys[1])", "name nobody \(keys[0])", "name #1 \(wrong)",
            "name #2 \(keys[0])", "name #99 \(keys[0])", "name #0 \(keys[0])",
            "name #18446744073709551615 \(keys[0])",
        ] {
            let id = script.connect()
            script.type("set notes off", id)
            script.skip(id)
            let lines = script.ask(line, id)
            #expect(lines.errorCode == "wrong-key", "\(line)")
            answers.formUnion(lines)
        }
        #expect(answers.count == 1)
        let id = script.connect()
        #expect(script.ask("name #1", id).errorCode == "wrong-key")
        #expect(script.ask("name #18446744073709551616 \(keys[0])", id).errorCode == "wrong-key")
        #expect(script.ask("name #x \(keys[0])", id).errorCode == "wrong-key")
        #expect(script.ask("name #1 \(keys[0])", id).line("snapshot") != nil)
    }

    @Test func `a thousand guesses of a key open nothing`() {
        var (script, ids, _) = LeavingTests.match(.active)
        var generator = SeededGenerator(seed: 9)
        let id = script.connectBinary()
        for _ in 0..<1000 {
            let key = PlayerKey(high: generator.next(), low: generator.next())
            // No faster than one may ask at all.
            script.pass(seconds: 0.012)
            script.send(.hello(Hello(name: "ann", key: key)), id)
            #expect(script.readMessages(id).errorCode == .wrongKey)
        }
        #expect(script.read(ids[0]) == [])
    }

    @Test func `a return is not undone by the old grace time`() {
        var deadlines = Deadlines()
        deadlines.turn = .seconds(1000)
        var script = ServerScript(deadlines: deadlines)
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        for id in [ann, bob] { script.type("play finish=1000", id) }
        script.type("number 2\nbegin", ann)
        script.type("number 1", bob)
        script.type("begin", ann)
        script.drop(ann)
        var current = ann
        for _ in 0..<4 {
            script.pass(seconds: 29)
            current = script.rejoin("ann", key)
            script.pass(seconds: 10)
            #expect(script.read(bob).line("forfeit") == nil)
            script.drop(current)
        }
        script.pass(seconds: 29.999)
        #expect(script.read(bob).line("forfeit") == nil)
        script.pass(seconds: 0.001)
        #expect(script.read(bob).line("forfeit") != nil)
    }

    @Test func `at the very end of the grace time exactly one of return and forfeit happens`() {
        for isReturnFirst in [true, false] {
            var (script, ids, keys) = LeavingTests.match(.active)
            script.drop(ids[0])
            script.skip(ids[1])
            let back = script.connect()
            script.type("set notes off", back)
            script.pass(seconds: 29.999_999_999)
            script.skip(ids[1], back)
            script.now = Instant(nanoseconds: 30_000_000_000)
            if !isReturnFirst { script.feed(.deadlinePassed) }
            script.type("name ann \(keys[0])", back)
            script.feed(.deadlinePassed)
            let lines = script.read(ids[1])
            #expect((lines.line("back") != nil) == isReturnFirst)
            #expect((lines.line("over") != nil) == !isReturnFirst)
            #expect((script.read(back).line("snapshot") != nil) == isReturnFirst)
        }
    }

    @Test func `with both seats held, the one who comes back in time wins when the other does not`() {
        var (script, ids, keys) = LeavingTests.match(.active)
        script.drop(ids[0])
        script.drop(ids[1])
        script.pass(seconds: 10)
        let bob = script.rejoin("bob", keys[1])
        let lines = script.read(bob)
        #expect(lines.line("gone")?.value("seconds") == "20")
        script.pass(seconds: 20)
        #expect(script.read(bob).line("over")?.value("winner") == "2")
    }

    @Test func `a newer connection of a queued, hosting or watching player is told what it does`() {
        var script = ServerScript()
        let ids = script.begunRace()
        for (line, verb) in [("play 5", "queued"), ("host", "queued"), ("watch 1", "snapshot")] {
            let (eve, key) = script.joinKeepingKey("eve\(verb)\(line.count)")
            script.type(line, eve)
            script.skip(eve)
            let newer = script.rejoin("eve\(verb)\(line.count)", key)
            #expect(script.read(newer).line(verb) != nil, "\(line)")
        }
        #expect(script.read(ids[0]) == [])
    }

    @Test func `whose seat was held when the race ended is told the end, even when the winner left`() {
        var (script, ids, keys) = LeavingTests.match(.active)
        script.drop(ids[1])
        script.type("leave", ids[0])
        script.pass(seconds: 2)
        var back = script.rejoin("bob", keys[1], seq: 1, auto: false)
        #expect(script.read(back).line("over")?.value("winner") == "2", "the last one left has won")

        (script, ids, keys) = LeavingTests.match(.done)
        script.drop(ids[1])
        script.type("leave", ids[0])
        #expect(script.server.census.matches == 1, "bob has yet to hear of it")
        script.pass(seconds: 29)
        back = script.rejoin("bob", keys[1], auto: false)
        let lines = script.read(back)
        #expect(lines.line("over")?.value("alias") == "ann")
        #expect(lines.last == "stopped what=match")
        #expect(script.server.census.matches == 0)
    }

    @Test func `the time for a rematch frees who is here, and keeps the seat of who is gone`() {
        var (script, ids, keys) = LeavingTests.match(.done)
        script.pass(seconds: 20)
        script.drop(ids[1])
        script.pass(seconds: 11)
        #expect(script.read(ids[0]).last == "stopped what=match")
        script.pass(seconds: 18)
        let back = script.rejoin("bob", keys[1], auto: false)
        #expect(script.read(back).line("over") != nil, "the seat is held for all of its time")
    }
}
