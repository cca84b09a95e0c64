import Glibc
import Testing

extension TransportTests {
    /// What an operator sees of a running server.
    @Suite struct CensusTests {
        /// The fields of the census lines of a log.
        private static func fields(_ log: String) -> [[String: Int]] {
            log.split(separator: "\n").filter { $0.contains(" event=census ") }.map { line in
                let pairs = line.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
                return Dictionary(
                    uniqueKeysWithValues: pairs.compactMap { pair in
                        pair.count == 2 ? Int(pair[1]).map { (String(pair[0]), $0) } : nil
                    })
            }
        }

        @Test func `a signal has it say what lives in it, at any level, and it goes on`() throws {
            let server = try Child(["--port", "0", "--log-level", "error"])
            let port = try server.port()
            server.signal(SIGUSR1)
            usleep(100_000)
            do {
                let peers = try (0..<3).map { _ in try Peer(port: port) }
                for (index, peer) in peers.enumerated() {
                    try peer.send("name p\(index)\n\(index == 0 ? "play" : "ping 1")\n")
                    #expect(try text(peer.read()).hasPrefix("hello "))
                }
                usleep(200_000)
                server.signal(SIGUSR1)
                usleep(100_000)
            }
            usleep(200_000)
            server.signal(SIGUSR1)
            usleep(100_000)
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let lines = Self.fields(server.restOfErrors())
            try #require(lines.count == 3)
            #expect(lines.map { $0["connections"] } == [0, 3, 0])
            #expect(lines.map { $0["players"] } == [0, 3, 0])
            #expect(lines.map { $0["tickets"] } == [0, 1, 0])
            for key in ["matches", "invites", "look-ups", "unread", "held"] {
                #expect(lines.map { $0[key] } == [0, 0, 0], "\(key)")
            }
            let descriptors = lines.map { $0["descriptors"] ?? 0 }
            #expect(descriptors[1] == descriptors[0] + 3 && descriptors[2] == descriptors[0])
            #expect(lines.allSatisfy { ($0["memory"] ?? 0) > 1 << 20 })
        }
    }
}
