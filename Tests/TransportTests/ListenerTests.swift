import Glibc
import RaceModel
import Testing

@testable import EventLoop

extension TransportTests {
    @Suite struct ListenerTests {
        @Test func `at the limit accepting pauses, and goes on when a connection ends`() throws {
            let loop = try TestLoop(limits: SocketLoop.Limits(connections: 3))
            defer { loop.shutDown() }
            var peers = try (0..<3).map { _ in try Peer(port: loop.port) }
            for peer in peers {
                try peer.send("x")
                #expect(try peer.read(exactly: 1).count == 1)
            }
            let waiting = try Peer(port: loop.port)
            try waiting.send("y")
            waiting.setTimeout(seconds: 0.2)
            #expect(throws: Peer.Failure(code: EAGAIN)) { try waiting.read() }
            #expect(loop.live == 3)
            peers.removeLast()
            waiting.setTimeout(seconds: Peer.patience)
            #expect(try text(waiting.read()) == "y")
        }

        /// Method: all that comes is ready at once when the loop looks again, the new connections first.
        @Test func `players are heard between those who come, however many those are`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let player = try Peer(port: loop.port)
            try player.send("x")
            #expect(try player.read(exactly: 1) == Array("x".utf8))
            loop.on { handler in
                handler.loop.pause()
                handler.onReceived = { handler, connection, bytes in
                    handler.received.append(UInt8(clamping: handler.accepted.count))
                    handler.loop.send(connection, bytes.span)
                }
            }
            let others = try (0..<200).map { _ in try Peer(port: loop.port) }
            try player.send("y")
            loop.on { $0.loop.resume() }
            #expect(try player.read(exactly: 1) == Array("y".utf8))
            #expect(loop.on { $0.received.first ?? 255 } <= 20, "so many had come before")
            #expect(eventually { loop.live == others.count + 1 })
        }

        /// Where more is ready than a batch holds, the listener is in few of them.
        @Test func `behind full batches more are accepted at once, but never very many`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            for (full, accepted) in [(0, 8), (3, 32), (10_000, 64)] {
                loop.on { handler in
                    handler.loop.pause()
                    handler.accepted = []
                }
                let others = try (0..<80).map { _ in try Peer(port: loop.port) }
                loop.on { handler in
                    handler.loop.fullBatches = full
                    handler.loop.accept(at: 0, handler)
                    #expect(handler.accepted.count == accepted)
                    handler.loop.resume()
                }
                #expect(eventually { loop.on { $0.accepted.count } == others.count })
            }
        }

        @Test func `a taken port is one clear sentence, on IPv4, on IPv6 and on localhost`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let port = loop.port
            for host in ["127.0.0.1", "0.0.0.0", "localhost"] {
                #expect(
                    self.failure(loop, host, port) == TransportError(call: .bind, code: EADDRINUSE), "\(host)"
                )
            }
            let six = loop.on { handler in
                Result { () throws(TransportError) in try handler.loop.listen(host: "::1", port: 0) }
            }
            let taken = try six.get()
            for host in ["::1", "::", "localhost"] {
                #expect(
                    self.failure(loop, host, taken) == TransportError(call: .bind, code: EADDRINUSE),
                    "\(host)")
            }
            let sentence = TransportError(call: .bind, code: EADDRINUSE).listenSentence(
                host: "::1", port: taken)
            #expect(sentence.hasPrefix("port \(taken) on ::1 is taken: "))
        }

        @Test func `addresses that are none, or not ours, are told apart`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            #expect(self.failure(loop, "192.0.2.1", 0) == TransportError(call: .bind, code: EADDRNOTAVAIL))
            for host in ["", "nowhere.invalid", "127.0.0.1\0", "1.2.3", "127.0.0.1:80"] {
                #expect(self.failure(loop, host, 0) == TransportError(call: .resolve, code: 0), "\(host)")
            }
        }

        @Test func `localhost listens on both families at one port`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let result = loop.on { handler in
                Result { () throws(TransportError) in try handler.loop.listen(host: "localhost", port: 0) }
            }
            let port = try result.get()
            _ = try Peer(port: port)
            loop.on { handler in
                guard let address = SocketAddress("::1", port: port) else { return }
                _ = handler.loop.connect(to: address)
            }
            #expect(eventually { loop.on { $0.connected.count } == 1 })
            #expect(loop.on { $0.addresses.contains { $0.hasPrefix("[::1]:") } })
            #expect(loop.on { $0.addresses.contains { $0.hasPrefix("127.0.0.1:") } })
        }

        @Test func `accepted sockets send at once and find out about dead peers`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let peer = try Peer(port: loop.port)
            try peer.send("x")
            _ = try peer.read(exactly: 1)
            let descriptor = loop.on { handler in
                handler.loop.slots[Int(handler.accepted[0].slot)].descriptor
            }
            func option(_ level: Int32, _ name: Int32) -> Int32 {
                var value: Int32 = -1
                var length = socklen_t(4)
                unsafe getsockopt(descriptor, level, name, &value, &length)
                return value
            }
            let tcp = Int32(IPPROTO_TCP)
            #expect(option(tcp, TCP_NODELAY) == 1)
            #expect(option(SOL_SOCKET, SO_KEEPALIVE) == 1)
            #expect(option(tcp, TCP_KEEPIDLE) == 10)
            #expect(option(tcp, TCP_KEEPINTVL) == 5)
            #expect(option(tcp, TCP_USER_TIMEOUT) == 25_000)
        }

        @Test func `a slot without pending output stays small`() {
            #expect(MemoryLayout<ConnectionSlot>.stride <= 40)
        }

        private func failure(_ loop: TestLoop, _ host: String, _ port: UInt16) -> TransportError? {
            loop.on { handler in
                do throws(TransportError) {
                    _ = try handler.loop.listen(host: host, port: port)
                    return nil
                } catch {
                    return error
                }
            }
        }
    }
}
