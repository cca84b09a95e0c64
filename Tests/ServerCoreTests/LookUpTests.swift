import Lobby
import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Aliases by player id.
struct LookUpTests {
    @Test func `known and unknown ids are answered in the order of asking`() {
        var script = ServerScript()
        let ann = script.join("ann")
        _ = script.join("bob")
        #expect(
            script.ask("alias 2 77,1 2 18446744073709551615 0", ann) == [
                "aliases count=6", "alias id=2 alias=bob", "alias id=77 unknown=yes", "alias id=1 alias=ann",
                "alias id=2 alias=bob", "alias id=18446744073709551615 unknown=yes", "alias id=0 unknown=yes",
            ])
    }

    @Test func `one id and sixty-four are answered, sixty-five and none are refused`() {
        var script = ServerScript()
        let text = script.join("ann")
        let binary = script.joinBinary("bob")
        for count in [1, 64] {
            let ids = (1...count).map(String.init).joined(separator: ",")
            #expect(script.ask("alias \(ids)", text).lines("alias").count == count)
            script.send(.lookUpAliases((1...UInt64(count)).map { PlayerID($0) }), binary)
            guard case .aliases(let entries)? = script.readMessages(binary).first else {
                Issue.record("no aliases")
                return
            }
            #expect(entries.count == count)
            #expect(entries[0].alias?.text == "ann")
        }
        #expect(
            script.ask("alias " + (1...65).map(String.init).joined(separator: ","), text).errorCode
                == "too-many")
        #expect(script.ask("alias", text).errorCode == "bad-value")
        let body = [UInt8](repeating: 0, count: 65 * 8)
        script.send([UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255), 21, 65] + body, binary)
        #expect(script.readMessages(binary).errorCode != nil)
        script.send([0, 2, 21, 0], binary)
        #expect(script.readMessages(binary).errorCode != nil)
    }

    /// One answer of the store can be what many questions wait for: then it is told in rounds, too.
    @Test func `a thousand look-ups of the same ids are answered over rounds, and all are`() {
        var script = ServerScript()
        script.takesTurns = false
        let ids = (0..<20).map { script.join("p\($0)") }
        let question = "alias " + (5000..<5064).map(String.init).joined(separator: ",") + "\n"
        script.isStoreHeld = true
        for id in ids { script.send([UInt8](String(repeating: question, count: 60).utf8), id) }
        script.pass(seconds: 0)
        #expect(script.server.census.lookUps == 1200)
        script.releaseOneAnswer()
        var answers = 0
        var rounds = 0
        repeat {
            let parts = ids.map { script.readBytes($0) }
            #expect(parts.reduce(0) { $0 + $1.count } <= Limits.workPerRound + 4096)
            for part in parts {
                let lines = String(decoding: part, as: UTF8.self).split(separator: "\n")
                answers += lines.count { $0 == "aliases count=64" }
            }
            rounds += 1
            if script.server.nextDeadline == script.now { script.feed(.deadlinePassed) }
        } while answers < 1200 && rounds < 1000
        #expect(answers == 1200)
        #expect(rounds > 4)
        #expect(script.server.census.lookUps == 0)
    }

    @Test func `an unnamed peer may look up, too`() {
        var script = ServerScript()
        _ = script.join("ann")
        let id = script.connect()
        #expect(script.ask("alias 1", id).line("alias") == "alias id=1 alias=ann")
    }

    @Test func `sixty-four look-ups wait for the store, more wait in line, and all are answered`() {
        var script = ServerScript(cachedAliases: 1)
        let id = script.join("ann")
        script.isStoreHeld = true
        for number in 1000..<1100 { script.type("alias \(number)", id) }
        #expect(script.requests.filter { if case .aliases = $0 { true } else { false } }.count == 64)
        #expect(script.read(id) == [])
        #expect(script.server.census.lookUps == 64)
        while !script.heldAnswers.isEmpty { script.releaseOneAnswer() }
        #expect(script.read(id).lines("alias") == (1000..<1100).map { "alias id=\($0) unknown=yes" })
        #expect(script.server.census.lookUps == 0)
        #expect(!script.paused.contains(id))
        script.isStoreHeld = false
        #expect(script.ask("ping 4", id) == ["pong value=4"])
    }

    @Test func `reading goes on behind a full line of look-ups, wherever the line ended`() {
        for extra in 1...3 {
            var script = ServerScript(cachedAliases: 1)
            let id = script.joinBinary("ann")
            script.isStoreHeld = true
            for number in 0..<(64 + UInt64(extra)) {
                script.send(.lookUpAliases([PlayerID(1000 + number)]), id)
            }
            while !script.heldAnswers.isEmpty { script.releaseOneAnswer() }
            #expect(script.readMessages(id).count == 64 + extra)
            script.send(.ping(1), id)
            #expect(script.readMessages(id) == [.pong(1)])
        }
    }

    @Test func `when the store is down the error says that it is not the ids`() {
        var script = ServerScript(cachedAliases: 1)
        let id = script.join("ann")
        script.isStoreDown = true
        let lines = script.ask("alias 77 1", id)
        #expect(lines.count == 1 && lines.errorCode == "unavailable")
        #expect(script.ask("alias 1", id) == ["aliases count=1", "alias id=1 alias=ann"])
    }

    @Test func `an answer for a peer that is gone reaches nobody else`() {
        var script = ServerScript(cachedAliases: 1)
        let id = script.join("ann")
        script.isStoreHeld = true
        script.type("alias 77", id)
        script.drop(id)
        let next = script.reconnect(inPlaceOf: id)
        script.releaseStore()
        #expect(script.readBytes(next) == [])
        #expect(script.isEmpty(connections: 1))
    }

    @Test func `a match waits for the aliases of its seats, five seconds, then shows numbers`() {
        var script = ServerScript(cachedAliases: 1)
        let ids = [script.join("ann"), script.join("bob")]
        script.isStoreHeld = true
        for id in ids { script.type("play", id) }
        #expect(script.read(ids[1]) == [])
        let why = script.ask("why", ids[1])
        #expect(why.first?.value("for") == "player-1" && why.first?.value("what") == "aliases")
        script.pass(seconds: 5)
        let lines = script.read(ids[1])
        #expect(lines.lines("seat").map { $0.value("alias") } == ["player-1", "bob"])
        // Too late: what was told stays, or nobody could check the race.
        script.releaseStore()
        let read = script.playOut(ids)
        let over = read[ids[1]]?.line("over")
        #expect(over != nil)
        let record = RecordOfLines(lines + (read[ids[1]] ?? []))
        #expect(record.digest == over?.value("digest"))
    }

    @Test func `aliases that come in time are waited for and shown`() {
        var script = ServerScript(cachedAliases: 1)
        let ids = [script.join("ann"), script.join("bob")]
        script.isStoreHeld = true
        for id in ids { script.type("play", id) }
        script.pass(seconds: 4.9)
        script.skip(ids[0], ids[1])
        script.releaseStore()
        #expect(script.read(ids[1]).lines("seat").map { $0.value("alias") } == ["ann", "bob"])
    }
}
