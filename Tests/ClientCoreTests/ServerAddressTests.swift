import Testing

@testable import ClientCore

@Suite struct ServerAddressTests {
    @Test func `hosts, ports and bracketed IPv6 addresses are read`() {
        let good: [(String, String, UInt16)] = [
            ("localhost", "localhost", 7223), ("race.example.org:80", "race.example.org", 80),
            ("127.0.0.1:65535", "127.0.0.1", 65535), ("[::1]:7224", "::1", 7224),
            ("[fe80::1]", "fe80::1", 7223),
            ("::1", "::1", 7223),
        ]
        for (text, host, port) in good {
            #expect(ServerAddress(text) == ServerAddress(host: host, port: port), "\(text)")
        }
        for text in [
            "", ":", ":7223", "a:", "a:0", "a:65536", "a:x", "a:+5", "a:-1", "[::1", "[]:1", "[::1]7223",
            "a b",
            "a\n", String(repeating: "a", count: 256), "a:99999999999999999999",
        ] {
            #expect(ServerAddress(text) == nil, "\(text)")
        }
        #expect("\(ServerAddress(host: "::1"))" == "[::1]:7223")
        #expect("\(ServerAddress(host: "a", port: 5))" == "a:5")
    }
}
