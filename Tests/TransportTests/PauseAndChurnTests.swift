import EventLoop
import Glibc
import RaceModel
import Testing

extension TransportTests {
    @Suite struct PauseAndChurnTests {
        @Test func `nothing is read while reading is paused, and nothing is lost`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            loop.on { handler in
                handler.onAccepted = { $0.loop.pauseReading($1) }
                handler.onReceived = { handler, _, bytes in handler.received += bytes }
            }
            let peer = try Peer(port: loop.port)
            try peer.send("held back")
            usleep(100_000)
            #expect(loop.on { $0.received } == [])
            loop.on { handler in handler.loop.resumeReading(handler.accepted[0]) }
            #expect(eventually { text(loop.on { $0.received }) == "held back" })
        }

        /// The first of three peers pauses the second, the third resumes it, all in one batch: what the
        /// second had sent
        /// was passed over in between and must come all the same.
        @Test func `a pause that is taken back within a batch loses nothing`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let peers = try (0..<3).map { _ in try Peer(port: loop.port) }
            #expect(eventually { loop.on { $0.accepted.count } == 3 })
            loop.on { handler in
                handler.onReceived = { handler, connection, bytes in
                    let second = handler.accepted[1]
                    if connection == handler.accepted[0] { handler.loop.pauseReading(second) }
                    if connection == handler.accepted[2] { handler.loop.resumeReading(second) }
                    handler.loop.send(connection, bytes.span)
                }
            }
            let (isHeld, isSent) = (Flag(), Flag())
            let holder = Script {
                loop.on { _ in
                    isHeld.set()
                    _ = eventually { isSent.isSet }
                }
            }
            #expect(eventually { isHeld.isSet })
            for (number, peer) in peers.enumerated() { try peer.send("\(number)") }
            isSent.set()
            holder.join()
            for (number, peer) in peers.enumerated() { #expect(try text(peer.read()) == "\(number)") }
        }

        /// Goal: no news from the kernel is missed, however reading is paused and resumed and however input
        /// is cut.
        /// Method: peers send random amounts in random pieces and end at once; the loop pauses at random,
        /// and resumes
        /// in the same batch or later; all bytes must come, and then the end.
        @Test func `all input and its end arrive, whatever pauses are between`() throws {
            for seed in UInt64(1)...40 {
                let loop = try TestLoop()
                defer { loop.shutDown() }
                loop.on { handler in
                    var generator = SeededGenerator(seed: seed)
                    handler.onAccepted = { handler, connection in
                        if seed % 3 == 0 { handler.loop.pauseReading(connection) }
                    }
                    handler.onReceived = { handler, connection, bytes in
                        handler.received += bytes
                        for other in handler.accepted {
                            switch generator.below(6) {
                            case 0: handler.loop.pauseReading(other)
                            case 1...2: handler.loop.resumeReading(other)
                            case 3:
                                handler.loop.pauseReading(other)
                                handler.loop.resumeReading(other)
                            default: break
                            }
                        }
                    }
                }
                let port = loop.port
                let scripts = (0..<3).map { number in
                    Script {
                        var generator = SeededGenerator(seed: seed * 10 + UInt64(number))
                        guard let peer = try? Peer(port: port) else { return }
                        for _ in 0..<generator.below(6) {
                            let count = Int(generator.below(generator.below(2) == 0 ? 100 : 150_000))
                            try? peer.send([UInt8](repeating: 1, count: count))
                        }
                        peer.endOutput()
                        _ = try? peer.readToEnd()
                    }
                }
                var expected = 0
                for number in UInt64(0)..<3 {
                    var generator = SeededGenerator(seed: seed * 10 + number)
                    for _ in 0..<generator.below(6) {
                        expected += Int(generator.below(generator.below(2) == 0 ? 100 : 150_000))
                    }
                }
                let ended = eventually {
                    loop.on { handler in
                        for connection in handler.accepted { handler.loop.resumeReading(connection) }
                        return handler.ends.count == 3
                    }
                }
                #expect(ended, "seed \(seed)")
                #expect(loop.on { $0.received.count } == expected, "seed \(seed)")
                #expect(loop.on { $0.inputEnds.count } == 3, "seed \(seed)")
                for script in scripts { script.join() }
            }
        }

        /// A closed, B connected at the same moment: B may get A's slot and descriptor number, and must
        /// never notice.
        @Test func `a new connection never gets what was meant for an old one`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            loop.on { handler in
                handler.onReceived = { handler, connection, bytes in
                    if bytes.first == UInt8(ascii: "!") {
                        handler.loop.send(connection, [UInt8](repeating: UInt8(ascii: "A"), count: 100).span)
                        handler.loop.close(connection)
                    } else {
                        handler.loop.send(connection, bytes.span)
                    }
                }
            }
            var stale: ConnectionID?
            for round in 0..<500 {
                var bad: Peer? = try Peer(port: loop.port)
                try bad?.send("!")
                if round % 2 == 0 { bad?.makeAbortive() }
                bad = nil
                let good = try Peer(port: loop.port)
                try good.send("B\(round)\n")
                if let old = stale {
                    // What names an old connection reaches nobody.
                    loop.on { handler in
                        handler.loop.send(old, [UInt8(ascii: "A")].span)
                        handler.loop.close(old)
                        handler.loop.abort(old)
                    }
                }
                let answer = try text(good.read(exactly: "B\(round)\n".utf8.count))
                #expect(answer == "B\(round)\n")
                stale = loop.on { $0.closedConnections.last }
            }
            #expect(eventually { loop.live == 0 })
            let closed = loop.on { $0.closedConnections }
            #expect(closed.count == 1000)
            #expect(Set(closed).count == 1000)
        }

        /// In a process of its own: other tests have descriptors too.
        @Test func `thousands of connects, closes and resets leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                let loop = try TestLoop()
                defer { loop.shutDown() }
                let port = loop.port
                // The first has the libraries open what they keep.
                try Peer(port: port).send("x")
                #expect(eventually { loop.on { $0.loop.counters.closed } == 1 })
                let before = openDescriptors()
                let scripts = (0..<4).map { number in
                    Script {
                        for round in 0..<750 {
                            guard let peer = try? Peer(port: port) else { continue }
                            if round % 3 != 0 { try? peer.send("x") }
                            if round % 3 == 1 { _ = try? peer.read(exactly: 1) }
                            if (round + number) % 2 == 0 { peer.makeAbortive() }
                        }
                    }
                }
                for script in scripts { script.join() }
                #expect(eventually { loop.live == 0 })
                #expect(eventually { openDescriptors() <= before })
                let counters = loop.on { $0.loop.counters }
                #expect(counters.accepted == counters.closed)
                #expect(counters.accepted > 2000)
            }
        }
    }
}
