import Glibc
import Testing

extension TransportTests {
    /// The door of the real binary.
    @Suite struct DoorProcessTests {
        @Test func `who is one too many of an address is told and closed, and one that goes makes room`()
            throws
        {
            let server = try Child(["--port=0", "--cap-loopback", "--connections-per-address", "2"])
            let port = try server.port()
            var peers = try (0..<2).map { _ in try Peer(port: port) }
            for peer in peers {
                try peer.send("ping 1\n")
                _ = try peer.read()
            }
            for _ in 0..<3 {
                let over = try Peer(port: port)
                #expect(
                    text(try over.readToEnd())
                        == "bye reason=full text=\"your address has 2 connections here, which is all it can have: "
                        + "close one first\"\n")
            }
            peers.removeLast()
            #expect(
                eventually {
                    guard let next = try? Peer(port: port) else { return false }
                    try? next.send("ping 7\n")
                    return (try? text(next.readToPong()))?.contains("pong value=7") == true
                })
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let lines = server.restOfErrors().split(separator: "\n").filter { $0.contains("event=refused ") }
            #expect(lines.count == 1 && lines[0].hasSuffix(" address=127.0.0.1 reason=full"), "\(lines)")
        }

        @Test func `a banned address is told so, and another is let in`() throws {
            let server = try Child(["--port=0", "--host=0.0.0.0", "--ban", "127.0.0.0/8,192.0.2.7"])
            let port = try server.port()
            let banned = try Peer(port: port)
            #expect(
                text(try banned.readToEnd())
                    == "bye reason=banned text=\"your address is banned for good\"\n")
            let other = try Child(["--port=0", "--ban", "192.0.2.0/24"])
            let peer = try Peer(port: other.port())
            try peer.send("ping 1\n")
            #expect(try text(peer.readToPong()).contains("pong value=1"))
        }

        @Test func `connects on and on leave the server whole and room for others`() throws {
            let server = try Child(["--port=0", "--connections=50", "--cap-loopback", "--log-level=warning"])
            let port = try server.port()
            let before = openDescriptors(of: "\(server.pid)")
            var peers: [Peer] = []
            for _ in 0..<600 { peers.append(try Peer(port: port)) }
            // 32 are let in and 8 told why not; the others are closed at once, and fifty places are enough.
            #expect(eventually { openDescriptors(of: "\(server.pid)") < before + 42 })
            peers = []
            #expect(eventually { openDescriptors(of: "\(server.pid)") <= before + 2 })
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
        }

        @Test(arguments: [1, 2])
        func `a server with all its connections says so once, and goes on within a second`(_ loops: Int)
            throws
        {
            let server = try Child(["--port=0", "--connections=3", "--loops=\(loops)"])
            let port = try server.port()
            var times: [Double] = []
            for _ in 0..<5 {
                var peers = try (0..<3).map { _ in try Peer(port: port) }
                for peer in peers {
                    try peer.send("ping 1\n")
                    _ = try peer.read()
                }
                let waiting = try Peer(port: port)
                try waiting.send("ping 2\n")
                peers = []
                times.append(
                    try time { () throws in
                        #expect(try text(waiting.readToPong()).contains("pong value=2"))
                    })
            }
            #expect(times.contains { $0 < 1 }, "\(times)")
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let lines = server.restOfErrors().split(separator: "\n").filter {
                $0.contains("connections-full")
            }
            #expect(lines.count == 1 && lines[0].hasSuffix(" connections=3"), "\(lines)")
        }
    }
}

extension Peer {
    /// All that comes up to the end of a line that answers a ping.
    func readToPong() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while !text(bytes).contains("pong value=") || bytes.last != 0x0A {
            let more = try self.read()
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}
