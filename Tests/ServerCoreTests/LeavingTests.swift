import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Players who leave, quit or drop, in each state of a match.
struct LeavingTests {
    /// The states a match can be in, in the order in which it goes through them.
    enum Stage: CaseIterable {
        case waitingForMatch, waitingForNumber, waitingForStart, active, done
    }

    /// A match of ann (player 1) and bob in this state.
    static func match(_ stage: Stage, rule: String = "turns") -> (
        ServerScript, [ConnectionID], keys: [String]
    ) {
        var script = ServerScript(cachedAliases: stage == .waitingForMatch ? 1 : 100)
        var ids: [ConnectionID] = []
        var keys: [String] = []
        for alias in ["ann", "bob"] {
            let (id, key) = script.joinKeepingKey(alias, auto: false)
            ids.append(id)
            keys.append(key)
        }
        if stage == .waitingForMatch { script.isStoreHeld = true }
        for id in ids { script.type("play finish=\(stage == .done ? 1 : 1000) rule=\(rule)", id) }
        if stage != .waitingForMatch, stage != .waitingForNumber {
            script.type("number 2", ids[0])
            script.type("number 1", ids[1])
        }
        if stage == .active || stage == .done { script.type("begin", ids[0]) }
        if stage == .done { script.type("move", ids[0]) }
        for id in ids { script.skip(id) }
        return (script, ids, keys)
    }

