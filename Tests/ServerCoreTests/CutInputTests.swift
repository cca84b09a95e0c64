import RaceModel
import ServerCore
import Testing
import WireProtocol

/// However a stream is cut, the answers are the same, each request has one, and in order.
struct CutInputTests {
    private static let session = Array(
        "help nonsense\r\nname ann\r\0who\nplay 3\nplay 3\rcancel\n\rping 18446744073709551615\r\nmove\nfoo\nquit\n"
            .utf8)

    private static let frames: [UInt8] =
        ServerScript.preface
        + [
            ClientMessage.hello(Hello(name: "ann")), .listPlayers(prefix: "", page: 1),
            .findMatch(RaceRequest(minimum: 3, maximum: 3)), .findMatch(RaceRequest()), .cancelFind,
            .randomNumber(round: 0, number: 0x0102_0304), .ping(.max), .move(turn: .max), .quit,
        ].flatMap(\.frame)

    private func answers(_ pieces: [ArraySlice<UInt8>]) -> (bytes: [UInt8], isClosed: Bool) {
        var script = ServerScript()
        let id = script.connect()
        for piece in pieces { script.send(Array(piece), id) }
        return (script.readBytes(id), script.isClosed.contains(id))
    }

    @Test func `every cut and single bytes give the answers of whole input`() {
        for input in [Self.session, Self.frames] {
            let whole = self.answers([input[...]])
            #expect(whole.isClosed)
            for cut in 1..<input.count {
                let parted = self.answers([input[..<cut], input[cut...]])
                #expect(parted.bytes == whole.bytes, "cut at \(cut)")
            }
            let single = self.answers(input.indices.map { input[$0...$0] })
            #expect(single.bytes == whole.bytes)
            #expect(single.isClosed)
        }
    }

    /// What both players of a race read when these moves come in it, each cut by `cut`.
    private func race(
        _ moves: [(player: Int, turn: UInt32)], cut: ([UInt8]) -> [ArraySlice<UInt8>]
    ) -> [[UInt8]] {
        var budgets = RequestBudgets()
        budgets.refusedMoves = Budget(perSecond: 2, burst: 4)
        budgets.slowDowns = Budget(perSecond: 1, burst: 3)
        var script = ServerScript(budgets: budgets)
        let ids = ["ann", "bob"].map { script.joinBinary($0) }
        for (index, id) in ids.enumerated() {
            script.send(.findMatch(RaceRequest(settings: RaceSettings(finish: 30))), id)
            script.send(.randomNumber(round: 0, number: UInt32(9 - index)), id)
        }
        script.send(.gameBegin, ids[0])
        for move in moves {
            for piece in cut(ClientMessage.move(turn: move.turn).frame) {
                script.send(Array(piece), ids[move.player])
            }
        }
        return ids.map { script.readBytes($0) }
    }

