import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Once more with the same players.
struct RematchTests {
    private static func finished(_ names: [String] = ["ann", "bob"], _ options: String = "") -> (
        ServerScript, [ConnectionID]
    ) {
        var script = ServerScript()
        let ids = script.begunRace(names, "finish=1 \(options)")
        script.type("move", ids[0])
        for id in ids { script.skip(id) }
        return (script, ids)
    }

    @Test func `when all want one, they get a new match with the same settings and a new seal`() {
        var script = ServerScript()
        let ids = [script.join("ann", auto: false), script.join("bob", auto: false)]
        for id in ids { script.type("play finish=1 draw=sealed rule=dash", id) }
        let first = script.read(ids[0]).line("found")
        for id in ids { script.type("number 1", id) }
        for id in ids { script.type("begin", id) }
        script.type("move", ids[0])
        script.skip(ids[0], ids[1])
        #expect(script.ask("rematch", ids[0]).last?.value("agreed") == "1")
        #expect(script.ask("rematch", ids[0]).errorCode == "already-agreed")
        let lines = script.ask("rematch", ids[1])
        let second = lines.line("found")
        #expect(second?.value("match") == "2")
        #expect(second?.value("draw") == "sealed" && second?.value("rule") == "dash")
        #expect(second?.value("finish") == "1")
        #expect(second?.value("seal") != first?.value("seal"))
        #expect(lines.line("stopped") == nil)
        #expect(script.server.census.matches == 1)
    }

    @Test func `a bot wants what people want`() {
        var script = ServerScript()
        let ann = script.join("ann")
        script.type("play bots=2 finish=1", ann)
        script.pass(seconds: 5)
        script.type("move", ann)
        script.pass(seconds: 5)
        #expect(script.read(ann).line("over") != nil)
        let lines = script.ask("rematch", ann)
        #expect(lines.line("found")?.value("match") == "2")
        #expect(lines.lines("seat").filter { $0.value("player") == "0" }.count == 2)
    }

    @Test func `those who stay race again without the one who left`() {
        var (script, ids) = Self.finished(["ann", "bob", "cat"])
        script.type("rematch", ids[0])
        script.type("rematch", ids[1])
        script.skip(ids[0])
        script.type("leave", ids[2])
        let lines = script.read(ids[0])
        #expect(lines.first?.value("wants") == "no")
        #expect(lines.lines("seat").map { $0.value("alias") } == ["ann", "bob"])
        #expect(script.read(ids[2]).last == "stopped what=match")
    }

    @Test func `cancel takes the wish back, and it can be had again`() {
        var (script, ids) = Self.finished()
        script.type("rematch", ids[0])
        #expect(script.ask("cancel", ids[0]).last == "stopped what=rematch")
        #expect(script.read(ids[1]).last?.value("wants") == "no")
        #expect(script.ask("cancel", ids[0]).errorCode == "not-queued")
        #expect(script.ask("rematch", ids[1]).line("found") == nil)
        #expect(script.ask("rematch", ids[0]).line("found") != nil)
    }

    @Test func `a wish dies with the match's time`() {
        var (script, ids) = Self.finished()
        script.type("rematch", ids[0])
        script.pass(seconds: 30)
        #expect(script.read(ids[1]).last == "stopped what=match")
        #expect(script.ask("rematch", ids[1]).errorCode == "not-in-match")
        script.pass(seconds: 600)
        #expect(script.ask("rematch", ids[0]).errorCode == "not-in-match")
    }

