import Glibc
import RaceModel
import ServerCore
import Testing

@testable import ServerRuntime

extension TransportTests {
    /// What operators' machines see over HTTP.
    @Suite struct AdminTests {
        private func running(
            loops: Int = 1, _ body: (RunningServer, UInt16) throws -> Void
        ) throws {
            var settings = ServerSettings()
            settings.loops = loops
            settings.port = 0
            settings.logLevel = .error
            settings.admin = HostAndPort(host: "127.0.0.1", port: 0)
            let server = try RunningServer(settings)
            let stopped = Flag()
            defer {
                server.stop { stopped.set() }
                #expect(eventually { stopped.isSet })
            }
            try body(server, try #require(server.adminPort))
        }

        private func ask(_ port: UInt16, _ request: String) throws -> String {
            let peer = try Peer(port: port)
            try peer.send(request)
            return text(try peer.readToEnd())
        }

        @Test func `a living server is alive and ready, and shows its players and connections`() throws {
            try self.running { (server, port) throws in
                #expect(
                    try self.ask(port, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").hasSuffix("\r\n\r\nalive\n"))
                #expect(try self.ask(port, "GET /readyz HTTP/1.0\n\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
                let player = try Peer(port: server.port)
                try player.send("name -\nname ann\n")
                var seen = ""
                while !seen.contains("welcome") { seen += text(try player.read()) }
                let metrics = try self.ask(port, "GET /metrics?x=1 HTTP/1.1\r\n\r\n")
                #expect(metrics.contains("Content-Type: text/plain; version=0.0.4"))
                for line in [
                    "catrace_players 1", "catrace_connections{dialect=\"text\"} 1",
                    "catrace_matches{state=\"active\",rule=\"turns\"} 0", "catrace_results_pending 0",
                    "catrace_refusals_total{code=\"bad-alias\"} 1", "catrace_bytes_received_total 16",
                    "catrace_turned_away_total{reason=\"banned\"} 0", "catrace_log_lines_lost_total 0",
                    "catrace_queue_wait_seconds_count 0", "catrace_loop_lag_seconds_count",
                    "catrace_batch_seconds_bucket{le=\"+Inf\"}",
                ] {
                    #expect(metrics.contains("\n" + line), "\(line)")
                }
                #expect(!metrics.contains("\nprocess_open_fds 0\n"))
                #expect(!metrics.contains("\nprocess_resident_memory_bytes 0\n"))
            }
        }

        @Test func `with several loops batches are measured too, across all of them`() throws {
            try self.running(loops: 2) { (server, port) throws in
                let peers = try (0..<4).map { _ in try Peer(port: server.port) }
                for peer in peers {
                    try peer.send("ping 1\n")
                    _ = try peer.readToPong()
                }
                let metrics = try self.ask(port, "GET /metrics HTTP/1.1\r\n\r\n")
                let count = metrics.split(separator: "\n").first {
                    $0.hasPrefix("catrace_batch_seconds_count ")
                }
                let batches = count?.split(separator: " ").last.flatMap { Int($0) } ?? 0
                #expect(batches >= 4, "\(count ?? "none")")
                #expect(metrics.contains("\ncatrace_connections{dialect=\"text\"} 4\n"))
            }
        }

        @Test func `every metric that alerts and dashboards ask for is there`() throws {
            try self.running { (_, port) throws in
                let metrics = try self.ask(port, "GET /metrics HTTP/1.1\r\n\r\n")
                let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
                var asked: Set<Substring> = []
                for file in ["prometheus/alerts.yml", "grafana/catrace.json"] {
                    let words = contents(of: "\(folder)/docker/\(file)").split {
                        !($0.isLetter || $0.isNumber || $0 == "_")
                    }
                    asked.formUnion(words.filter { $0.hasPrefix("catrace_") || $0.hasPrefix("process_") })
                }
                #expect(asked.count > 10)
                for name in asked { #expect(metrics.contains("\n\(name)"), "\(name)") }
            }
        }

        @Test func `a HEAD has the length of what a GET would bring, and no body`() throws {
            try self.running { (_, port) throws in
                let answer = try self.ask(port, "HEAD /livez HTTP/1.1\r\n\r\n")
                #expect(answer.contains("Content-Length: 6\r\n"))
                #expect(answer.hasSuffix("\r\n\r\n"))
            }
        }

        @Test func `what can't be answered is told what could be`() throws {
            try self.running { (_, port) throws in
                #expect(try self.ask(port, "POST /livez HTTP/1.1\r\n\r\n").contains("Allow: GET, HEAD\r\n"))
                #expect(
                    try self.ask(port, "GET /metric HTTP/1.1\r\n\r\n").hasSuffix(
                        "there are /livez, /readyz, /metrics\n"))
                #expect(try self.ask(port, "\u{16}\u{3}\u{1}\n\n").hasPrefix("HTTP/1.1 400 "))
                #expect(
                    try self.ask(port, "GET /\(String(repeating: "a", count: 5000))").hasPrefix(
                        "HTTP/1.1 431 "))
            }
        }

        @Test func `who asks for nothing is closed, and others are answered meanwhile`() throws {
            try self.running { (_, port) throws in
                let isClosed = try isPrompt(within: 4, tries: 3) {
                    let silent = try Peer(port: port)
                    try silent.send("GET /livez HTTP/1.1\r\n")
                    #expect(try self.ask(port, "GET /livez HTTP/1.1\r\n\r\n").contains("alive"))
                    return try time { () throws in #expect(try silent.readToEnd().isEmpty) }
                }
                #expect(isClosed)
            }
        }

        @Test func `however many hold connections and say nothing, who asks is answered`() throws {
            try self.running { (_, port) throws in
                let silent = try (0..<10 * AdminServer.connections).map { _ in try Peer(port: port) }
                let start = elapsed()
                #expect(try self.ask(port, "GET /livez HTTP/1.1\r\n\r\n").contains("alive"))
                // Each of ten crowds would have had its time, and then some to end in.
                #expect(elapsed() - start < 10 * Double(AdminServer.patience.seconds))
                #expect(silent.count == 640)
            }
        }

        @Test func `a health check tells a living server from a stopped one and from none`() throws {
            let server = try Child(["--port", "0", "--log-level", "error"])
            let port = try server.port()
            let healthy = try Child(["health", "--port", "\(port)"])
            #expect(healthy.exitCode() == 0)
            #expect(healthy.restOfErrors().isEmpty)
            server.stop()
            let stuck = try Child(["health", "--port", "\(port)"])
            #expect(stuck.exitCode() == 1)
            #expect(stuck.restOfErrors().contains("did not answer as it should within 2 seconds"))
            server.signal(SIGCONT)
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let full = try Child(["--port", "0", "--cap-loopback", "--connections-per-address", "1"])
            let fullPort = try full.port()
            let peer = try Peer(port: fullPort)
            try peer.send("ping 1\n")
            var seen = ""
            while !seen.contains("pong value=1\n") { seen += text(try peer.read()) }
            let refused = try Child(["health", "--port", "\(fullPort)"])
            #expect(refused.exitCode() == 1)
            let said = refused.restOfErrors()
            #expect(said.contains("it said 'bye reason=full ") && said.contains("ask by --admin"), "\(said)")
            full.signal(SIGTERM)
            #expect(full.exitCode() == 0)
            let none = try Child(["health", "--admin", "127.0.0.1:\(port)"])
            #expect(none.exitCode() == 1)
            #expect(none.restOfErrors().contains("nobody listens on port \(port)"))
        }

        @Test func `every cut of a request is read the same, and bytes that are none are refused`() {
            let whole = Array("GET /metrics?a=b HTTP/1.1\r\nHost: here\r\n\r\n".utf8)
            for count in 0..<whole.count { #expect(HTTPRequest.read(Array(whole[..<count])) == .incomplete) }
            #expect(HTTPRequest.read(whole) == .request(HTTPRequest(method: "GET", path: "/metrics")))
            for bad in [
                "\n\n", "GET\n\n", "GET / HTTP/2\n\n", "GET  / HTTP/1.1\n\n", "GET x HTTP/1.1\n\n",
                "G\u{e9} / HTTP/1.1\n\n",
            ] {
                guard case .malformed(400, _) = HTTPRequest.read(Array(bad.utf8)) else {
                    Issue.record("\(bad) was taken")
                    continue
                }
            }
        }

        @Test func `metrics are written as Prometheus reads them`() {
            var histogram = Histogram()
            histogram.observe(.milliseconds(1), times: 2)
            histogram.observe(.seconds(100))
            var text = MetricsText()
            text.add("a_total", .counter, "Help with \\ and\nline.", [([("rule", "x\"\\\n")], 1.5)])
            text.add("none", .gauge, "Left out.", [])
            text.add("wait_seconds", "Waits.", histogram)
            let lines = text.text.split(separator: "\n").map(String.init)
            #expect(lines[0] == "# HELP a_total Help with \\\\ and\\nline.")
            #expect(lines[2] == "a_total{rule=\"x\\\"\\\\\\n\"} 1.5")
            #expect(!text.text.contains("none"))
            #expect(lines.contains("wait_seconds_bucket{le=\"0.0005\"} 0"))
            #expect(lines.contains("wait_seconds_bucket{le=\"0.001\"} 2"))
            #expect(lines.contains("wait_seconds_bucket{le=\"60\"} 2"))
            #expect(
                lines.suffix(3) == [
                    "wait_seconds_bucket{le=\"+Inf\"} 3", "wait_seconds_sum 100.002", "wait_seconds_count 3",
                ])
        }

        @Test func `an address for operators is a host and a port`() {
            #expect(HostAndPort("127.0.0.1:9100") == HostAndPort(host: "127.0.0.1", port: 9100))
            #expect(HostAndPort("[::1]:0")?.text == "[::1]:0")
            for bad in ["9100", ":9100", "::1:9100", "a:", "a:65536", "[::1]", ""] {
                #expect(HostAndPort(bad) == nil)
            }
        }
    }
}
