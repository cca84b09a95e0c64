import Glibc
import Testing

extension TransportTests {
    /// Peers of the built server who go in the middle of things.
    @Suite(.serialized) struct HarshPeerTests {
        private static let patience = [
            "--log-level", "error", "--grace-seconds", "1", "--rematch-seconds", "1", "--drain-seconds", "0",
        ]

        private func server(overTLS: Bool) throws -> Child {
            let path = Certificates.folder + "localhost"
            let security = overTLS ? ["--tls-cert", path + ".pem", "--tls-key", path + ".key"] : []
            return try Child(["--port", "0"] + Self.patience + security)
        }

        /// Two of them in a race that is on.
        private func race(
            _ settings: String, _ port: UInt16, _ names: (String, String), overTLS: Bool
        ) throws -> (first: HarshPeer, second: HarshPeer, match: String) {
            let first = try HarshPeer(port, overTLS: overTLS)
            let second = try HarshPeer(port, overTLS: overTLS)
            try first.send("set notes off\nname \(names.0)\nplay 2 \(settings)\n")
            let heard = try first.read(to: "queued ")
            try #require(heard.contains("welcome "))
            try second.send("set notes off\nname \(names.1)\nplay 2 \(settings)\n")
            let found = try first.read(to: "begin ")
            let match = found.split(separator: "found match=").last?.prefix { $0 != " " }
            _ = try second.read(to: "begin ")
            return (first, second, String(try #require(match)))
        }

        /// Waits until the server says that so much lives in it, and no more.
        private func expect(_ what: String, in server: Child) {
            var last = ""
            let isSo = eventually(within: 60) {
                // The log takes twenty lines of a kind a second.
                usleep(100_000)
                server.signal(SIGUSR1)
                last = server.errorLine()
                return last.contains(" \(what) ")
            }
            #expect(isSo, "\(last)")
        }

        /// A crowd of racers and spectators, all told something all the time, is reset within a moment, some with
        /// requests on their way, some behind a stop in which all of it gathered.
        @Test(arguments: [false, true])
        func `two hundred racers and spectators reset at once take nobody with them`(overTLS: Bool) throws {
            let server = try self.server(overTLS: overTLS)
            let port = try server.port()
            let (ann, bob, match) = try self.race(
                "rule=dash finish=100000000", port, ("ann", "bob"), overTLS: overTLS)
            self.expect("connections=2 players=2 matches=1", in: server)
            let before = openDescriptors(of: "\(server.pid)")
            var crowd: [HarshPeer] = []
            for number in 0..<70 {
                let pair = try self.race(
                    "finish=1000 group=\(number)", port, ("left-\(number)", "right-\(number)"),
                    overTLS: overTLS)
                crowd += [pair.first, pair.second]
            }
            for number in 0..<60 {
                let spectator = try HarshPeer(port, overTLS: overTLS)
                try spectator.send("set notes off\nname looks-\(number)\nwatch \(match)\n")
                _ = try spectator.read(to: "snapshot ")
                crowd.append(spectator)
            }
            var moves = 0
            while let peer = crowd.popLast() {
                if crowd.count == 100 { server.signal(SIGSTOP) }
                try peer.send(String(repeating: "move\nping 7\nwho\nmatches\n", count: 5))
                try ann.send("move\nmove\n")
                moves += 2
            }
            server.signal(SIGCONT)
            self.expect("connections=2 players=2 matches=1", in: server)
            #expect(eventually { openDescriptors(of: "\(server.pid)") == before })
            // The others have missed nothing, and race on.
            _ = try bob.read(to: " alias=ann by=1 at=\(moves) ")
            try bob.send("move\n")
            for racer in [ann, bob] { _ = try racer.read(to: " alias=bob by=1 at=1 ") }
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
        }

        @Test(arguments: [false, true])
        func `who moves and resets without reading is gone, and the other is told each time`(
            overTLS: Bool
        ) throws {
            let server = try self.server(overTLS: overTLS)
            let port = try server.port()
            for round in 0..<50 {
                var mover: HarshPeer?
                let other: HarshPeer
                (mover, other, _) = try self.race(
                    "finish=1000 group=\(round)", port, ("mover-\(round)", "other-\(round)"),
                    overTLS: overTLS)
                try mover?.send("move\nmove\nwhy\nwho\n")
                mover = nil
                #expect(try other.read(to: "gone player=").contains(" alias=mover-\(round) "))
            }
            self.expect("connections=0 players=0 matches=0", in: server)
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
        }

        /// Where the allocator of 64-bit Linux puts further pools: at multiples of 64 MiB, some of it not yet usable.
        private func memoryPools(of server: Child) -> Int {
            let maps = contents(of: "/proc/\(server.pid)/maps").split(separator: "\n").map { line in
                let words = line.split(separator: " ")
                let ends = words[0].split(separator: "-").map { UInt($0, radix: 16) ?? 0 }
                return (start: ends[0], end: ends[1], isUsable: words[1].hasPrefix("rw"))
            }
            let size: UInt = 64 << 20
            return 1
                + zip(maps, maps.dropFirst()).count { first, second in
                    first.start.isMultiple(of: size) && first.isUsable && !second.isUsable
                        && first.end == second.start && second.end == first.start + size
                }
        }

        /// A queue is served by one thread now and by another then.
        @Test func `what crowds over TLS need is kept once, not once for each thread`() throws {
            let server = try self.server(overTLS: true)
            let port = try server.port()
            for round in 0..<5 {
                let crowd = try (0..<20).map { _ in try HarshPeer(port, overTLS: true) }
                for (number, peer) in crowd.enumerated() {
                    try peer.send("set notes off\nname crowd-\(round)-\(number)\n")
                    _ = try peer.read(to: "welcome ")
                }
            }
            #expect(self.memoryPools(of: server) == 1)
        }

        @Test func `descriptors above a thousand are as good as all others`() throws {
            let server = try Child(shell: "ulimit -n 4096; exec \"$0\" --memory --port 0 --connections 2000")
            let port = try server.port()
            let peers = try (0..<1500).map { _ in try Peer(port: port) }
            #expect(eventually { openDescriptors(of: "\(server.pid)") > 1500 })
            for peer in peers.suffix(10) + peers.prefix(10) {
                try peer.send("ping 7\n")
                var answer = ""
                while !answer.contains("pong value=7\n") {
                    let more = try peer.read()
                    try #require(!more.isEmpty, "closed before its answer: \(answer)")
                    answer += text(more)
                }
            }
        }
    }
}
