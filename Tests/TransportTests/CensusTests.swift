import Glibc
import Testing

extension TransportTests {
    /// What an operator sees of a running server.
    @Suite struct CensusTests {
        /// Has it say what lives in it until that is as it should be, and gives the last it said.
        private static func census(
            _ server: Child, asked: inout Int, until isRight: ([String: Int]) -> Bool
        ) -> [String: Int] {
            var last: [String: Int] = [:]
            let start = elapsed()
            repeat {
                server.signal(SIGUSR1)
                asked += 1
                let lines = server.errors.lines(holding: " event=census ", moreThan: asked - 1)
                last = lines.last.map { Self.fields($0) } ?? [:]
                // The log leaves out what comes more often than twenty times a second.
                usleep(100_000)
            } while !isRight(last) && elapsed() - start < 30
            #expect(isRight(last), "\(last)")
            return last
        }

        private static func fields(_ line: String) -> [String: Int] {
            let pairs = line.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
            return Dictionary(
                uniqueKeysWithValues: pairs.compactMap { pair in
                    pair.count == 2 ? Int(pair[1]).map { (String(pair[0]), $0) } : nil
                })
        }

        @Test func `a signal has it say what lives in it, at any level, and it goes on`() throws {
            let server = try Child(["--port", "0", "--log-level", "error"])
            let port = try server.port()
            var asked = 0
            // The first who comes and goes has the system libraries open what they keep.
            let first = try Peer(port: port)
            try first.send("ping 1\nquit\n")
            _ = try first.readToEnd()
            let before = Self.census(server, asked: &asked) { $0["connections"] == 0 }
            var peers = try (0..<3).map { _ in try Peer(port: port) }
            for (index, peer) in peers.enumerated() {
                try peer.send("name p\(index)\n\(index == 0 ? "play" : "ping 1")\n")
                #expect(try text(peer.read()).hasPrefix("hello "))
            }
            let during = Self.census(server, asked: &asked) {
                $0["connections"] == 3 && $0["players"] == 3 && $0["tickets"] == 1 && $0["look-ups"] == 0
                    && $0["unread"] == 0 && $0["held"] == 0
            }
            peers = []
            let after = Self.census(server, asked: &asked) {
                $0["connections"] == 0 && $0["players"] == 0 && $0["tickets"] == 0
            }
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            #expect(server.errors.lines(holding: " event=census ").count == asked, "one for each signal")
            for key in ["players", "tickets"] { #expect(before[key] == 0, "\(key)") }
            for key in ["matches", "invites", "look-ups", "unread", "held"] {
                #expect([before, during, after].map { $0[key] } == [0, 0, 0], "\(key)")
            }
            let descriptors = [before, during, after].map { $0["descriptors"] ?? 0 }
            #expect(descriptors[1] == descriptors[0] + 3 && descriptors[2] == descriptors[0])
            #expect([before, during, after].allSatisfy { ($0["memory"] ?? 0) > 1 << 20 })
        }
    }
}
