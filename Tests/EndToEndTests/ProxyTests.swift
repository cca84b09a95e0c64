import Testing

extension EndToEndTests {
    /// Headers as proxies write them, in front of real programs.
    @Suite struct ProxyTests {
        private func start(_ arguments: [String] = []) async throws -> (Server, Int) {
            let server = try await Server(
                ["--proxy-port", "0", "--proxy-from", "127.0.0.0/8"] + arguments)
            let line = server.program.lines.all.first ?? ""
            return (server, try #require(value("proxy-port", in: line).flatMap { Int($0) }))
        }

        @Test func `players from behind a proxy and others are in one race`() async throws {
            let (server, port) = try await self.start()
            let proxied = try Socket(port: port)
            proxied.send(Array("PROXY TCP4 203.0.113.9 10.0.0.1 5555 7223\r\n".utf8))
            let ann = try await Racer("ann", proxied)
            let bob = try await Racer("bob", server.netcat())
            for racer in [ann, bob] { racer.say("play") }
            let overs = try await race([ann, bob])
            #expect(overs[0] == overs[1])
        }

        @Test func `who is silent behind the header is greeted after a second`() async throws {
            let (server, port) = try await self.start()
            let proxied = try Socket(port: port)
            let start = elapsed()
            proxied.send(Array("PROXY UNKNOWN\r\n".utf8))
            try await proxied.lines.wait(for: "hello server=catrace")
            #expect(elapsed() - start > 0.9)
            try await server.program.errors?.holds("event=listening")
        }

        @Test func `keys that need TLS are refused from behind a proxy, and told why`() async throws {
            let (server, port) = try await self.start(["--keys", "tls"])
            let proxied = try Socket(port: port)
            proxied.send(Array("PROXY TCP6 2001:db8::9 2001:db8::1 5555 7223\r\n".utf8))
            #expect(try await proxied.register("ann") == "")
            let other = try Socket(port: port)
            other.send(Array("PROXY TCP6 2001:db8::9 2001:db8::1 5555 7223\r\n".utf8))
            other.say("name ann 00000000000000000000000000000000")
            try await other.lines.wait(for: "error re=name code=needs-tls ")
            #expect(try await server.netcat().register("bob").count == 32)
        }
    }
}
