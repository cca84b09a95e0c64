import EventLoop
import Glibc
import RaceModel
import Testing

extension TransportTests {
    @Suite struct TLSLoopTests {
        private func server() throws -> TestLoop { try TestLoop(identity: try Certificates.identity()) }

        /// Begins a connection of a loop of ours over TLS.
        private func connect(_ client: TestLoop, port: UInt16, host: String = "localhost") throws {
            let authority = try Certificates.authority()
            client.on { handler in
                handler.onReceived = { handler, _, bytes in handler.received += bytes }
                guard let address = SocketAddress("127.0.0.1", port: port),
                    let context = try? TLSContext(authority)
                else { return }
                _ = handler.loop.connect(to: address, over: context, host: host)
            }
        }

        @Test func `a burst goes there and back over TLS, and both sides end in order`() throws {
            let (server, client) = (try self.server(), try TestLoop())
            defer { for loop in [server, client] { loop.shutDown() } }
            try self.connect(client, port: server.port)
            #expect(eventually { client.on { $0.connected.count } == 1 })
            #expect(eventually { server.on { $0.secured.count == 1 && $0.secured == $0.accepted } })
            let burst = (0..<250_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
            client.on { $0.loop.send($0.connected[0], burst.span) }
            #expect(eventually { client.on { $0.received.count } >= burst.count })
            #expect(client.on { $0.received } == burst)
            client.on { $0.loop.close($0.connected[0]) }
            #expect(eventually { client.ends == [.closed] && server.ends == [.closed] })
            #expect(server.on { $0.inputEnds.count } == 1)
        }

        @Test func `the first byte chooses, and plain connections go on beside TLS`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let plain = try Peer(port: server.port)
            let secure = try TLSPeer(port: server.port)
            try secure.shakeHands()
            for round in ["one", "two", "three"] {
                try plain.send(round)
                #expect(text(try plain.read(exactly: round.utf8.count)) == round)
                try secure.send(round)
                #expect(text(try secure.read(exactly: round.utf8.count)) == round)
            }
            plain.endOutput()
            #expect(try plain.readToEnd() == [])
            #expect(server.on { $0.secured.count } == 1)
        }

        @Test func `who ends in order gets the rest and the server's own end`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try TLSPeer(port: server.port)
            try peer.shakeHands()
            try peer.send("last words")
            try peer.sayEnd()
            #expect(text(try peer.read(exactly: 10)) == "last words")
            #expect(try peer.read() == nil)
            #expect(eventually { server.ends == [.closed] })
        }

