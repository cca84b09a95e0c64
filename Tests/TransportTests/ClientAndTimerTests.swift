import Dispatch
import EventLoop
import Glibc
import RaceModel
import Testing

extension TransportTests {
    @Suite struct ClientAndTimerTests {
        @Test func `a loop is a client too, from a local address of its choice`() throws {
            let server = try TestLoop()
            defer { server.shutDown() }
            let client = try TestLoop()
            defer { client.shutDown() }
            let port = server.port
            client.on { handler in
                handler.onReceived = { handler, _, bytes in handler.received += bytes }
                guard let address = SocketAddress("127.0.0.1", port: port) else { return }
                _ = handler.loop.connect(to: address, from: SocketAddress("127.0.0.5", port: 0))
            }
            #expect(eventually { client.on { $0.connected.count } == 1 })
            #expect(eventually { server.on { $0.addresses.first?.hasPrefix("127.0.0.5:") } == true })
            client.on { $0.loop.send($0.connected[0], [1, 2, 3].span) }
            #expect(eventually { client.on { $0.received } == [1, 2, 3] })
            client.on { $0.loop.close($0.connected[0]) }
            #expect(eventually { client.ends == [.closed] && server.ends == [.closed] })
        }

        @Test func `a connection that can't be made is a value`() throws {
            let gone = try TestLoop()
            let port = gone.port
            gone.shutDown()
            let client = try TestLoop()
            defer { client.shutDown() }
            client.on { handler in
                for local in [nil, SocketAddress("192.0.2.7", port: 0)] {
                    guard let address = SocketAddress("127.0.0.1", port: port) else { return }
                    _ = handler.loop.connect(to: address, from: local)
                }
            }
            let refused = ConnectionEnd.notConnected(TransportError(call: .connect, code: ECONNREFUSED))
            let foreign = ConnectionEnd.notConnected(TransportError(call: .bind, code: EADDRNOTAVAIL))
            #expect(eventually { Set(client.ends) == [refused, foreign] })
            #expect(client.ends.count == 2)
            #expect(client.live == 0)
        }

        @Test func `names are looked up, and unknown ones are refused`() throws {
            #expect(try !SocketAddress.resolve(host: "localhost", port: 1).isEmpty)
            #expect(try SocketAddress.resolve(host: "::1", port: 7)[0].description == "[::1]:7")
            #expect(throws: TransportError.self) { try SocketAddress.resolve(host: "no such host", port: 1) }
            #expect(throws: TransportError.self) { try SocketAddress.resolve(host: "", port: 1) }
        }

        @Test func `a deadline comes when it is due, however it was moved before`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            /// Nil when others kept this thread from a processor until a deadline had come that was to be moved.
            func due(after milliseconds: [Int?]) -> [Int]? {
                let start = loop.on { handler in
                    handler.deadlines = []
                    return handler.loop.now
                }
                for each in milliseconds {
                    loop.on { $0.loop.setDeadline(each.map { start + .milliseconds($0) }) }
                }
                let taken = (loop.on { _ in SocketLoop.clock() } - start).nanoseconds / 1_000_000
                let replaced = milliseconds.dropLast().compactMap(\.self).min() ?? .max
                usleep(400_000)
                let came = loop.on { $0.deadlines.map { Int(($0 - start).nanoseconds / 1_000_000) } }
                return taken < replaced ? came : nil
            }
            /// At the first of a few tries at which the machine lets it be in time; each must be right otherwise.
            func isPrompt(_ moves: [Int], _ expected: Int) -> Bool {
                for _ in 1...8 {
                    guard let came = due(after: moves) else { continue }
                    #expect(came.count <= 1 && came.first ?? expected >= expected, "\(moves): \(came)")
                    if came.first ?? .max <= expected + 40 { return true }
                }
                return false
            }
            for (moves, expected) in [([50], 50), ([20, 100, 200], 200), ([300, 60], 60), ([-5], 0)] {
                #expect(isPrompt(moves, expected), "\(moves)")
            }
            #expect((1...8).lazy.compactMap { _ in due(after: [50, nil]) }.first == [])
        }

        @Test func `what belongs to a queue traps elsewhere`() async {
            await #expect(processExitsWith: .failure) {
                let confined = QueueConfined(1, on: DispatchQueue(label: "own"))
                confined.assumeOnQueue { $0 += 1 }
            }
            let confined = QueueConfined(1, on: DispatchQueue(label: "own"))
            #expect(confined.waitOnQueue { _ in confined.queue.label } == "own")
        }
    }
}
