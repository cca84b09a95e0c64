import Lobby
import RaceModel
import Records
import ServerCore
import Store
import Testing
import WireProtocol

/// Told means kept: nobody reads how a race ended before its result is kept, or before they are told that it is not.
struct KeepingTests {
    /// Ann and Bob before the move that wins, Wim watches.
    private static func lastMove(_ script: inout ServerScript) -> (
        ann: ConnectionID, bob: ConnectionID, wim: ConnectionID
    ) {
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        let wim = script.join("wim")
        script.type("watch 1", wim)
        script.skip(wim)
        return (ids[0], ids[1], wim)
    }

    @Test func `the last move is told at once, and over when the result is kept`() {
        var script = ServerScript()
        let (ann, bob, wim) = Self.lastMove(&script)
        script.isStoreHeld = true
        script.type("move", ann)
        for id in [ann, bob, wim] { #expect(script.readVerbs(id) == ["moved"]) }
        #expect(script.server.census.results == 1)
        // What they ask meanwhile is answered behind it.
        script.type("ping 7", bob)
        #expect(script.read(bob) == [])
        script.releaseStore()
        #expect(script.readVerbs(ann) == ["over", "place", "place"])
        #expect(script.readVerbs(bob) == ["over", "place", "place", "pong"])
        #expect(script.readVerbs(wim) == ["over", "place", "place"])
        #expect(script.server.census.results == 0)
        #expect(script.ask("ping 8", bob) == ["pong value=8"])
    }

    /// Who is spared the steps gets a snapshot in their place, and that of a match that is done tells its end.
    @Test(arguments: ["move", "leave"])
    func `who is behind in a dash is not told ahead either`(last: String) {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "rule=dash finish=10")
        script.feed(.backedUp(ids[0]))
        script.isStoreHeld = true
        for _ in 1...9 { script.type("move", ids[1]) }
        script.type(last, ids[1])
        #expect(script.server.census.results == 1)
        #expect(script.read(ids[0]) == [])
        script.feed(.drained(ids[0]))
        #expect(script.read(ids[0]) == [])
        script.releaseStore()
        let lines = script.read(ids[0])
        #expect(lines.lines("over").count == 1 && lines.lines("snapshot").count == 1, "\(lines)")
        #expect(lines.first?.value("state") == "done")
        #expect(lines.line("over")?.value("reason") == (last == "move" ? "finish" : "forfeit"), "\(lines)")
    }

