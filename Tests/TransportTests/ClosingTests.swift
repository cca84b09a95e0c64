import EventLoop
import Glibc
import RaceModel
import Testing

extension TransportTests {
    @Suite struct ClosingTests {
        /// A peer that takes a little now and then could keep its place for hours.
        @Test func `a closing connection is given up, however slowly its peer reads on`() throws {
            let loop = try TestLoop(limits: SocketLoop.Limits(connections: 10, closing: .seconds(1)))
            defer { loop.shutDown() }
            loop.on { handler in
                handler.onReceived = { handler, connection, bytes in
                    handler.loop.send(connection, [UInt8](repeating: 0, count: 250_000).span)
                    handler.loop.close(connection)
                }
            }
            let peer = try Peer(port: loop.port, receiveBuffer: 4096)
            try peer.send("x")
            let start = elapsed()
            while loop.live > 0 || elapsed() - start < 0.2, elapsed() - start < 40 {
                _ = try? peer.read(upTo: 200)
                usleep(50_000)
            }
            #expect(elapsed() - start < 20)
            #expect(loop.ends == [.closed])
        }
    }
}
