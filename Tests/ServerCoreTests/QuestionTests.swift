import RaceModel
import Records
import ServerCore
import Testing
import WireProtocol

/// What the store is asked for on behalf of a peer: `top`, `player`, `replay`, and `who` with a prefix.
struct QuestionTests {
    /// Ann has won against Bob.
    private static func season(_ script: inout ServerScript) -> (ann: ConnectionID, bob: ConnectionID) {
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        script.type("move", ids[0])
        script.skip(ids[0], ids[1])
        return (ids[0], ids[1])
    }

    @Test func `a leaderboard shows the players, and your own rank`() {
        var script = ServerScript()
        let (ann, bob) = Self.season(&script)
        let entries = ["rank n=1 id=1 alias=ann wins=1 races=1", "rank n=2 id=2 alias=bob wins=0 races=1"]
        #expect(script.ask("top", ann) == ["top rule=turns page=1 of=1 count=2 own=1"] + entries)
        #expect(script.ask("top rule=turns", bob) == ["top rule=turns page=1 of=1 count=2 own=2"] + entries)
        #expect(script.ask("top rule=dash", ann) == ["top rule=dash page=1 of=1 count=0"])
        #expect(script.ask("top page=9", ann) == ["top rule=turns page=9 of=1 count=0 own=1"])
        let stranger = script.connect()
        script.type("set notes off", stranger)
        script.skip(stranger)
        #expect(script.ask("top", stranger) == ["top rule=turns page=1 of=1 count=2"] + entries)
    }

