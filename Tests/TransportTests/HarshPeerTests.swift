import Glibc
import Testing

extension TransportTests {
    /// Peers of the built server who go in the middle of things.
    @Suite(.serialized) struct HarshPeerTests {
        /// Reads until this was read.
        private func read(_ peer: Peer, to end: String) throws -> String {
            var bytes: [UInt8] = []
            while !text(bytes).contains(end) {
                let more = try peer.read()
                try #require(!more.isEmpty, "closed before '\(end)': \(text(bytes))")
                bytes += more
            }
            return text(bytes)
        }

        @Test func `descriptors above a thousand are as good as all others`() throws {
            let server = try Child(shell: "ulimit -n 4096; exec \"$0\" --memory --port 0 --connections 2000")
            let port = try server.port()
            let peers = try (0..<1500).map { _ in try Peer(port: port) }
            #expect(eventually { openDescriptors(of: "\(server.pid)") > 1500 })
            for peer in peers.suffix(10) + peers.prefix(10) {
                try peer.send("ping 7\n")
                _ = try self.read(peer, to: "pong value=7\n")
            }
        }
    }
}
