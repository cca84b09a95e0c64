import RaceModel
import ServerCore
import Testing
import WireProtocol

/// `who`, `matches` and `why`.
struct ListTests {
    @Test func `players come in pages of twenty, from 1, and a page behind the last is empty`() {
        var script = ServerScript()
        let ids = (0..<45).map { script.join("p\($0)") }
        var seen: [String] = []
        for page in 1...3 {
            let lines = script.ask("who page=\(page)", ids[0])
            #expect(lines[0] == "players page=\(page) of=3 count=\(page < 3 ? 20 : 5)")
            seen += lines.lines("player").compactMap { $0.value("alias") }
        }
        #expect(seen == (0..<45).map { "p\($0)" })
        #expect(script.ask("who page=4", ids[0]) == ["players page=4 of=3 count=0"])
        #expect(script.ask("who page=65535", ids[0]) == ["players page=65535 of=3 count=0"])
        #expect(script.ask("who page=0", ids[0]).errorCode == "bad-value")
        #expect(script.ask("who P1", ids[0]).lines("player").count == 11)
        #expect(script.ask("who zz", ids[0]) == ["players page=1 of=1 count=0"])
    }

    @Test func `what each player does and how long they were silent`() {
        var script = ServerScript()
        let racers = script.begunRace(["ann", "bob"])
        let others = ["cat", "dan", "eve", "fay"].map { script.join($0) }
        script.type("play 5", others[0])
        script.type("host", others[1])
        script.type("watch 1", others[2])
        script.pass(seconds: 5)
        script.drop(racers[1])
        let lines = script.ask("who", others[3]).lines("player")
        #expect(
            lines.map { $0.value("state") } == [
                "racing", "gone", "queued", "hosting", "watching", "idle",
            ])
        #expect(lines.map { $0.value("idle") } == ["5", "5", "5", "5", "5", "0"])
    }

    @Test func `matches come with state, players and spectators, in pages`() {
        var script = ServerScript()
        for index in 0..<21 { _ = script.begunRace(["a\(index)", "b\(index)"]) }
        let eve = script.join("eve")
        script.type("watch 3", eve)
        script.skip(eve)
        let first = script.ask("matches", eve)
        #expect(first[0] == "matches page=1 of=2 count=20")
        #expect(first[3] == "match id=3 state=active rule=turns players=a2,b2 spectators=1")
        #expect(script.ask("matches page=2", eve).lines("match").count == 1)
        let id = script.connectBinary()
        script.send(.listMatches(page: 2), id)
        guard case .matches(let page, let entries)? = script.readMessages(id).first else {
            Issue.record("no matches")
            return
        }
        #expect(page == Page(number: 2, of: 2) && entries.map(\.match) == [MatchID(21)])
    }

    @Test func `why tells everybody in every situation whom they wait for`() {
        var script = ServerScript()
        let id = script.connect()
        script.pass(seconds: 10)
        #expect(script.ask("why", id).line("waiting")?.value("left") == "60")
        let ann = script.join("ann")
        #expect(
            script.ask("why", ann) == [
                "waiting for=you what=nothing since=0 then=\"nothing: play finds a race\""
            ])
        script.type("play 2-3", ann)
        script.skip(ann)
        #expect(
            script.ask("why", ann) == [
                "waiting for=anyone what=players since=0 then=\"the race starts once there are enough players\""
            ])
        let bob = script.join("bob")
        script.type("play 2-3", bob)
        script.skip(ann)
        script.pass(seconds: 4)
        #expect(
            script.ask("why", ann) == [
                "waiting for=anyone what=players since=4 left=6 then=\"the race starts with who is there\""
            ])
        let cat = script.join("cat")
        let code = script.ask("host", cat).line("code")?.value("value") ?? ""
        #expect(script.ask("why", cat).first?.value("then") == "the code \(code) expires")
        #expect(script.ask("why", cat).first?.value("left") == "600")
    }

    @Test func `why tells a spectator what the players wait for`() {
        var script = ServerScript()
        let ids = script.begunRace()
        let eve = script.join("eve")
        script.type("watch 1", eve)
        script.skip(eve)
        #expect(script.ask("why", eve) == script.ask("why", ids[0]))
    }
}
