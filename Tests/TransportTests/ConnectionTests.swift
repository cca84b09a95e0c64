import EventLoop
import Glibc
import RaceModel
import Testing

extension TransportTests {
    @Suite struct ConnectionTests {
        @Test func `a peer that ended its side gets every answer before the end`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let peer = try Peer(port: loop.port)
            try peer.send(bytes)
            peer.endOutput()
            #expect(try peer.readToEnd() == bytes)
            #expect(eventually { loop.ends == [.closed] })
            #expect(loop.on { $0.inputEnds.count } == 1)
        }

        @Test func `single bytes in are the same bytes out`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let peer = try Peer(port: loop.port)
            for byte in UInt8(0)...255 { try peer.send([byte]) }
            #expect(try peer.read(exactly: 256) == Array(UInt8(0)...255))
        }

        @Test func `a reset is reported once, as a reset`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            var peer: Peer? = try Peer(port: loop.port)
            try peer?.send("x")
            _ = try peer?.read(exactly: 1)
            peer?.makeAbortive()
            peer = nil
            #expect(eventually { loop.ends == [.reset] })
            #expect(loop.live == 0)
        }

        @Test func `sending to a peer that is gone ends that connection and nothing else`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let other = try Peer(port: loop.port)
            for _ in 0..<50 {
                var peer: Peer? = try Peer(port: loop.port)
                try peer?.send(Array(repeating: 7, count: 1000))
                peer?.makeAbortive()
                peer = nil
            }
            try other.send("still here")
            #expect(try text(other.read(exactly: 10)) == "still here")
            #expect(eventually { loop.live == 1 })
        }

        @Test func `a reader that stalls is dropped at the limit while others go on`() throws {
            let limit = 100_000
            let loop = try TestLoop(limits: SocketLoop.Limits(connections: 100, unreadOutputBytes: limit))
            defer { loop.shutDown() }
            loop.on { handler in
                handler.onReceived = { handler, connection, bytes in
                    let size = bytes.first == UInt8(ascii: "b") ? 10_000 : 1
                    handler.loop.send(connection, [UInt8](repeating: 1, count: size).span)
                }
            }
            let slow = try Peer(port: loop.port, receiveBuffer: 4096)
            let other = try Peer(port: loop.port)
            var times: [Double] = []
            for _ in 0..<2000 where loop.ends.isEmpty {
                try? slow.send("b")
                times.append(
                    try time {
                        try other.send("s")
                        #expect(try other.read(exactly: 1) == [1])
                    })
                let unsent = loop.on { $0.accepted.map($0.loop.unsentBytes).max() ?? 0 }
                #expect(unsent <= limit)
            }
            #expect(loop.ends == [.slowReader])
            let late = times.count { $0 > 0.5 }
            #expect(late <= times.count / 20, "\(late) of \(times.count) answers")
        }

        @Test func `output that waited arrives whole and in order, and its memory is given back`() throws {
            let loop = try TestLoop(limits: SocketLoop.Limits(connections: 10, unreadOutputBytes: 16_000_000))
            defer { loop.shutDown() }
            let chunk = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            loop.on { handler in
                handler.onReceived = { handler, connection, bytes in
                    for _ in 0..<100 { handler.loop.send(connection, chunk.span) }
                }
            }
            let peer = try Peer(port: loop.port, receiveBuffer: 4096)
            try peer.send("x")
            #expect(eventually { loop.on { $0.accepted.map($0.loop.unsentBytes).max() ?? 0 } > 1_000_000 })
            for round in 0..<100 {
                #expect(try peer.read(exactly: chunk.count) == chunk, "chunk \(round)")
            }
            #expect(eventually { loop.on { $0.accepted.map($0.loop.unsentBytes) } == [0] })
        }

        /// The peer keeps sending while it is closed: unread input must not turn the close into a reset that
        /// overtakes the last bytes.
        @Test func `a close never loses the last bytes`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let last = Array("bye\n".utf8)
            loop.on { handler in
                handler.onReceived = { handler, connection, bytes in
                    handler.loop.send(connection, [UInt8](repeating: 0, count: 150_000).span)
                    handler.loop.send(connection, last.span)
                    handler.loop.close(connection)
                }
            }
            for round in 0..<200 {
                let peer = try Peer(port: loop.port)
                for _ in 0..<20 { try? peer.send("roll\n") }
                let bytes = try peer.readToEnd()
                #expect(bytes.count == 150_004 && Array(bytes.suffix(4)) == last, "round \(round)")
            }
            #expect(eventually { loop.live == 0 })
            #expect(loop.ends.allSatisfy { $0 == .closed })
        }

        @Test func `a closed connection whose peer does not end is given up after two seconds`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            loop.on { handler in
                handler.onReceived = { handler, connection, _ in handler.loop.close(connection) }
            }
            let isInTime = try isPrompt(within: 3, tries: 4) {
                let peer = try Peer(port: loop.port)
                let start = elapsed()
                try peer.send("x")
                #expect(try peer.readToEnd() == [])
                #expect(loop.live == 1 || elapsed() - start > 1.9)
                #expect(eventually { loop.live == 0 })
                #expect(elapsed() - start > 1.9)
                return elapsed() - start
            }
            #expect(isInTime)
        }
    }
}
