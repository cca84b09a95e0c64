import RaceModel
import Records
import ServerCore
import Testing

struct LongRaceTests {
    @Test func `the digest of a race longer than its log is of every line all the same`() {
        var script = ServerScript()
        let ann = script.connect()
        script.type("set notes off\nname ann", ann)
        let key = script.read(ann).compactMap { $0.value("key") }.first ?? ""
        let bob = script.join("bob")
        script.type("play rule=dash finish=20000", ann)
        script.type("play rule=dash finish=20000", bob)
        var lines = script.read(ann)
        // A hundred steps a write: as fast as a line can be typed.
        let steps = [UInt8](String(repeating: "move\n", count: 100).utf8)
        while !lines.contains(where: { $0.hasPrefix("over") }), lines.count < 50_000 {
            script.send(steps, ann)
            script.send(steps, bob)
            script.pass(seconds: 0)
            lines += script.read(ann)
            _ = script.readBytes(bob)
        }
        #expect(lines.lines("moved").count > Limits.loggedEvents * 2)
        #expect(lines.line("over")?.value("digest") == RecordOfLines(lines).digest)
        // Who comes back from before what is kept gets a snapshot, not a gap.
        let back = script.rejoin("ann", key, seq: 3)
        #expect(script.readVerbs(back).prefix(2) == ["welcome", "snapshot"])
    }

    @Test func `a race too long for its record leaves a result, and who forfeited`() {
        var script = ServerScript()
        let ids = ["ann", "bob", "eve"].map { script.join($0) }
        for id in ids { script.type("play 3 rule=dash finish=16000", id) }
        script.type("move\nleave", ids[2])
        let steps = [UInt8](String(repeating: "move\n", count: 100).utf8)
        while script.keptRecords.isEmpty, script.server.census.matches > 0 {
            for id in ids[..<2] { script.send(steps, id) }
            script.pass(seconds: 0)
            for id in ids { script.skip(id) }
        }
        let record = script.keptRecords.first
        #expect(record != nil && record?.events == nil && record?.forfeited.count == 1)
        #expect(script.ask("replay 1", ids[0]).errorCode == "too-long")
        #expect(script.ask("player eve", ids[0]).lines("standing").last?.value("forfeits") == "1")
        #expect(script.ask("top rule=dash", ids[0]).lines("rank").count == 3)
    }

    /// All that was missed is told in one go, and over the limit of unread output a connection is closed: who
    /// had missed a lot could never have come back.
    @Test func `who missed more than can be told at once gets a snapshot`() {
        var script = ServerScript()
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        for id in [ann, bob] { script.type("play rule=dash finish=1000000\nnumber \(100 - id.slot)", id) }
        script.type("begin\nmove", ann)
        script.drop(ann)
        func backVerbs(after moves: Int) -> [String] {
            for _ in 0..<moves / 64 { script.send([UInt8](String(repeating: "move\n", count: 64).utf8), bob) }
            script.skip(bob)
            let back = script.rejoin("ann", key, seq: 1, auto: false)
            let bytes = script.readBytes(back)
            #expect(bytes.count <= Limits.unreadOutputBytes / 2)
            script.drop(back)
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .map { String($0.prefix { $0 != " " }) }
        }
        #expect(backVerbs(after: Limits.retoldEvents).prefix(2) == ["welcome", "moved"])
        #expect(backVerbs(after: 64).prefix(2) == ["welcome", "snapshot"])
    }
}
