import Glibc
import Testing

@testable import ServerRuntime

extension TransportTests {
    /// The real binary, with a certificate and behind proxies.
    @Suite struct LayeredServerTests {
        private func start(_ more: [String] = []) throws -> (Child, [UInt16]) {
            let files = Certificates.files("localhost")
            let server = try Child(
                ["--port", "0", "--tls-cert", files.certificate, "--tls-key", files.key] + more)
            let words = server.line().split(separator: " ").map { $0.split(separator: "=") }
            return (server, words.compactMap { $0.last.flatMap { UInt16($0) } })
        }

        @Test func `it says where proxies connect, and both ports are its own`() throws {
            let server = try Child(["--port=0", "--proxy-port=0", "--proxy-from", "10.0.0.0/8,127.0.0.1"])
            let line = server.line()
            let ports = line.split(separator: " ").compactMap {
                $0.split(separator: "=").last.flatMap { UInt16($0) }
            }
            #expect(
                ports.count == 2 && line == "listening host=127.0.0.1 port=\(ports[0]) proxy-port=\(ports[1])"
            )
            let direct = try Peer(port: ports[0])
            try direct.send("ping 1\n")
            #expect(text(try direct.read()).contains("hello"))
            let proxied = try Peer(port: ports[1])
            try proxied.send("PROXY TCP4 203.0.113.9 10.0.0.1 5555 7223\r\n\u{16}\n")
            #expect(try proxied.readToEnd() == [])
            for _ in 0..<30 {
                let wrong = try Peer(port: ports[1])
                try wrong.send("name ann\n")
                #expect((try? wrong.readToEnd()) ?? [] == [])
            }
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let log = server.restOfErrors().split(separator: "\n")
            #expect(
                log.contains { $0.contains("event=tls-refused") && $0.contains("address=203.0.113.9") })
            #expect(log.count { $0.contains("event=proxy-refused") } == 1, "\(log)")
        }

        @Test func `one port can be the proxies' alone`() throws {
            let free = try Child(["--port", "0"])
            let port = try free.port()
            free.signal(SIGTERM)
            #expect(free.exitCode() == 0)
            let server = try Child(["--port=\(port)", "--proxy-port=\(port)", "--proxy-from=127.0.0.1"])
            #expect(server.line() == "listening host=127.0.0.1 port=\(port) proxy-port=\(port)")
            let peer = try Peer(port: port)
            try peer.send("PROXY UNKNOWN\r\nping 1\n")
            #expect(text(try peer.read()).contains("hello"))
            let direct = try Peer(port: port)
            try direct.send("ping 1\n")
            #expect((try? direct.readToEnd()) ?? [] == [])
        }

        @Test func `flags that are wrong or need others are one sentence`() {
            for (arguments, sentence) in [
                (
                    ["--proxy-from", "10.0.0.1/8"],
                    "--proxy-from must be up to 64 addresses or networks, such as "
                ),
                (
                    ["--proxy-port", "1"],
                    "proxy-port needs proxy-from, the addresses of the proxies that are"
                ),
                (
                    ["--proxy-from", "::1"],
                    "proxy-from needs proxy-port, the port that the proxies connect to"
                ),
                (
                    ["--proxy-port", "65536"],
                    "--proxy-port must be a whole number from 0 to 65535, not '65536'"
                ),
                (["--tls-cert", "a"], "tls-cert needs tls-key as well"),
                (["--tls-key", "a"], "tls-key needs tls-cert as well"),
                (["--tls-key="], "--tls-key must be the path of a file in PEM"),
                (["--keys", "none"], "--keys must be tls or any, not 'none'"),
                (
                    ["--tls-cert", "no-such", "--tls-key", "b"],
                    "--tls-cert 'no-such' is not there: give the file"
                ),
            ] {
                guard let child = try? Child(arguments) else { continue }
                #expect(child.exitCode() == 2)
                let text = child.restOfErrors()
                #expect(text.hasPrefix("catrace-server: \(sentence)"), "\(text)")
                #expect(text.split(separator: "\n").count == 1)
            }
        }

        /// Each holds what a handshake needs, for five seconds at most.
        @Test func `two hundred half-open handshakes leave players what they need, and then go`() throws {
            let (server, ports) = try self.start()
            let player = try TLSPeer(port: ports[0])
            try player.shakeHands()
            try player.send("ping 0\n")
            while try !text(player.read() ?? []).contains("pong value=0") {}
            let memory = Self.kilobytes(of: server)
            let start = elapsed()
            // Half of them begin, half leave the server's answer without a reply.
            let strangers = try (0..<200).map { _ in try TLSPeer(port: ports[0]) }
            for (index, stranger) in strangers.enumerated() {
                let hello = try stranger.step() ?? []
                try stranger.peer.send(index % 2 == 0 ? hello : Array(hello.prefix(50)))
            }
            var slowest = 0.0
            for turn in 1...100 {
                let asked = elapsed()
                try player.send("ping \(turn)\n")
                #expect(text(try player.read() ?? []) == "pong value=\(turn)\n")
                slowest = max(slowest, elapsed() - asked)
            }
            // Not only once they have gone.
            #expect(slowest < 4, "\(slowest) s")
            #expect(Self.kilobytes(of: server) - memory < 200 * 64)
            for stranger in strangers { while let more = try? stranger.peer.read(), !more.isEmpty {} }
            #expect((4...25).contains(elapsed() - start))
            try player.send("ping 101\n")
            #expect(text(try player.read() ?? []) == "pong value=101\n")
        }

        private static func kilobytes(of server: Child) -> Int {
            let lines = contents(of: "/proc/\(server.pid)/status").split(separator: "\n")
            return lines.first { $0.hasPrefix("VmRSS") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }
    }
}
