import Dispatch
import EventLoop
import RaceModel
import Testing

extension TransportTests {
    @Suite struct LastBatchTests {
        /// Shuts its loop down behind the batch in which it was sent so much.
        private final class Quitter: LoopHandler {
            let loop: SocketLoop
            var received = 0
            var isOver = false
            /// What it was told when all was over.
            var late: [String] = []

            init(loop: SocketLoop) { self.loop = loop }

            private func note(_ what: String) { if self.isOver { self.late.append(what) } }

            func accepted(_ connection: ConnectionID, from address: String) { self.note("accepted") }
            func connected(_ connection: ConnectionID) { self.note("connected") }
            func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
                self.note("received")
                self.received += bytes.count
            }
            func inputEnded(_ connection: ConnectionID) { self.note("inputEnded") }
            func closed(_ connection: ConnectionID, _ end: ConnectionEnd) { self.note("closed") }
            func acceptingPaused(_ error: TransportError) { self.note("acceptingPaused") }

            func deadlinePassed() {
                self.note("deadlinePassed")
                self.loop.setDeadline(self.loop.now)
            }

            func batchEnded() {
                self.note("batchEnded")
                guard self.received == 20, !self.isOver else { return }
                self.isOver = true
                self.loop.shutDown()
            }
        }

        @Test func `whoever shuts a loop down in the middle of a batch hears nothing of its rest`() throws {
            for _ in 0..<20 {
                let queue = DispatchQueue(label: "test.loop")
                let quitter = QueueConfined(Quitter(loop: try SocketLoop(on: queue)), on: queue)
                let port = try quitter.waitOnQueue { handler in
                    handler.loop.start(handler: handler)
                    handler.loop.perform { handler.loop.setDeadline(handler.loop.now) }
                    return Result { () throws(TransportError) in
                        try handler.loop.listen(host: "127.0.0.1", port: 0)
                    }
                }.get()
                let peer = try Peer(port: port)
                // By the last the loop is busy, and a deadline is due in each batch.
                for count in 1...20 {
                    try peer.send("x")
                    #expect(eventually { quitter.waitOnQueue { $0.received } == count })
                }
                #expect(eventually { quitter.waitOnQueue { $0.isOver } })
                #expect(quitter.waitOnQueue { $0.late } == [])
            }
        }
    }
}
