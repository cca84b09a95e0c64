import EventLoop
import ProxyProtocol
import RaceModel
import Testing

extension TransportTests {
    @Suite struct ProxyLoopTests {
        private let line = "PROXY TCP4 203.0.113.9 10.0.0.1 5555 7223\r\n"

        private func server(from networks: String = "127.0.0.0/8", tls: Bool = false) throws -> TestLoop {
            try TestLoop(
                identity: tls ? try Certificates.identity() : nil,
                proxies: IPNetwork.list(networks, limit: 2) ?? [])
        }

        @Test func `the address in the header counts, and what follows it is handed on`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]
            let ipv6: [UInt8] = Array(repeating: 0, count: 15) + [9] + Array(repeating: 0, count: 16)
            for (header, address) in [
                (Array(self.line.utf8), "203.0.113.9:5555"),
                (signature + [0x21, 0x11, 0, 12, 192, 0, 2, 1, 1, 1, 1, 1, 0, 80, 0, 80], "192.0.2.1:80"),
                (signature + [0x21, 0x21, 0, 36] + ipv6 + [0, 80, 0, 80], "[::9]:80"),
            ] {
                let peer = try Peer(port: server.port)
                try peer.send(header + Array("ping".utf8))
                #expect(text(try peer.read(exactly: 4)) == "ping")
                #expect(server.on { $0.addresses.last } == address)
            }
            #expect(server.on { $0.secured } == [])
        }

        @Test func `a header may come in pieces, and nobody hears of the connection before`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try Peer(port: server.port)
            for (index, byte) in self.line.utf8.enumerated() {
                #expect(server.on { $0.accepted } == [])
                try peer.send([byte])
                #expect(eventually { server.on { $0.loop.counters.reads } == index + 1 })
            }
            #expect(server.on { $0.addresses } == ["203.0.113.9:5555"])
            try peer.send("x")
            #expect(text(try peer.read(exactly: 1)) == "x")
        }

        @Test func `of itself, a proxy is its own address`() throws {
            let server = try self.server()
            defer { server.shutDown() }
            let peer = try Peer(port: server.port)
            try peer.send("PROXY UNKNOWN\r\nx")
            #expect(text(try peer.read(exactly: 1)) == "x")
            #expect(server.on { $0.addresses[0].hasPrefix("127.0.0.1:") })
        }

        @Test func `TLS goes on behind a header, and a proxy may say that it was before`() throws {
            let server = try self.server(tls: true)
            defer { server.shutDown() }
            let through = try TLSPeer(port: server.port)
            try through.peer.send(self.line)
            try through.shakeHands()
            try through.send("secret")
            #expect(text(try through.read(exactly: 6)) == "secret")
            #expect(server.on { $0.secured.count } == 1)
            let ended = try Peer(port: server.port)
            let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]
            let addresses: [UInt8] = [192, 0, 2, 1, 1, 1, 1, 1, 0, 80, 0, 80]
            try ended.send(signature + [0x21, 0x11, 0, 20] + addresses + [0x20, 0, 5, 1, 0, 0, 0, 0] + [65])
            #expect(try ended.read(exactly: 1) == [65])
            #expect(server.on { $0.secured.count } == 2)
        }

        @Test func `who is not a proxy, or does not speak like one, is closed and never heard of`() throws {
            for (networks, sent, refusal) in [
                ("10.0.0.0/8,::1", "PROXY UNKNOWN\r\nx", ConnectionRefusal.notAProxy),
                ("127.0.0.1", "name ann\n", .badHeader(.noHeader)),
                ("127.0.0.1", "PROXY TCP4 1.2.3.4\r\nname ann\n", .badHeader(.badLine)),
                ("127.0.0.1", "PROXY TC", .headerBrokenOff), ("127.0.0.1", "", .headerBrokenOff),
            ] {
                let server = try self.server(from: networks)
                defer { server.shutDown() }
                let peer = try Peer(port: server.port)
                try? peer.send(sent)
                peer.endOutput()
                #expect((try? peer.readToEnd()) ?? [] == [])
                #expect(eventually { server.live == 0 && server.on { $0.refusals.count } == 1 })
                #expect(server.on { $0.refusals } == [refusal])
                #expect(server.on { $0.accepted } == [] && server.ends == [])
            }
        }

        /// One test for all that waits, since it takes as long as the limit.
        @Test func `headers and handshakes that do not come are given up, all others are not`() throws {
            let proxied = try self.server()
            let secure = try TestLoop(identity: try Certificates.identity())
            defer { for loop in [proxied, secure] { loop.shutDown() } }
            let start = elapsed()
            let silent = try (0..<20).map { _ in try Peer(port: proxied.port) }
            let half = try (0..<20).map { _ in try Peer(port: secure.port) }
            try silent[0].send("PROXY TCP4 1.2.3.4 ")
            for peer in half { try peer.send([0x16, 3, 1]) }
            let undecided = try Peer(port: secure.port)
            let standing = try TLSPeer(port: secure.port)
            try standing.shakeHands()
            let done = try Peer(port: proxied.port)
            try done.send(self.line)
            #expect(eventually { proxied.live == 1 && secure.live == 2 })
            #expect((4.9...25).contains(elapsed() - start))
            #expect(proxied.on { $0.refusals } == Array(repeating: .headerLate, count: 20))
            #expect(secure.on { $0.refusals } == Array(repeating: .tls(TLSFailure(.tooLate)), count: 20))
            #expect(proxied.ends == [])
            #expect(secure.ends == Array(repeating: .notSecured(TLSFailure(.tooLate)), count: 20))
            for peer in [undecided, done] {
                try peer.send("x")
                #expect(text(try peer.read(exactly: 1)) == "x")
            }
            try standing.send("x")
            #expect(text(try standing.read(exactly: 1)) == "x")
        }
    }
}
