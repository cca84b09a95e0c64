import RaceModel
import ServerCore
import Testing
import WireProtocol

/// What others can do to somebody who reads slowly, or only wants to race.
struct VictimTests {
    /// Over the limit of unread output a connection is closed: in a dash the others could do that to anybody.
    @Test func `who is behind in a dash is spared the steps, and gets a snapshot for them`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "rule=dash finish=5000")
        script.feed(.backedUp(ids[0]))
        for _ in 0..<4000 {
            script.type("move", ids[1])
            script.skip(ids[1])
        }
        #expect(script.readBytes(ids[0]).isEmpty)
        script.feed(.drained(ids[0]))
        let lines = script.read(ids[0])
        #expect(lines.first?.hasPrefix("snapshot match=1") == true)
        #expect(lines.first?.value("seq") == "4000")
        #expect(lines.lines("runner").map { $0.value("at") } == ["0", "4000"])
        #expect(lines.lines("moved").isEmpty)
        // From here on all is as before.
        script.type("move", ids[1])
        #expect(script.read(ids[0]).first?.hasPrefix("moved seq=4001 ") == true)
        #expect(script.ask("move", ids[0]).first?.hasPrefix("moved seq=4002 ") == true)
    }

    @Test func `the end of a dash comes behind a snapshot, once, for who is behind`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "rule=dash finish=100")
        script.feed(.backedUp(ids[0]))
        for _ in 0..<100 { script.type("move", ids[1]) }
        let all = script.read(ids[1])
        let lines = script.read(ids[0])
        #expect(lines.first?.hasPrefix("snapshot ") == true)
        #expect(lines.first?.value("state") == "done")
        #expect(lines.lines("over") == all.lines("over") && lines.lines("snapshot").count == 1)
        script.feed(.drained(ids[0]))
        #expect(script.readBytes(ids[0]).isEmpty)
        // Nothing was spared since: the next thing is told as it is.
        script.type("rematch", ids[1])
        #expect(script.readVerbs(ids[0]) == ["rematch"])
    }

    @Test
    func `who leaves a dash is told of to one who is behind by a snapshot, and who watches is not spared`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob", "cid"], "rule=dash finish=1000")
        let eve = script.join("eve")
        script.type("watch 1", eve)
        script.skip(eve)
        for id in [ids[0], eve] { script.feed(.backedUp(id)) }
        for _ in 0..<10 { script.type("move", ids[1]) }
        script.type("leave", ids[2])
        let lines = script.read(ids[0])
        #expect(
            lines.readFirstWords == ["snapshot", "runner", "runner", "runner", "number", "number", "number"])
        #expect(lines.lines("runner").map { $0.value("presence") } == ["here", "here", "out"])
        #expect(script.readVerbs(eve) == [String](repeating: "moved", count: 10) + ["forfeit"])
        script.feed(.drained(ids[0]))
        #expect(script.readBytes(ids[0]).isEmpty)
        // On a new connection they are not behind any more.
        script.feed(.backedUp(ids[0]))
        script.type("move", ids[1])
        script.drop(ids[0])
        #expect(script.sentBehindClose == 0)
    }

    @Test func `turns are told to all, however much they have to read`() {
        var script = ServerScript()
        let ids = script.begunRace()
        script.feed(.backedUp(ids[1]))
        script.type("move", ids[0])
        #expect(script.readVerbs(ids[1]) == ["moved", "turn"])
    }

    @Test func `a wish for a rematch can be taken back five times`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob", "cid"], "rule=dash finish=1")
        script.type("move", ids[0])
        script.skip(ids[0], ids[1])
        for _ in 0..<Limits.rematchesTakenBack {
            #expect(script.ask("rematch", ids[0]).errorCode == nil)
            #expect(script.ask("cancel", ids[0]).line("stopped") == "stopped what=rematch")
        }
        script.type("rematch", ids[0])
        script.skip(ids[0], ids[1])
        #expect(
            script.ask("cancel", ids[0]).line("error")
                == "error re=cancel code=slow-down text=\"you took back 5 wishes for a rematch: leave, if you "
                + "don't want one\"")
        for _ in 0..<100 { script.type("rematch\ncancel", ids[0]) }
        #expect(script.read(ids[1]).isEmpty)
        // In the next match they have all of them again.
        script.type("rematch", ids[1])
        script.type("rematch", ids[2])
        for (index, id) in ids.enumerated() { script.type("number \(9 - index)", id) }
        script.type("begin\nmove\nrematch", ids[0])
        script.skip(ids[0])
        #expect(script.ask("cancel", ids[0]).line("stopped") != nil)
    }

    @Test func `who comes and goes too often is kept waiting, and the others are left alone`() {
        var script = ServerScript()
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        for id in [ann, bob] { script.type("play\nnumber \(9 - id.slot)", id) }
        script.type("begin", ann)
        script.skip(ann, bob)
        script.drop(ann)
        for _ in 0..<Limits.returns.burst {
            let back = script.rejoin("ann", key, auto: false)
            #expect(script.read(back).line("snapshot") != nil)
            script.drop(back)
        }
        script.skip(bob)
        let over = script.rejoin("ann", key, auto: false)
        #expect(
            script.read(over)
                == ["error re=name code=slow-down text=\"you come and go too often: come back in 1 s\""])
        #expect(script.readBytes(bob).isEmpty)
        script.pass(seconds: 1)
        #expect(script.ask("name ann \(key)", over).line("snapshot") != nil)
    }

    @Test func `nobody is closed for what others type in a race, at the budgets there are`() {
        for line in [
            "move", "rematch\ncancel", "number", "begin", "why", "watch 1", "invite bob", "play\ncancel",
        ] {
            for rule in ["rule=turns", "rule=dash"] {
                var script = ServerScript()
                let ids = script.begunRace(["ann", "bob"], "\(rule) finish=4000")
                var told = 0
                for _ in 0..<5000 where !script.isClosed.contains(ids[0]) {
                    script.type(line, ids[0])
                    script.skip(ids[0])
                    let bytes = script.readBytes(ids[1]).count
                    told += bytes
                    // As the loop does it: so much is unread that the rest waits.
                    if told > Limits.backedUpBytes { script.feed(.backedUp(ids[1])) }
                }
                #expect(told <= Limits.backedUpBytes + 4096, "\(line) \(rule): \(told) bytes")
                #expect(!script.isClosed.contains(ids[1]))
            }
        }
    }
}

extension [String] {
    fileprivate var readFirstWords: [String] { self.map { String($0.prefix { $0 != " " }) } }
}
