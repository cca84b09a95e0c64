import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Spectators see what players see, and can do nothing else.
struct SpectatorTests {
    @Test func `a spectator gets a snapshot and then every event once, without a gap`() {
        for entry in 0...6 {
            var script = ServerScript()
            let ids = script.begunRace(["ann", "bob"], "finish=1000")
            let eve = script.join("eve")
            for move in 0..<12 {
                if move == entry { script.type("watch 1", eve) }
                script.type("move", ids[move % 2])
            }
            let lines = script.read(eve)
            let start = UInt32(lines.line("snapshot")?.value("seq") ?? "") ?? 0
            let sequence = lines.filter { !$0.hasPrefix("snapshot") }.compactMap {
                $0.value("seq").flatMap { UInt32($0) }
            }
            #expect(sequence == Array((start + 1)...(start + UInt32(sequence.count))))
            #expect(start == 1 + 2 * UInt32(entry))
            let player = script.read(ids[0]).filter {
                ($0.value("seq").flatMap { UInt32($0) } ?? 0) > start
            }
            // With the snapshot come the numbers that are out.
            #expect(lines.lines("number").map { $0.value("value") } == ["1000", "999"])
            let shown = ["snapshot", "runner", "number"]
            #expect(lines.filter { line in !shown.contains { line.hasPrefix($0) } } == player)
        }
    }

    @Test func `a spectator in binary sees the same events`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=5")
        let eve = script.joinBinary("eve")
        script.send(.watch(MatchID(1)), eve)
        _ = script.playOut(ids)
        let messages = script.readMessages(eve)
        guard case .snapshot(let snapshot) = messages.first else {
            Issue.record("no snapshot")
            return
        }
        #expect(snapshot.ownSeat == nil && snapshot.sequence == 1 && snapshot.onTurn == PlayerNumber(1))
        var sequence: [UInt32] = []
        for message in messages {
            switch message {
            case .moved(let moved): sequence.append(moved.sequence)
            case .turnStarted(let turn): sequence.append(turn.sequence)
            case .gameOver(let over): sequence.append(over.sequence)
            default: break
            }
        }
        #expect(sequence == Array(2..<(2 + UInt32(sequence.count))))
    }

    @Test func `whatever a spectator does, the players notice nothing`() {
        var script = ServerScript()
        let ids = script.begunRace()
        let before = script.ask("why\nmatches", ids[0])
        let watchers = (0..<10).map { script.join("w\($0)") }
        for (index, eve) in watchers.enumerated() {
            script.type("watch 1", eve)
            for line in ["number 5", "begin", "move", "leave", "rematch"] {
                script.skip(eve)
                #expect(script.ask(line, eve).errorCode == "read-only", "\(line)")
            }
            switch index % 4 {
            case 0: #expect(script.ask("unwatch", eve) == ["stopped what=watch"])
            case 1: script.drop(eve)
            case 2: script.type("quit", eve)
            default: script.type("play 5", eve)
            }
        }
        #expect(script.read(ids[1]) == [])
        let after = script.ask("why\nmatches", ids[0])
        #expect(after[0] == before[0])
        // Those who only look for a race go on watching until they race.
        #expect(after.line("match")?.value("spectators") == "2")
    }

    @Test func `the sixty-fifth spectator is refused, and keeps watching what they watched before`() {
        var script = ServerScript()
        _ = script.begunRace(["ann", "bob"])
        let second = script.begunRace(["cat", "dan"], "finish=1000")
        for index in 0..<64 {
            let id = script.join("w\(index)")
            #expect(script.ask("watch 1", id).line("snapshot") != nil)
        }
        let late = script.join("late")
        script.type("watch 2", late)
        script.skip(late)
        let error = script.ask("watch 1", late).line("error")
        #expect(error?.value("code") == "full")
        #expect(error?.value("text") == "match 1 has 64 spectators, which is all it can have")
        script.type("move", second[0])
        #expect(script.read(late).line("moved") != nil)
        #expect(script.ask("matches", late).lines("match").map { $0.value("spectators") } == ["64", "1"])
    }

    @Test func `who watches a full match may ask for it again`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1000")
        let watchers = (0..<64).map { script.join("w\($0)") }
        for id in watchers { script.type("watch 1", id) }
        script.skip(watchers[0])
        #expect(script.ask("watch 1", watchers[0]).lines("snapshot").count == 1)
        script.type("move", ids[0])
        #expect(script.read(watchers[0]).lines("moved").count == 1)
    }

    @Test func `a spectator hears of the end and of the closing`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1")
        let eve = script.join("eve")
        script.type("watch 1", eve)
        script.type("move", ids[0])
        #expect(script.read(eve).line("over") != nil)
        script.pass(seconds: 30)
        #expect(script.read(eve) == ["stopped what=watch"])
        #expect(script.ask("unwatch", eve).errorCode == "not-in-match")
        #expect(script.ask("watch 1", eve).errorCode == "no-such-match")
    }

    @Test func `a spectator of a match that is cancelled is told that it is over`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        let eve = script.join("eve")
        script.type("watch 1", eve)
        script.skip(eve)
        script.type("leave", ids[0])
        #expect(script.read(eve) == ["stopped what=watch"])
    }

    @Test func `who begins to race no longer watches`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=1000")
        let pair = [script.join("eve"), script.join("fay")]
        script.type("watch 1", pair[0])
        for id in pair { script.type("play finish=99", id) }
        script.skip(pair[0])
        script.type("move", ids[0])
        #expect(script.read(pair[0]) == [])
        #expect(script.ask("matches", ids[1]).lines("match").first?.value("spectators") == "0")
    }

    @Test func `no nonce before the end, no key and no address ever reach a spectator`() {
        var script = ServerScript()
        let (ann, key) = script.joinKeepingKey("ann")
        let bob = script.join("bob")
        for id in [ann, bob] { script.type("play finish=20", id) }
        let eve = script.join("eve")
        script.type("watch 1\nwho\nmatches\nwhy", eve)
        let read = script.playOut([ann, bob])
        let all = script.read(eve)
        let nonce = read[ann]?.line("over")?.value("nonce") ?? "none"
        #expect(all.filter { $0.contains(nonce) }.allSatisfy { $0.hasPrefix("over ") })
        #expect(all.contains { $0.contains(nonce) })
        for secret in [key, "127.0.0.1"] { #expect(!all.contains { $0.contains(secret) }) }
    }
}
