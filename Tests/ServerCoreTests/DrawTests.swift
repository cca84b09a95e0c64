import Fairness
import RaceModel
import ServerCore
import Testing
import WireProtocol

/// The draw, as players see it.
struct DrawTests {
    @Test func `the higher number is player 1`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        script.type("number 10", ids[0])
        #expect(script.read(ids[0]) == [] && script.read(ids[1]) == [])
        #expect(
            script.ask("number 20", ids[1]) == [
                "number round=1 seat=1 value=10", "number round=1 seat=2 value=20", "order seats=2,1",
            ])
        #expect(
            script.ask("begin", ids[0]).line("error")?.value("text") == "only player 1 begins: that is bob")
    }

    @Test func `equal numbers are drawn again in a numbered round, and older rounds are refused`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        script.type("number 7", ids[0])
        #expect(script.ask("number 7", ids[1]).last == "again round=2 seats=1,2")
        script.skip(ids[0])
        #expect(script.ask("number 9 round=1", ids[0]).errorCode == "wrong-round")
        #expect(script.ask("number 9 round=3", ids[0]).errorCode == "wrong-round")
        #expect(script.ask("number 9 round=2", ids[0]) == [])
        #expect(script.ask("number 10", ids[0]).errorCode == "already-drew")
        #expect(script.ask("number 8", ids[1]).last == "order seats=1,2")
    }

    @Test func `only the tied draw again, and their order settles among the places they share`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob", "cat"], auto: false)
        for (id, number) in zip(ids, [9, 9, 1]) { script.type("number \(number)", id) }
        #expect(script.read(ids[2]).last == "again round=2 seats=1,2")
        #expect(script.ask("number 100", ids[2]).errorCode == "wrong-round")
        script.type("number 1", ids[0])
        script.type("number 2", ids[1])
        #expect(script.read(ids[2]).last == "order seats=2,1,3")
    }

    @Test func `three ties, then the server draws`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        for _ in 0..<3 {
            script.type("number 4294967295", ids[0])
            script.type("number 4294967295", ids[1])
        }
        let lines = script.read(ids[0])
        #expect(lines.lines("again").map { $0.value("round") } == ["2", "3", "4"])
        #expect(lines.lines("number").suffix(2).allSatisfy { $0.value("drawn") == "server" })
        #expect(lines.last?.hasPrefix("order seats=") == true)
    }

    @Test func `a silent player is named, the server draws, and says so`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        script.type("number 5", ids[0])
        script.pass(seconds: 4)
        #expect(
            script.ask("why", ids[0]) == [
                "waiting for=bob what=number since=4 left=6 then=\"the server draws for bob\""
            ])
        script.pass(seconds: 5.999)
        #expect(script.read(ids[0]) == [])
        script.pass(seconds: 0.001)
        let lines = script.read(ids[0])
        #expect(lines[0] == "number round=1 seat=1 value=5")
        #expect(lines[1].hasPrefix("number round=1 seat=2 value=") && lines[1].hasSuffix(" drawn=server"))
        #expect(script.ask("number 4", ids[1]).errorCode == "wrong-state")
    }

    @Test func `nobody receives a number before the round is complete, spectators and returners included`() {
        var script = ServerScript()
        let secret: UInt32 = 1_234_567_890
        let (ann, key) = script.joinKeepingKey("ann", auto: false)
        let bob = script.join("bob", auto: false)
        let binary = script.joinBinary("cat")
        for id in [ann, bob] { script.type("play 3", id) }
        script.send(.findMatch(RaceRequest(minimum: 3, maximum: 3)), binary)
        let text = script.join("eve")
        let binaryEye = script.joinBinary("fay")
        script.type("watch 1", text)
        script.send(.watch(MatchID(1)), binaryEye)
        script.type("number \(secret)", ann)
        script.drop(ann)
        let back = script.rejoin("ann", key, auto: false)
        for id in [bob, text] { script.type("why\nmatches\nwho", id) }
        script.send(.why, binaryEye)
        let early = [back, bob, binary, text, binaryEye].map { script.readBytes($0) }
        let forms = [
            Array("\(secret)".utf8), (0..<4).map { UInt8(truncatingIfNeeded: secret >> (24 - 8 * $0)) },
        ]
        for bytes in early {
            for form in forms { #expect(!Self.contains(bytes, form)) }
            #expect(!Self.contains(bytes, Array("nonce".utf8)))
        }
        // The key is shown to its owner alone, once.
        for bytes in early { #expect(!Self.contains(bytes, Array(key.utf8))) }
        script.type("number 2", bob)
        script.send(.randomNumber(round: 1, number: 3), binary)
        #expect(Self.contains(script.readBytes(text), forms[0]))
        #expect(Self.contains(script.readBytes(binaryEye), forms[1]))
    }

    static func contains(_ bytes: [UInt8], _ form: [UInt8]) -> Bool {
        guard bytes.count >= form.count else { return false }
        return (0...(bytes.count - form.count)).contains { bytes[$0..<($0 + form.count)].elementsEqual(form) }
    }

    @Test func `auto draws and begins at once; turned on late it catches up`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        #expect(script.ask("set auto on", ids[0]) == ["set auto=on"])
        let lines = script.ask("set auto on", ids[1])
        #expect(lines.lines("number").count == 2)
        #expect(lines.line("begin") == "begin seconds=20")
        #expect(lines.last?.hasPrefix("turn seq=1 turn=1 player=1") == true)
    }

    @Test func `auto turned on before the begin makes player 1 begin`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        script.type("number 2", ids[0])
        script.type("number 1", ids[1])
        script.skip(ids[0], ids[1])
        #expect(script.ask("set auto on", ids[1]) == ["set auto=on"])
        #expect(
            script.ask("set auto on", ids[0]).map { $0.prefix { $0 != " " } } == ["set", "begin", "turn"])
    }

    @Test func `a sealed draw ranks numbers by their masks`() throws {
        var script = ServerScript()
        let ids = ["ann", "bob", "cat"].map { script.join($0, auto: false) }
        for id in ids { script.type("play 3 draw=sealed finish=1", id) }
        for id in ids { script.type("number 7", id) }
        var lines = script.read(ids[0])
        let order = try #require(
            lines.line("order")?.value("seats")?.split(separator: ",").compactMap { UInt8($0) })
        script.type("begin", ids[Int(order[0]) - 1])
        script.type("move", ids[Int(order[0]) - 1])
        lines = script.read(ids[0])
        let nonce = try #require(RecordOfLines.bytes(lines.line("over")?.value("nonce") ?? ""))
        let sealed = SealedNonce(nonce: nonce)
        let ranked = ([1, 2, 3] as [UInt8]).sorted {
            7 ^ sealed.mask(round: 1, seat: Seat($0)) > 7 ^ sealed.mask(round: 1, seat: Seat($1))
        }
        #expect(order == ranked)
    }

    @Test func `numbers in the same moment make one match for each pair`() {
        var script = ServerScript()
        var seen: Set<String> = []
        let ids = [script.join("ann", auto: false), script.join("bob", auto: false)]
        for round in 0..<200 {
            for id in ids { script.type("play finish=1", id) }
            for id in ids { script.type("number \(round + Int(id.slot))", id) }
            let match = script.read(ids[0]).line("found")?.value("match") ?? ""
            #expect(seen.insert(match).inserted)
            #expect(script.read(ids[1]).line("found")?.value("match") == match)
            #expect(script.server.census.matches == 1)
            script.type("begin\nmove", ids[1])
            for id in ids { script.type("leave", id) }
            script.skip(ids[0], ids[1])
            #expect(script.server.census.matches == 0)
        }
    }
}