    @Test func `a player has a history under any spelling of the alias`() {
        var script = ServerScript()
        let (ann, _) = Self.season(&script)
        #expect(
            script.ask("player BOB", ann) == [
                "history id=2 alias=bob count=2",
                "standing rule=turns races=1 wins=0 forfeits=0 best=0 rank=2",
                "standing rule=dash races=0 wins=0 forfeits=0 best=0",
            ])
        for name in ["eve", "player-1", "\"no alias\""] {
            #expect(script.ask("player \(name)", ann).errorCode == "no-such-player", "\(name)")
        }
    }

    @Test func `the record of a race can be read by anybody, once it is over`() throws {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        let eve = script.join("eve")
        #expect(script.ask("replay 1", eve).errorCode == "wrong-state")
        script.type("move", ids[0])
        for _ in 0..<2 {
            let lines = script.ask("replay 1", eve)
            let record = lines.dropFirst().map { String($0.dropFirst(2)) + "\n" }.joined()
            #expect(lines.first == "record match=1 page=1 of=1 lines=\(lines.count - 1)")
            #expect(try MatchRecord(text: Array(record.utf8)) == script.keptRecords[0])
        }
        #expect(script.ask("replay 1 page=2", eve) == ["record match=1 page=2 of=1 lines=0"])
        #expect(script.ask("replay 2", eve).errorCode == "no-such-match")
        #expect(script.ask("replay 18446744073709551615", eve).errorCode == "no-such-match")
    }

    @Test func `a long record comes in pages that join to the whole`() throws {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=400")
        _ = script.playOut(ids)
        let eve = script.join("eve")
        var text = ""
        var (page, pages) = (1, 1)
        while page <= pages {
            let lines = script.ask("replay 1 page=\(page)", eve)
            pages = try #require(lines.first?.value("of").flatMap { Int($0) })
            text += lines.dropFirst().map { $0.dropFirst(2) + "\n" }.joined()
            page += 1
        }
        #expect(pages > 2)
        #expect(try MatchRecord(text: Array(text.utf8)) == script.keptRecords[0])
        let asked = script.resultRequests.count { if case .record = $0 { true } else { false } }
        #expect(asked == 1, "its pages need the store once")
    }

    @Test func `a cancelled match has no record`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        script.type("leave", ids[0])
        script.skip(ids[0])
        #expect(script.ask("replay 1", ids[0]).errorCode == "no-such-match")
    }

    @Test func `who with a prefix finds those who are away, too`() {
        var script = ServerScript()
        let anna = script.join("Anna")
        _ = script.join("Anton")
        let away = script.join("an")
        script.type("quit", away)
        _ = script.join("bea")
        script.skip(anna)
        script.pass(seconds: 3)
        #expect(
            script.ask("who AN", anna) == [
                "players page=1 of=1 count=3", "player id=3 alias=an state=offline idle=0",
                "player id=1 alias=Anna state=idle idle=0", "player id=2 alias=Anton state=idle idle=3",
            ])
        #expect(script.ask("who", anna).lines("player").count == 3)
    }

    @Test func `of very many names five pages are shown`() {
        var script = ServerScript()
        for index in 0..<105 { script.type("quit", script.join("cat\(index)x")) }
        let ann = script.join("ann")
        #expect(script.ask("who cat page=5", ann).first == "players page=5 of=5 count=20")
        #expect(script.ask("who cat page=6", ann) == ["players page=6 of=5 count=0"])
    }

    @Test func `answers come in the order of asking, whatever the store answers first`() {
        var script = ServerScript()
        let (ann, _) = Self.season(&script)
        script.isStoreHeld = true
        for line in ["top", "player eve", "who b", "who", "replay 1", "player \"no alias\"", "top rule=dash"]
        {
            script.type(line, ann)
        }
        #expect(script.read(ann) == [])
        #expect(script.server.census.lookUps == 5)
        while !script.heldAnswers.isEmpty { script.releaseOneAnswer(last: true) }
        let heads = script.readVerbs(ann).filter { ["top", "error", "players", "record"].contains($0) }
        #expect(heads == ["top", "error", "players", "players", "record", "error", "top"])
        #expect(script.server.census.lookUps == 0)
        #expect(script.ask("ping 1", ann) == ["pong value=1"])
    }

    @Test func `a move does not wait for a question`() {
        var script = ServerScript()
        let ids = script.begunRace()
        script.isStoreHeld = true
        script.type("top\nwho b\nmove", ids[0])
        #expect(script.readVerbs(ids[0]) == ["moved", "turn"])
    }

    @Test func `sixty-four questions wait for the store, more wait in line, and all are answered`() {
        var script = ServerScript()
        let ann = script.join("ann")
        script.isStoreHeld = true
        for _ in 0..<100 { script.type("player ann", ann) }
        #expect(script.server.census.lookUps == Limits.pendingStoreRequests)
        while !script.heldAnswers.isEmpty { script.releaseOneAnswer() }
        #expect(script.read(ann).lines("history").count == 100)
        #expect(script.server.census.lookUps == 0 && !script.paused.contains(ann))
    }

    @Test func `when the store is down each question gets its error`() {
        var script = ServerScript()
        let ann = script.join("ann")
        script.isStoreDown = true
        for line in ["top", "player ann", "replay 1", "who a"] {
            let lines = script.ask(line, ann)
            #expect(lines.count == 1 && lines.errorCode == "unavailable", "\(line)")
        }
        script.isStoreDown = false
        #expect(script.ask("who a", ann).lines("player").count == 1)
    }

    @Test func `an answer for a peer that is gone reaches nobody else`() {
        var script = ServerScript()
        let ann = script.join("ann")
        script.isStoreHeld = true
        script.type("top\nwho a\nreplay 4", ann)
        script.drop(ann)
        let next = script.reconnect(inPlaceOf: ann)
        script.releaseStore()
        #expect(script.readBytes(next) == [])
        #expect(script.isEmpty(connections: 1))
    }

    @Test func `a half-closed peer gets its answers before the goodbye`() {
        var script = ServerScript()
        let ann = script.join("ann")
        script.isStoreHeld = true
        script.type("top\nplayer ann", ann)
        script.endInput(ann)
        #expect(script.read(ann) == [])
        script.releaseStore()
        #expect(script.readVerbs(ann) == ["top", "history", "standing", "standing", "bye"])
    }
}