    @Test func `what is kept is the record that a spectator has read`() throws {
        var script = ServerScript()
        let (ann, _, wim) = Self.lastMove(&script)
        script.type("move", ann)
        let lines = script.read(wim)
        let record = try #require(script.keptRecords.first)
        #expect(script.keptRecords.count == 1)
        #expect(record.workedOutDigest == record.over.digest)
        let text = try #require(record.text)
        #expect(
            String(decoding: text, as: UTF8.self).split(separator: "\n").suffix(4).map(String.init) == lines)
        #expect(try MatchRecord(text: text) == record)
    }

    @Test(arguments: [ResultAnswer.delayed, .lost])
    func `a result that can't be kept is told at once, behind a warning`(_ answer: ResultAnswer) {
        var script = ServerScript()
        let (ann, bob, wim) = Self.lastMove(&script)
        script.answerToKeep = answer
        script.type("move", ann)
        for id in [ann, bob, wim] {
            let lines = script.read(id)
            #expect(
                lines.map { $0.split(separator: " ")[0] } == ["moved", "notice", "over", "place", "place"])
            #expect(lines.line("notice")?.value("code") == "not-kept")
            #expect(lines.line("notice")?.value("text")?.contains("match 1 ") ?? false)
        }
        script.answerToKeep = .kept
        script.keepDelayed()
        let news = script.read(bob)
        if answer == .delayed {
            #expect(news == ["notice code=kept seconds=0 text=\"the result of match 1 is kept\""])
        } else {
            #expect(news == [])
        }
        #expect(script.server.census.results == 0)
    }

    @Test func `a store that says nothing is waited for a second, and no more`() {
        var script = ServerScript()
        let (ann, bob, _) = Self.lastMove(&script)
        script.answerToKeep = nil
        script.type("move", ann)
        script.pass(seconds: 0.99)
        #expect(script.readVerbs(bob) == ["moved"])
        script.pass(seconds: 0.01)
        #expect(script.readVerbs(bob) == ["notice", "over", "place", "place"])
        script.keepDelayed()
        #expect(script.read(bob).line("notice")?.value("code") == "kept")
        #expect(script.server.census.results == 0)
    }

    @Test func `while the store is behind nobody waits, and once it has caught up all wait again`() {
        var script = ServerScript()
        let (ann, bob, _) = Self.lastMove(&script)
        script.answerToKeep = .delayed
        script.type("move", ann)
        script.skip(ann, bob)
        // The next race: the store has not even answered, but is known to be behind.
        script.answerToKeep = nil
        Self.raceAgain(&script, ann, bob)
        #expect(script.readVerbs(bob).suffix(4) == ["notice", "over", "place", "place"])
        script.answerToKeep = .kept
        script.keepDelayed()
        #expect(script.read(bob).lines("notice").map { $0.value("code") } == ["kept", "kept"])
        script.isStoreHeld = true
        Self.raceAgain(&script, ann, bob)
        #expect(script.read(bob).line("over") == nil)
        script.releaseStore()
        let lines = script.read(bob)
        #expect(lines.line("over") != nil && lines.line("notice") == nil)
    }

    /// A whole rematch, up to the move that wins.
    private static func raceAgain(_ script: inout ServerScript, _ ann: ConnectionID, _ bob: ConnectionID) {
        for id in [ann, bob] { script.type("rematch", id) }
        script.type("number 2", ann)
        script.type("number 1", bob)
        script.skip(ann, bob)
        script.type("begin\nmove", ann)
    }

    @Test func `who leaves or quits with the race is told how it ended, once it is kept`() {
        for verb in ["leave", "quit"] {
            var script = ServerScript()
            let (ann, bob, _) = Self.lastMove(&script)
            script.isStoreHeld = true
            script.type(verb, ann)
            #expect(script.readVerbs(ann) == ["forfeit"])
            #expect(script.readVerbs(bob) == ["forfeit"])
            script.releaseStore()
            #expect(
                script.readVerbs(ann)
                    == ["over", "place", "place"] + (verb == "leave" ? ["stopped"] : ["stopped", "bye"]))
            #expect(script.readVerbs(bob).prefix(3) == ["over", "place", "place"])
            #expect(script.keptRecords.count == 1 && script.sentBehindClose == 0)
            #expect(script.isClosed.contains(ann) == (verb == "quit"))
        }
    }

    @Test func `who quits and can't be told that it is kept is warned before the end`() {
        var script = ServerScript()
        let (ann, _, _) = Self.lastMove(&script)
        script.answerToKeep = nil
        script.type("quit", ann)
        script.pass(seconds: 1)
        #expect(script.readVerbs(ann) == ["forfeit", "notice", "over", "place", "place", "stopped", "bye"])
        script.keepDelayed()
        #expect(script.read(ann) == [] && script.sentBehindClose == 0)
    }

    @Test func `who comes back meanwhile waits too, from whatever they missed on`() {
        for seq: UInt32 in [0, 1] {
            var script = ServerScript()
            let (ann, key) = script.joinKeepingKey("ann", auto: false)
            let bob = script.join("bob", auto: false)
            for id in [ann, bob] { script.type("play finish=1", id) }
            script.type("number 2", ann)
            script.type("number 1", bob)
            script.type("begin", ann)
            script.skip(ann, bob)
            script.isStoreHeld = true
            script.type("move", ann)
            script.drop(ann)
            let back = script.rejoin("ann", key, seq: seq, auto: false)
            // The hello is answered, the result not yet.
            script.releaseOneAnswer(last: true)
            let first = script.read(back)
            #expect(
                first.line("welcome") != nil && first.line("over") == nil && first.line("snapshot") == nil)
            script.releaseStore()
            #expect(script.read(back).line("over") != nil)
        }
    }

    @Test func `who comes to a result that is late is warned, and hears when it is kept`() {
        var script = ServerScript()
        let (ann, _, _) = Self.lastMove(&script)
        script.answerToKeep = .delayed
        script.type("move", ann)
        let eve = script.join("eve")
        #expect(
            Array(script.ask("watch 1", eve).map { $0.split(separator: " ")[0] }.prefix(2)) == [
                "notice", "snapshot",
            ])
        // Once is enough.
        #expect(script.ask("watch 1", eve).line("notice") == nil)
        script.keepDelayed()
        #expect(script.read(eve).line("notice")?.value("code") == "kept")
    }

    @Test func `who comes to a result that is lost is told so`() {
        var script = ServerScript()
        let (ann, _, _) = Self.lastMove(&script)
        script.answerToKeep = .lost
        script.type("move", ann)
        let lines = script.ask("watch 1", script.join("eve"))
        #expect(
            lines.first == "notice code=not-kept seconds=0 text=\"the result of match 1 will not be kept\"")
        #expect(lines.line("snapshot") != nil && script.server.census.results == 0)
    }

    @Test func `a third party learns nothing of a result on its way`() {
        var script = ServerScript()
        let eve = script.join("eve")
        let (ann, _, _) = Self.lastMove(&script)
        script.answerToKeep = nil
        script.type("move", ann)
        #expect(script.ask("watch 1", eve) == [])
        let fay = script.join("fay")
        #expect(script.ask("matches", fay).lines("match").map { $0.value("state") } == ["done"])
        #expect(script.ask("replay 1", fay).errorCode == "unavailable")
        #expect(script.ask("top", fay) == ["top rule=turns page=1 of=1 count=0"])
        #expect(script.ask("player ann", fay).line("standing")?.value("races") == "0")
        script.answerToKeep = .kept
        script.keepDelayed()
        #expect(script.read(eve).line("snapshot") != nil)
        #expect(script.ask("player ann", fay).line("standing")?.value("wins") == "1")
    }

    @Test func `a rematch can begin while the result is on its way`() {
        var script = ServerScript()
        let (ann, bob, wim) = Self.lastMove(&script)
        script.answerToKeep = nil
        script.type("move", ann)
        for id in [ann, bob] { script.type("rematch", id) }
        for id in [ann, bob, wim] { #expect(script.readVerbs(id) == ["moved"]) }
        script.answerToKeep = .kept
        script.keepDelayed()
        for id in [ann, bob, wim] {
            let verbs = script.readVerbs(id)
            #expect(verbs.prefix(3) == ["over", "place", "place"] && verbs.contains("found"), "\(verbs)")
        }
    }

    @Test func `every way a race can end leaves one result, a cancelled match none`() {
        var script = ServerScript()
        var ids = script.begunRace(["a1", "a2"], "finish=1")
        script.type("move", ids[0])
        ids = script.begunRace(["b1", "b2"])
        script.type("leave", ids[0])
        ids = script.begunRace(["c1", "c2"])
        script.drop(ids[0])
        script.drop(ids[1])
        ids = script.begunRace(["d1", "d2"], "rule=dash")
        ids = script.race(["e1", "e2"], auto: false)
        script.type("leave", ids[0])
        script.pass(seconds: 300)
        #expect(script.keptRecords.map(\.found.match.value).sorted() == [1, 2, 3, 4])
        #expect(
            script.keptRecords.map(\.over.outcome.reason).map { "\($0)" }.sorted() == [
                "abandoned", "finish", "forfeit", "noMoves",
            ])
        #expect(script.server.census.results == 0)
    }

    @Test func `the same tick can't end a race twice`() {
        // Both reset behind the winning move; the other's grace ends with everything else.
        var script = ServerScript()
        let (ann, bob, wim) = Self.lastMove(&script)
        script.isStoreHeld = true
        script.type("move", ann)
        script.type("move", ann)
        script.drop(ann)
        script.drop(bob)
        script.feed(.stop)
        script.releaseStore()
        script.pass(seconds: 100)
        #expect(script.keptRecords.map(\.found.match.value) == [1])
        #expect(script.readVerbs(wim).prefix(4) == ["moved", "over", "place", "place"])
    }

    @Test func `a server that stops tells what is kept before it closes, and warns otherwise`() {
        for isKept in [true, false] {
            var script = ServerScript()
            let (ann, bob, _) = Self.lastMove(&script)
            script.answerToKeep = nil
            script.type("move", ann)
            script.feed(.stop)
            #expect(script.readVerbs(bob) == ["moved"] && script.server.census.connections > 0)
            if isKept {
                script.answerToKeep = .kept
                script.keepDelayed()
            } else {
                script.pass(seconds: 1)
            }
            let expected = (isKept ? [] : ["notice"]) + ["over", "place", "place", "gone", "bye"]
            #expect(script.readVerbs(bob) == expected)
            #expect(script.server.census.connections == 0 && script.sentBehindClose == 0)
        }
    }

    @Test func `a race that stopped without a result gets none while the server ends`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        script.feed(.stop)
        script.skip(ids[0], ids[1])
        script.pass(seconds: 60)
        #expect(script.keptRecords == [])
    }

    @Test func `results that nobody answers for are forgotten beyond their limit`() {
        var script = ServerScript()
        script.keepsLogs = false
        script.answerToKeep = nil
        let ids = script.begunRace(["ann", "bob"], "finish=1 rule=dash")
        script.type("move", ids[0])
        for _ in 0..<(Limits.pendingResults + 5) {
            Self.raceAgain(&script, ids[0], ids[1])
            script.skip(ids[0], ids[1])
        }
        #expect(script.server.census.results == Limits.pendingResults)
    }

    @Test func `match ids are reserved before they are used, and given back at the end`() {
        var configuration = ServerConfiguration()
        configuration.firstMatch = MatchID(501)
        var script = ServerScript()
        script.server = RaceServer(configuration: configuration, entropy: SeededGenerator(seed: 1))
        let ids = script.begunRace(["ann", "bob"], "finish=1 rule=dash")
        #expect(script.reserved == [1500])
        for _ in 0..<600 {
            script.type("move", ids[0])
            #expect(script.reserved.last.map { $0 > script.lastMatch } ?? false)
            script.type("rematch", ids[0])
            script.type("rematch", ids[1])
            script.type("number 2", ids[0])
            script.type("number 1", ids[1])
            script.type("begin", ids[0])
            script.skip(ids[0], ids[1])
        }
        #expect(script.reserved == [1500, 2001])
        script.feed(.stop)
        #expect(script.reserved.last == 1101)
        #expect(script.store.firstMatch == MatchID(1102))
    }
}

extension ServerScript {
    var keptRecords: [MatchRecord] {
        self.resultRequests.compactMap { if case .keep(let record) = $0 { record } else { nil } }
    }

    fileprivate var reserved: [UInt64] {
        self.resultRequests.compactMap { if case .reserveMatches(let last) = $0 { last.value } else { nil } }
    }

    fileprivate var lastMatch: UInt64 { self.keptRecords.last?.found.match.value ?? 0 }
}