        @Test func `a connection that is cut without the end of TLS counts as reset`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try TLSPeer(port: server.port)
            try peer.shakeHands()
            try peer.send("x")
            #expect(try peer.read() == [UInt8(ascii: "x")])
            peer.peer.endOutput()
            #expect(eventually { server.ends == [.reset] })
            #expect(server.on { $0.inputEnds } == [])
        }

        @Test func `what is kept for a TLS peer counts among what all have unread, until it is sent or lost`()
            throws
        {
            let server = try self.server()
            defer { server.shutDown() }
            let peers = try [TLSPeer(port: server.port), TLSPeer(port: server.port)]
            for peer in peers { try peer.shakeHands() }
            #expect(eventually { server.on { $0.secured.count } == 2 })
            server.on { handler in
                for connection in handler.secured {
                    handler.loop.hold(connection)
                    handler.loop.send(connection, Array("held".utf8).span)
                    handler.loop.sendAhead(connection, Array("ahead ".utf8).span)
                }
            }
            #expect(server.on { $0.loop.unreadBytes } == 20)
            server.on { $0.loop.abort($0.secured[1]) }
            #expect(eventually { server.on { $0.loop.unreadBytes } == 10 })
            server.on { $0.loop.release($0.secured[0]) }
            #expect(server.on { $0.loop.unreadBytes } == 0)
        }

        @Test func `who ends their side while the last words are held gets them all the same`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try TLSPeer(port: server.port)
            try peer.shakeHands()
            #expect(eventually { server.on { $0.secured.count } == 1 })
            server.on { handler in
                handler.loop.hold(handler.secured[0])
                handler.loop.send(handler.secured[0], Array("over and out".utf8).span)
                handler.loop.close(handler.secured[0])
            }
            peer.peer.endOutput()
            usleep(100_000)
            #expect(server.ends == [])
            server.on { $0.loop.release($0.secured[0]) }
            #expect(text(try peer.read(exactly: 12)) == "over and out")
            #expect(eventually { server.ends == [.closed] })
        }

        @Test func `what is sent during the handshake comes behind it`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try TLSPeer(port: server.port)
            let hello = try #require(try peer.step())
            try peer.peer.send(Array(hello[..<100]))
            #expect(eventually { server.on { $0.loop.counters.reads } == 1 })
            server.on { $0.loop.send($0.accepted[0], Array("hello ".utf8).span) }
            server.on { $0.loop.send($0.accepted[0], Array("you".utf8).span) }
            try peer.peer.send(Array(hello[100...]))
            try peer.receive()
            try peer.shakeHands()
            #expect(text(try peer.read(exactly: 9)) == "hello you")
        }

        /// A server without time to read must not take who has spoken for silent.
        @Test func `a handshake that waits unread is no silence, and what is sent comes behind it`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try TLSPeer(port: server.port)
            #expect(eventually { server.on { $0.accepted.count } == 1 })
            let hello = try #require(try peer.step())
            let descriptor = peer.peer.descriptor
            server.on { handler in
                _ = unsafe send(descriptor, hello, hello.count, 0)
                handler.loop.send(handler.accepted[0], Array("hello".utf8).span)
            }
            try peer.receive()
            try peer.shakeHands()
            #expect(text(try peer.read(exactly: 5)) == "hello")
        }

        @Test func `who has been sent plain text speaks plain from then on`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try Peer(port: server.port)
            #expect(eventually { server.on { $0.accepted.count } == 1 })
            server.on { $0.loop.send($0.accepted[0], Array("hello".utf8).span) }
            #expect(text(try peer.read(exactly: 5)) == "hello")
            try peer.send([0x16, 3, 1])
            #expect(try peer.read(exactly: 3) == [0x16, 3, 1])
        }

        @Test func `garbage behind the first byte is refused, and so are too long handshakes`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let garbage = try Peer(port: server.port)
            try garbage.send([0x16] + Array("garbage, and more of it".utf8))
            _ = try garbage.readToEnd()
            // A first message of 96 KiB, in right records: nobody keeps as much.
            let endless = try Peer(port: server.port)
            var record: [UInt8] = [0x16, 3, 1, 0x40, 0, 1, 1, 0x80, 0]
            record += Array(repeating: 0, count: 0x4000 - 4)
            try endless.send(record)
            try? endless.send([0x16, 3, 1, 0x40, 0] + Array(repeating: 0, count: 0x4000))
            _ = try? endless.readToEnd()
            #expect(eventually { server.ends.count == 2 })
            let refusals = server.on { $0.refusals }
            #expect(refusals.contains { if case .tls(let it) = $0 { it.reason == .notTLS } else { false } })
            #expect(refusals.contains(.tls(TLSFailure(.tooLong))))
            #expect(server.on { $0.secured } == [])
        }

        @Test func `who does not read is closed at the same limit as in plain`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            server.on { $0.onReceived = { _, _, _ in } }
            let peer = try TLSPeer(port: server.port)
            try peer.shakeHands()
            #expect(eventually { server.on { $0.secured.count } == 1 })
            let block = [UInt8](repeating: 7, count: 60_000)
            var most = 0
            for _ in 0..<1000 where server.ends.isEmpty {
                most = max(
                    most,
                    server.on { handler in
                        handler.loop.send(handler.accepted[0], block.span)
                        return handler.loop.unsentBytes(handler.accepted[0])
                    })
            }
            #expect(server.ends == [.slowReader])
            #expect(most > 150_000 && most <= Limits.unreadOutputBytes)
        }

        /// What is unread is measured as it came and again as ciphertext, which is longer: either may be too much.
        @Test func `the last byte that may be unread is counted behind the encryption too`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            server.on { $0.onReceived = { _, _, _ in } }
            let (blind, other) = (try TLSPeer(port: server.port), try TLSPeer(port: server.port))
            for peer in [blind, other] { try peer.shakeHands() }
            #expect(eventually { server.on { $0.secured.count } == 2 })
            let waiting = server.on { handler in
                let connection = handler.secured[0]
                while handler.loop.unsentBytes(connection) == 0 {
                    handler.loop.send(connection, [UInt8](repeating: 7, count: 60_000).span)
                }
                let room = Limits.unreadOutputBytes - handler.loop.unsentBytes(connection)
                handler.loop.send(connection, [UInt8](repeating: 7, count: room).span)
                return handler.loop.unreadBytes
            }
            #expect(waiting == 0)
            #expect(eventually { server.ends == [.slowReader] })
            server.on { $0.loop.send($0.secured[1], Array("still here".utf8).span) }
            #expect(text(try other.read(exactly: 10)) == "still here")
        }

        @Test func `who resets while something is written to them ends alone`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let (gone, other) = (try TLSPeer(port: server.port), try TLSPeer(port: server.port))
            for peer in [gone, other] { try peer.shakeHands() }
            #expect(eventually { server.on { $0.secured.count } == 2 })
            gone.peer.makeAbortive()
            let descriptor = gone.peer.descriptor
            server.on { handler in
                // The socket is closed, and its number stays the peer's.
                let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
                dup2(nothing, descriptor)
                close(nothing)
                for connection in handler.secured {
                    handler.loop.send(connection, Array("who ".utf8).span)
                    handler.loop.send(connection, Array("is there".utf8).span)
                }
            }
            #expect(eventually { server.ends == [.reset] })
            #expect(text(try other.read(exactly: 12)) == "who is there")
            #expect(server.live == 1)
        }

        @Test(arguments: [
            ("localhost", "race.example", TLSFailure.Reason.otherHost), ("localhost", "10.0.0.1", .otherHost),
            ("expired", "localhost", .expired), ("own", "localhost", .untrusted),
            ("other", "localhost", .otherHost),
        ])
        func `a server that is not who it should be is never connected to`(
            certificate: String, host: String, reason: TLSFailure.Reason
        ) throws {
            let server = try TestLoop(identity: try Certificates.identity(certificate))
            let client = try TestLoop()
            defer { for loop in [server, client] { loop.shutDown() } }
            try self.connect(client, port: server.port, host: host)
            #expect(eventually { client.ends.count == 1 })
            guard case .notSecured(let failure) = client.ends.first else {
                Issue.record("\(client.ends)")
                return
            }
            #expect(failure.reason == reason)
            switch (certificate, reason) {
            case ("other", _): #expect(failure.details == "race.example")
            case (_, .otherHost): #expect(failure.details == "localhost, 127.0.0.1")
            case (_, .expired): #expect(failure.details == "Jan  1 00:00:00 2021 GMT")
            default: break
            }
            #expect(client.on { $0.connected } == [])
            #expect(server.on { $0.secured } == [] && server.on { $0.received } == [])
        }

        @Test func `an address of the certificate is as good as its name`() throws {
            let (server, client) = (try self.server(), try TestLoop())
            defer { for loop in [server, client] { loop.shutDown() } }
            try self.connect(client, port: server.port, host: "127.0.0.1")
            #expect(eventually { client.on { $0.connected.count } == 1 })
        }

        @Test func `a server without TLS is found out`() throws {
            for answer in ["", "hello server=catrace version=1\n"] {
                let (server, client) = (try TestLoop(), try TestLoop())
                defer { for loop in [server, client] { loop.shutDown() } }
                server.on { handler in
                    handler.onReceived = { handler, connection, _ in
                        handler.loop.send(connection, Array(answer.utf8).span)
                        handler.loop.close(connection)
                    }
                }
                try self.connect(client, port: server.port)
                #expect(eventually { client.ends.count == 1 })
                guard case .notSecured(let failure) = client.ends.first else {
                    Issue.record("\(client.ends)")
                    return
                }
                #expect(failure.reason == (answer.isEmpty ? .brokenOff : .notTLS))
            }
        }

        @Test func `a crowd that comes at once is let in bit by bit, and all of it`() throws {
            let (server, client) = (try self.server(), try TestLoop())
            defer { for loop in [server, client] { loop.shutDown() } }
            for _ in 0..<100 { try self.connect(client, port: server.port) }
            let plain = try Peer(port: server.port)
            try plain.send("x")
            #expect(text(try plain.read(exactly: 1)) == "x")
            #expect(eventually { client.on { $0.connected.count } == 100 })
            client.on { handler in
                for connection in handler.connected { handler.loop.send(connection, [1].span) }
            }
            #expect(eventually { client.on { $0.received.count } == 100 })
            client.on { handler in for connection in handler.connected { handler.loop.close(connection) } }
            #expect(eventually { client.live == 0 && server.live == 1 })
        }

        @Test func `a new certificate is for new connections`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let old = try TLSPeer(port: server.port)
            try old.shakeHands()
            let identity = try Certificates.identity("other")
            server.on { try? $0.loop.secure(by: identity) }
            #expect(throws: TLSPeer.Failed.self) { try TLSPeer(port: server.port).shakeHands() }
            try TLSPeer(port: server.port, host: "race.example").shakeHands()
            try old.send("still here")
            #expect(text(try old.read(exactly: 10)) == "still here")
        }
    }
}
