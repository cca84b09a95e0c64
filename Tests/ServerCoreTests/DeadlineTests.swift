import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Every wait has a culprit, a deadline and an action, and `why` tells all three.
struct DeadlineTests {
    @Test func `when player 1 does not begin, the server does`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        script.type("number 2", ids[0])
        script.type("number 1", ids[1])
        script.skip(ids[0], ids[1])
        script.pass(seconds: 5)
        #expect(
            script.ask("why", ids[1]) == [
                "waiting for=ann what=begin since=5 left=10 then=\"the server begins the race\""
            ])
        script.pass(seconds: 9.999)
        #expect(script.read(ids[0]) == [])
        script.pass(seconds: 0.001)
        #expect(
            script.read(ids[0]) == [
                "begin seconds=20", "turn seq=1 turn=1 player=1 alias=ann seconds=20",
            ])
    }

    @Test func `the first missed turn is rolled by the server, the second in a row forfeits`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob", "cat"], "finish=1000")
        script.pass(seconds: 4)
        #expect(
            script.ask("why", ids[1]) == [
                "waiting for=ann what=move since=4 left=16 then=\"the server rolls for ann\""
            ])
        script.pass(seconds: 16)
        let rolled = script.read(ids[1])
        #expect(
            rolled[0].hasPrefix("moved seq=2 turn=1 player=1 alias=ann") && rolled[0].hasSuffix("auto=yes"))
        script.type("move", ids[1])
        script.type("move", ids[2])
        script.skip(ids[1])
        #expect(script.ask("why", ids[1]).first?.value("then") == "ann forfeits")
        script.pass(seconds: 20)
        let lines = script.read(ids[1])
        #expect(lines[0] == "forfeit seq=8 player=1 alias=ann reason=missed-turns")
        #expect(lines[1] == "turn seq=9 turn=5 player=2 alias=bob seconds=20")
        #expect(script.ask("move", ids[0]).errorCode == "out-of-race")
    }

    @Test func `a turn that was made clears the missed one before it`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1000")
        for _ in 0..<5 {
            script.pass(seconds: 20)
            script.type("move", ids[1])
            script.type("move", ids[0])
            script.type("move", ids[1])
        }
        #expect(script.read(ids[0]).line("forfeit") == nil)
    }

    @Test func `two silent players in one round: the race goes on and the last one wins`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob", "cat", "dan"], "finish=1000")
        script.skip(ids[3])
        for _ in 0..<3 {
            script.pass(seconds: 40)
            script.type("move", ids[2])
            script.type("move", ids[3])
        }
        let lines = script.read(ids[3])
        #expect(lines.lines("forfeit").map { $0.value("alias") } == ["ann", "bob"])
        #expect(lines.line("over") == nil)
        script.drop(ids[2])
        script.pass(seconds: 30)
        #expect(script.read(ids[3]).line("over")?.value("winner") == "4")
    }

    @Test func `a move and the end of its turn at the same moment count once, whichever comes first`() {
        for isMoveFirst in [true, false] {
            for offset in -2...2 {
                var script = ServerScript()
                let ids = script.begunRace(["ann", "bob"], "finish=1000")
                script.now = Instant(nanoseconds: 20_000_000_000 + Int64(offset) * 1_000_000)
                let events: [Bool] = isMoveFirst ? [true, false] : [false, true]
                for isMove in events {
                    if isMove { script.type("move 1", ids[0]) } else { script.feed(.deadlinePassed) }
                }
                let both = [script.read(ids[0]), script.read(ids[1])]
                for lines in both {
                    let moves = lines.lines("moved").filter { $0.value("turn") == "1" }
                    #expect(moves.count == 1)
                }
                #expect(both[0].lines("moved") == both[1].lines("moved"))
            }
        }
    }

    @Test func `several moves in one write are one move, and a repeated one is not played twice`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1000")
        let lines = script.ask("move\nmove\nmove\nmove\nmove", ids[0])
        #expect(lines.lines("moved").count == 1)
        #expect(
            lines.lines("error").map { $0.value("code") } == [String](repeating: "not-your-turn", count: 4))
        #expect(lines.line("error")?.value("text") == "it is bob's turn")
        let stale = script.ask("move 1", ids[0])
        #expect(stale.line("error")?.value("code") == "stale-turn")
        #expect(stale.line("error")?.value("text") == "turn 2 is open, and it is bob's")
        script.skip(ids[1])
        #expect(
            script.ask("move 2\nmove 2", ids[1]).map { $0.prefix { $0 != " " } } == [
                "moved", "turn", "error",
            ])
    }

    @Test func `dash: a minute without a move and the leader wins; nobody moved, nobody wins`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "rule=dash")
        #expect(script.ask("why", ids[0]).first?.value("then") == "the race ends without a result")
        script.type("move\nmove", ids[1])
        script.type("move\nmove", ids[0])
        #expect(script.ask("why", ids[0]).last?.value("then") == "bob wins")
        script.pass(seconds: 59.999)
        #expect(script.read(ids[1]).line("over") == nil)
        script.pass(seconds: 0.001)
        let over = script.read(ids[1]).line("over")
        #expect(over?.value("winner") == "2" && over?.value("reason") == "idle")
        #expect(over?.value("player1won") == "no")

        var still = ServerScript()
        let pair = still.begunRace(["ann", "bob"], "rule=dash")
        still.pass(seconds: 60)
        let none = still.read(pair[0]).line("over")
        #expect(none?.value("winner") == nil && none?.value("reason") == "no-moves")
    }

    @Test func `dash: player 1 past the cat wins, and everybody is told so`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "rule=dash finish=3")
        script.type("move", ids[1])
        script.type("move\nmove\nmove\nmove", ids[0])
        for id in ids {
            let lines = script.read(id)
            #expect(lines.line("over")?.value("player1won") == "yes")
            #expect(lines.lines("place").map { $0.value("at") } == ["3", "1"])
        }
    }

    @Test func `after the race the match is closed when nobody wants another`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        script.type("move", ids[0])
        script.skip(ids[0], ids[1])
        script.pass(seconds: 10)
        #expect(
            script.ask("why", ids[1]) == [
                "waiting for=ann,bob what=rematch since=10 left=20 then=\"the match is closed\""
            ])
        script.pass(seconds: 20)
        #expect(script.read(ids[0]) == ["stopped what=match"])
        #expect(script.isEmpty(connections: 2, players: 2))
    }

    @Test func `from every state the deadlines alone lead to the end`() {
        for rule in ["turns", "dash"] {
            for typed in 0...3 {
                var script = ServerScript()
                let ids = script.race(["ann", "bob", "cat"], "rule=\(rule)", auto: false)
                if typed > 0 { for (id, n) in zip(ids, [3, 2, 1]) { script.type("number \(n)", id) } }
                if typed > 1 { script.type("begin", ids[0]) }
                if typed > 2 { script.type("move", ids[0]) }
                script.pass(seconds: 1000)
                #expect(script.isEmpty(connections: 3, players: 3))
                #expect(script.server.nextDeadline == nil)
            }
        }
    }

    @Test func `however short turns are, a bot is never late for one`() {
        var deadlines = Deadlines()
        deadlines.turn = .seconds(1)
        var script = ServerScript(deadlines: deadlines)
        let ann = script.join("ann")
        script.type("play 8 bots=7 finish=200", ann)
        script.pass(seconds: 60)
        let moves = script.read(ann).lines("moved").filter { $0.value("alias")?.hasPrefix("bot-") == true }
        #expect(moves.count > 60)
        #expect(moves.allSatisfy { $0.value("auto") == "no" })
    }
}
