import Glibc
import RaceModel
import Testing

@testable import EventLoop

extension TransportTests {
    /// Goal: whoever goes on sending while a batch has no room for them is one entry in the list of those who wait,
    /// so that they get one read a batch, and the list stays as short as there are connections.
    @Suite struct UnfinishedTests {
        /// Every batch takes two milliseconds, and a deadline is always due, so that there is a next one at once.
        private func slow(_ loop: TestLoop) {
            loop.on { handler in
                handler.onReceived = { _, _, _ in }
                handler.onDeadline = { handler in
                    usleep(2000)
                    handler.loop.setDeadline(handler.loop.now)
                }
                handler.loop.setDeadline(handler.loop.now)
            }
        }

        private func longest(_ loop: TestLoop, while body: () throws -> Void) rethrows -> Int {
            var longest = 0
            for _ in 0..<50 {
                try body()
                longest = max(longest, loop.on { $0.loop.unfinished.count })
            }
            return longest
        }

        @Test func `handshakes that come byte by byte wait once each`() throws {
            let loop = try TestLoop(identity: try Certificates.identity())
            defer { loop.shutDown() }
            let peers = try (0..<40).map { _ in try Peer(port: loop.port) }
            for peer in peers { try peer.send([0x16, 3, 1, 0x20, 0, 1, 0, 0x1F, 0xFC, 3, 3]) }
            self.slow(loop)
            let longest = try self.longest(loop) { for peer in peers { try peer.send([0]) } }
            #expect(loop.ends == [])
            #expect(longest <= peers.count)
        }

        @Test func `who speaks plain text does not wait for the handshakes of others`() throws {
            let loop = try TestLoop(identity: try Certificates.identity())
            defer { loop.shutDown() }
            let peers = try (0..<100).map { _ in try Peer(port: loop.port) }
            for peer in peers { try peer.send([0x16, 3, 1, 0x20, 0, 1, 0, 0x1F, 0xFC, 3, 3]) }
            self.slow(loop)
            loop.on { handler in
                handler.onReceived = { handler, connection, bytes in
                    handler.loop.send(connection, bytes.span)
                }
            }
            var times: [Double] = []
            let isSoon = try isPrompt(within: 0.05) {
                for peer in peers { try peer.send([0]) }
                let plain = try Peer(port: loop.port)
                times.append(
                    try time {
                        try plain.send("x")
                        _ = try plain.read()
                    })
                return times.last ?? 0
            }
            #expect(isSoon, "\(times)")
        }

        @Test func `who sends more than is read gets one read a batch more`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let peer = try Peer(port: loop.port)
            let isOver = Flag()
            nonisolated(unsafe) let sender = peer
            let script = Script {
                let block = [UInt8](repeating: 0, count: 256 * 1024)
                while !isOver.isSet, unsafe (try? sender.send(block)) != nil {}
            }
            self.slow(loop)
            let longest = self.longest(loop) {}
            isOver.set()
            loop.on { for connection in $0.accepted { $0.loop.abort(connection) } }
            script.join()
            #expect(longest <= 1)
        }
    }
}