    @Test func `looking for someone else withdraws the wish, and the other is told`() {
        var (script, ids) = Self.finished()
        script.type("rematch", ids[0])
        script.skip(ids[0], ids[1])
        #expect(
            script.ask("play", ids[0]).map { $0.prefix { $0 != " " } }.suffix(2) == ["stopped", "queued"])
        #expect(
            script.read(ids[1]) == [
                "rematch player=1 alias=ann wants=no agreed=0 of=1", "stopped what=match",
            ])
        #expect(script.ask("rematch", ids[1]).errorCode == "not-in-match")
    }

    @Test func `a request that is refused does not leave the finished match`() {
        for line in [
            "play 9", "play 2 bots=2", "join BABA-BABA-BA", "join x", "invite ann", "invite nobody",
            "accept 9",
        ] {
            var (script, ids) = Self.finished()
            script.type("rematch", ids[0])
            script.skip(ids[0], ids[1])
            script.type(line, ids[0])
            #expect(script.read(ids[1]) == [], "\(line)")
            #expect(script.ask("rematch", ids[1]).line("found") != nil, "\(line)")
        }
    }

    @Test func `a player whose seat is held may still be waited for, and come back to agree`() {
        var script = ServerScript()
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        for id in [ann, bob] { script.type("play finish=1", id) }
        script.type("number 2", ann)
        script.type("number 1", bob)
        script.type("begin\nmove", ann)
        script.type("rematch", bob)
        script.drop(ann)
        script.skip(bob)
        #expect(script.server.census.matches == 1)
        let back = script.rejoin("ann", key, auto: false)
        #expect(script.read(back).line("over") != nil)
        #expect(script.ask("rematch", back).line("found")?.value("match") == "2")
    }

    @Test func `who agreed and then dropped has a held seat in the rematch, and the other is told with it`() {
        var script = ServerScript()
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        for id in [ann, bob] { script.type("play finish=1", id) }
        script.type("number 2", ann)
        script.type("number 1", bob)
        script.type("begin\nmove\nrematch", ann)
        script.drop(ann)
        script.skip(bob)
        let verbs = script.ask("rematch", bob).map { String($0.prefix { $0 != " " }) }
        #expect(verbs == ["rematch", "found", "seat", "seat", "gone"])
        let back = script.rejoin("ann", key, auto: false)
        #expect(script.read(back).line("snapshot")?.value("match") == "2")
    }

    @Test func `a seat that is gone for good is left out`() {
        var deadlines = Deadlines()
        deadlines.grace = .seconds(10)
        var script = ServerScript(deadlines: deadlines)
        let ids = script.begunRace(["ann", "bob", "cat"], "finish=1")
        script.type("move", ids[0])
        script.type("rematch", ids[0])
        script.type("rematch", ids[1])
        script.drop(ids[2])
        script.skip(ids[0], ids[1])
        script.pass(seconds: 9.999)
        #expect(script.read(ids[0]).line("found") == nil)
        script.pass(seconds: 0.001)
        for id in ids.prefix(2) {
            #expect(script.read(id).lines("seat").map { $0.value("alias") } == ["ann", "bob"])
        }
        #expect(script.server.census.players == 2 && script.server.census.matches == 1)
    }

    @Test func `spectators are carried along and told of the new match`() {
        var (script, ids) = Self.finished()
        let eve = script.join("eve")
        script.type("watch 1", eve)
        script.skip(eve)
        script.type("rematch", ids[0])
        script.type("rematch", ids[1])
        let lines = script.read(eve)
        #expect(lines.line("found")?.value("match") == "2")
        #expect(lines.line("found")?.value("seat") == nil)
        #expect(lines.line("stopped") == nil)
        script.type("number 2", ids[0])
        script.type("number 1", ids[1])
        script.type("begin\nmove", ids[0])
        let race = script.read(eve)
        let over = race.line("over")
        #expect(RecordOfLines(lines + race).digest == over?.value("digest"))
    }

    @Test func `an accepted invite goes before a rematch, and starts no other race by the way`() {
        var (script, ids) = Self.finished(["ann", "bob", "cat"])
        let invite = script.ask("invite bob", ids[0])
        #expect(invite.line("error") == nil)
        let id = script.read(ids[1]).line("invited")?.value("id") ?? ""
        script.type("rematch", ids[1])
        script.type("rematch", ids[2])
        script.skip(ids[0], ids[1], ids[2])
        script.type("accept \(id)", ids[1])
        #expect(script.read(ids[1]).lines("seat").map { $0.value("alias") } == ["ann", "bob"])
        #expect(script.read(ids[2]).last == "stopped what=match")
        #expect(script.server.census.matches == 1)
    }
}