    @Test func `a move in one piece is what it is in two: counted, refused, charged, and the last`() {
        // Out of turn, of turns that are past or to come, the race to its end and beyond, until it costs the
        // connection.
        var moves: [(player: Int, turn: UInt32)] = [(1, 0), (0, 7), (0, 1), (0, 1), (1, 1), (1, 2)]
        moves += (0..<40).map { ($0 % 2, 0) }
        moves += (0..<20).map { _ in (1, 9) }
        let whole = self.race(moves) { [$0[...]] }
        let messages = ServerScript.messages(whole[1])
        #expect(messages.contains { if case .gameOver = $0 { true } else { false } })
        #expect(
            messages.contains { if case .error(let error) = $0 { error.code == .slowDown } else { false } })
        #expect(messages.contains { if case .bye(.slowDown, _) = $0 { true } else { false } })
        for cut in 1..<7 {
            #expect(self.race(moves) { [$0[..<cut], $0[cut...]] } == whole, "cut at \(cut)")
        }
    }

    @Test func `the whole sessions read as expected`() {
        let text = String(decoding: self.answers([Self.session[...]]).bytes, as: UTF8.self)
        let verbs = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            String($0.prefix { $0 != " " })
        }
        #expect(
            verbs == [
                "hello", "welcome", "players", "player", "queued", "error", "stopped", "pong", "error",
                "error", "bye",
            ])
        let messages = ServerScript.messages(Array(self.answers([Self.frames[...]]).bytes.dropFirst(8)))
        #expect(messages.count == 9)
        #expect(messages[6] == .pong(.max))
    }

    @Test func `many requests in one write are each answered in order`() {
        var script = ServerScript()
        let text = script.join("ann")
        script.send((0..<50).flatMap { Array("ping \($0)\nalias 1\n".utf8) }, text)
        let lines = script.read(text)
        #expect(lines.lines("pong") == (0..<50).map { "pong value=\($0)" })
        #expect(lines.lines("alias").count == 50)
        let binary = script.joinBinary("bob")
        script.send((0..<50).flatMap { ClientMessage.ping(UInt64($0)).frame }, binary)
        #expect(script.readMessages(binary) == (0..<50).map { .pong(UInt64($0)) })
    }

    @Test func `a faulty message is answered and the next one is not hurt`() {
        var script = ServerScript()
        let id = script.joinBinary("ann")
        let faulty: [([UInt8], ErrorCode)] = [
            ([0, 1, 200], .unknownType), ([0, 2, 34, 0], .malformedBody), ([0, 2, 33, 0], .malformedBody),
            ([0, 1, 64], .wrongDirection), ([0, 1, 18, 0][0..<3] + [], .notQueued),
        ]
        for (bytes, code) in faulty {
            script.send(bytes + ClientMessage.ping(9).frame, id)
            let messages = script.readMessages(id)
            #expect(messages.count == 2 && messages.errorCode == code && messages[1] == .pong(9), "\(bytes)")
        }
        let text = script.join("bob")
        for line in [
            "foo", "play 9", "play 0", "play 4294967295", "move x", "number -1", "watch", "name \"a",
        ] {
            let lines = script.ask("\(line)\nping 9", text)
            #expect(lines.count == 2 && lines.errorCode != nil && lines[1] == "pong value=9", "\(line)")
        }
    }

    @Test func `a fault of the stream is told and ends the connection, whatever follows`() {
        let heads: [[UInt8]] = [
            [0, 0], [0x7F, 0xFF], [0x80, 0], [0xFF, 0xFF], [0xFF, 0xFB], [0x10, 0x01],
        ]
        for head in heads {
            var script = ServerScript()
            let id = script.connectBinary()
            script.send(head, id)
            let messages = script.readMessages(id)
            #expect(messages.count == 2)
            #expect(messages.errorCode == (head == [0, 0] ? .badLength : .frameTooLong))
            guard case .bye(.violation, _) = messages.last else {
                Issue.record("no goodbye")
                continue
            }
            #expect(script.isClosed.contains(id))
            script.send([UInt8](repeating: 0xFF, count: 100), id)
            #expect(script.readBytes(id) == [])
            #expect(script.isEmpty())
        }
    }

    @Test func `a line without an end is refused at the limit, and one at the limit is read`() {
        var script = ServerScript()
        let id = script.connect()
        script.send([UInt8](repeating: 0x61, count: Limits.lineBytes), id)
        #expect(!script.isClosed.contains(id))
        script.send([10], id)
        #expect(script.read(id).errorCode == "unknown-verb")
        for _ in 0..<1024 where !script.isClosed.contains(id) {
            script.send([UInt8](repeating: 0x61, count: 1024), id)
        }
        #expect(script.read(id).errorCode == "line-too-long")
        #expect(script.isClosed.contains(id))
    }

    @Test func `a number is read the same at every offset of the buffer`() {
        for length in 1...20 {
            var script = ServerScript()
            let bob = script.joinBinary("bob")
            let ann = script.connectBinary()
            let name = String(repeating: "a", count: length)
            script.send(
                ClientMessage.hello(Hello(name: name)).frame + ClientMessage.findMatch(RaceRequest()).frame
                    + ClientMessage.randomNumber(round: 0, number: 0x0102_0304).frame, ann)
            script.send(.findMatch(RaceRequest()), bob)
            script.send(.randomNumber(round: 1, number: 1), bob)
            let revealed = script.readMessages(bob).compactMap { message -> UInt32? in
                if case .randomNumber(let number) = message { number.number } else { nil }
            }
            #expect(revealed == [0x0102_0304, 1])
        }
    }
}