    @Test func `before the race nothing is lost: the other is told once and is queued again`() {
        for stage in [Stage.waitingForMatch, .waitingForNumber, .waitingForStart] {
            for way in ["leave", "quit"] {
                var (script, ids, _) = Self.match(stage)
                let own = script.ask(way, ids[0])
                #expect(own[0].hasPrefix("notice code=break-off seconds=0"))
                #expect(own[1] == "stopped what=match" && own.count == (way == "quit" ? 3 : 2))
                let culprit = stage == .waitingForMatch ? "player-1" : "ann"
                #expect(
                    script.read(ids[1]) == [
                        "cancelled match=1 alias=\(culprit) reason=left queued=yes",
                        "queued waiting=1 min=2 max=2",
                    ], "\(stage) \(way)")
                #expect(script.server.census.matches == 0)
                #expect(script.server.census.tickets == 1)
                script.releaseStore()
                let cat = script.join("cat")
                #expect(script.ask("play finish=1000", cat).line("found")?.value("match") == "2")
            }
        }
    }

    @Test func `a seat that is gone while the draw waits ends the match when its time is over`() {
        // Draw, begin and turn take longer than the seat is held.
        for stage in [Stage.waitingForNumber, .waitingForStart] {
            var deadlines = Deadlines()
            deadlines.number = .seconds(100)
            deadlines.start = .seconds(100)
            var script = ServerScript(deadlines: deadlines)
            let ids = script.race(["ann", "bob"], auto: false)
            if stage == .waitingForStart {
                script.type("number 2", ids[0])
                script.type("number 1", ids[1])
                script.skip(ids[1])
            }
            script.drop(ids[0])
            script.pass(seconds: 29.999)
            #expect(script.read(ids[1]).lines("gone").map { $0.value("seconds") } == ["30", "10", "5"])
            script.pass(seconds: 0.001)
            #expect(script.read(ids[1]).first == "cancelled match=1 alias=ann reason=gone queued=yes")
            #expect(script.isEmpty(connections: 1, players: 1) == false)
            #expect(script.server.census.tickets == 1 && script.server.census.players == 1)
        }
    }

    @Test func `a private race that is cancelled leaves its players free`() {
        var script = ServerScript()
        let ids = [script.join("ann", auto: false), script.join("bob", auto: false)]
        let code = script.ask("host", ids[0]).line("code")?.value("value") ?? ""
        script.type("join \(code)", ids[1])
        script.skip(ids[0], ids[1])
        script.type("leave", ids[1])
        #expect(script.read(ids[0]) == ["cancelled match=1 alias=bob reason=left queued=no"])
        #expect(script.ask("play", ids[0]).line("queued") != nil)
    }

    @Test func `who is queued again keeps the old waiting time`() {
        var script = ServerScript()
        let ids = ["ann", "bob", "cat"].map { script.join($0, auto: false) }
        script.type("play", ids[0])
        script.pass(seconds: 40)
        script.type("play", ids[1])
        script.type("leave", ids[1])
        script.skip(ids[0])
        script.pass(seconds: 2)
        #expect(script.ask("why", ids[0]).first?.value("since") == "42")
    }

    @Test func `leaving the race is a forfeit, and the last one left wins`() {
        for way in ["leave", "quit"] {
            for rule in ["turns", "dash"] {
                var (script, ids, _) = Self.match(.active, rule: rule)
                let own = script.ask(way, ids[0])
                let other = script.read(ids[1])
                #expect(own.line("over")?.value("reason") == "forfeit")
                #expect(other.line("forfeit")?.value("reason") == "left")
                #expect(other.line("over")?.value("winner") == "2")
                #expect(other.last == "stopped what=match")
                #expect(script.server.census.matches == 0)
            }
        }
    }

    @Test func `a dropped seat is held, with a countdown, and then forfeits`() {
        var (script, ids, _) = Self.match(.active)
        script.type("move", ids[0])
        script.skip(ids[1])
        script.drop(ids[0])
        #expect(script.read(ids[1]) == ["gone player=1 seat=1 alias=ann seconds=30"])
        script.type("move", ids[1])
        script.skip(ids[1])
        script.pass(seconds: 19.999)
        #expect(script.read(ids[1]).lines("gone") == [])
        script.pass(seconds: 0.001)
        #expect(script.read(ids[1]).lines("gone") == ["gone player=1 seat=1 alias=ann seconds=10"])
        script.pass(seconds: 5)
        #expect(script.read(ids[1]).lines("gone") == ["gone player=1 seat=1 alias=ann seconds=5"])
        script.type("move", ids[1])
        script.pass(seconds: 4.999)
        #expect(script.read(ids[1]).line("over") == nil)
        script.pass(seconds: 0.001)
        let lines = script.read(ids[1])
        #expect(lines.line("forfeit")?.value("reason") == "gone")
        #expect(lines.line("over")?.value("winner") == "2")
    }

    @Test func `both gone: the race is abandoned, everything is freed and no deadline is left`() {
        for stage in Stage.allCases {
            var (script, ids, _) = Self.match(stage)
            script.drop(ids[0])
            script.drop(ids[1])
            if stage == .waitingForMatch { script.releaseStore() }
            script.pass(seconds: 120)
            #expect(script.isEmpty(), "\(stage)")
            script.pass(seconds: 25 * 60 * 60)
            #expect(script.server.nextDeadline == nil)
        }
    }

    @Test func `leaving after the race frees the one and tells the other`() {
        var (script, ids, _) = Self.match(.done)
        #expect(script.ask("leave", ids[0]).last == "stopped what=match")
        #expect(
            script.read(ids[1]) == [
                "rematch player=1 alias=ann wants=no agreed=0 of=1", "stopped what=match",
            ])
        #expect(script.isEmpty(connections: 2, players: 2))
    }

    @Test func `breaking off three starts within a minute bars from looking for a race until it is over`() {
        var script = ServerScript()
        let ann = script.join("ann", auto: false)
        for name in ["b", "c", "d"] {
            let other = script.join(name, auto: false)
            script.type("play", ann)
            script.type("play", other)
            script.type("leave", ann)
            script.type("quit", other)
            script.pass(seconds: 10)
        }
        script.skip(ann)
        let error = script.ask("play", ann).line("error")
        #expect(error?.value("code") == "slow-down")
        #expect(error?.value("text") == "you broke off 3 starts within a minute: wait 50 s")
        #expect(script.ask("host", ann).errorCode == "slow-down")
        script.pass(seconds: 49.9)
        #expect(script.ask("play", ann).errorCode == "slow-down")
        script.pass(seconds: 0.1)
        #expect(script.ask("play", ann).line("queued") != nil)
    }

    @Test func `breaking off by dropping, and coming back on another connection, counts as well`() {
        for isDrop in [true, false] {
            var script = ServerScript()
            var (ann, key) = script.joinKeepingKey("ann", auto: false)
            for name in ["b", "c", "d"] {
                let other = script.join(name, auto: false)
                script.type("play draw=sealed\nnumber 1", other)
                script.type("play draw=sealed", ann)
                if isDrop { script.drop(ann) } else { script.type("quit", ann) }
                // Nobody draws for ann before her seat is given up: the round's time is as long as that of
                // the seat.
                script.pass(seconds: isDrop ? 9 : 1)
                ann = script.rejoin("ann", key, auto: false)
                script.type("leave", ann)
                script.type("quit", other)
                script.skip(ann)
            }
            #expect(script.ask("play", ann).errorCode == "slow-down", "dropping: \(isDrop)")
        }
    }

    @Test func `two hundred pairs that start and drop leave nothing behind, and new ones get a new match`() {
        var script = ServerScript()
        for index in 0..<200 {
            let ids = script.begunRace(["a\(index)", "b\(index)"])
            for id in ids { script.drop(id) }
        }
        script.pass(seconds: 31)
        #expect(script.isEmpty())
        let fresh = [script.join("ann"), script.join("bob")]
        for id in fresh { script.type("play", id) }
        #expect(script.read(fresh[0]).line("found")?.value("match") == "201")
        #expect(script.readVerbs(fresh[1]).filter { $0 == "over" || $0 == "gone" } == [])
    }
}
