import RaceModel
import Testing

struct NetworkAddressTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("::ffff:192.0.2.7", "192.0.2.7"), ("::FFFF:c000:207", "192.0.2.7"),
        ("0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
        ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::192.0.2.7", "::c000:207"), ("64:ff9b::192.0.2.7", "64:ff9b::c000:207"),
    ])
    func `an address is read in every form and written in one`(text: String, written: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.description == written)
        #expect(NetworkAddress(written) == address)
    }

    @Test(arguments: [
        "", ".", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "1.2.3.4 ", "1..3.4", "-1.2.3.4", "a.b.c.d",
        ":",
        ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", ":1::", "1:", "12345::",
        "g::", "::1.2.3", "1.2.3.4::", "::1%eth0", "[::1]", "1:2:3:4:5:6:7:1.2.3.4", "localhost",
    ])
    func `what is no address is not read`(text: String) { #expect(NetworkAddress(text) == nil) }

    @Test func `an endpoint is an address with a port`() {
        #expect(NetworkAddress(endpoint: "192.0.2.7:7223")?.description == "192.0.2.7")
        #expect(NetworkAddress(endpoint: "[2001:db8::7]:65535")?.description == "2001:db8::7")
        #expect(NetworkAddress(endpoint: "[::ffff:192.0.2.7]:1")?.isIPv4 == true)
        for text in ["192.0.2.7", "192.0.2.7:65536", "[::1]", ":1", "", "[]:1"] {
            #expect(NetworkAddress(endpoint: text) == nil, "\(text)")
        }
    }

    @Test func `loopback is 127 and one address of IPv6, in any writing`() throws {
        for (text, expected) in [
            ("127.0.0.1", true), ("127.255.255.255", true), ("128.0.0.1", false), ("126.255.255.255", false),
            ("::1", true), ("::2", false), ("::", false), ("::ffff:127.0.0.1", true), ("::127.0.0.1", false),
        ] {
            #expect(try #require(NetworkAddress(text)).isLoopback == expected, "\(text)")
        }
    }

    @Test func `IPv6 counts by its first half, IPv4 by all of it`() throws {
        func block(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)).block }
        #expect(try block("2001:db8:1:2:3:4:5:6") == block("2001:db8:1:2:ffff::"))
        #expect(try block("2001:db8:1:2::") != block("2001:db8:1:3::"))
        #expect(try block("192.0.2.7") != block("192.0.2.6"))
        #expect(try block("::ffff:192.0.2.7") == block("192.0.2.7"))
    }

    @Test func `a range contains what begins like it, and nothing beside it`() throws {
        for (range, inside, outside) in [
            ("192.0.2.0/24", "192.0.2.255", "192.0.3.0"), ("192.0.2.128/25", "192.0.2.128", "192.0.2.127"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.6"), ("0.0.0.0/0", "255.255.255.255", "::1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3", "11.0.0.0"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
            ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::"),
            ("2001:db8::1/128", "2001:db8::1", "2001:db8::2"),
            ("::/0", "192.0.2.7", "none"), ("2001:db8:8000::/33", "2001:db8:8000::", "2001:db8:7fff::"),
            ("::1", "::1", "::2"), ("2001:db8::8000:0:0:0/65", "2001:db8::ffff:0:0:0", "2001:db8::1"),
        ] {
            let parsed = try #require(NetworkRange(range), "\(range)")
            #expect(parsed.contains(try #require(NetworkAddress(inside))), "\(range)")
            if let other = NetworkAddress(outside) { #expect(!parsed.contains(other), "\(range)") }
        }
    }

    @Test func `a range is written as it is read`() {
        for (text, written) in [
            ("192.0.2.9/24", "192.0.2.0/24"), ("192.0.2.9/32", "192.0.2.9"), ("192.0.2.9", "192.0.2.9"),
            ("2001:db8::7", "2001:db8::"), ("2001:db8::7/128", "2001:db8::7/128"),
            ("2001:db8:1::/32", "2001:db8::/32"), ("::ffff:192.0.2.0/120", "192.0.2.0/24"), ("::/0", "::/0"),
        ] {
            #expect(NetworkRange(text)?.description == written, "\(text)")
            #expect(NetworkRange(written) == NetworkRange(text), "\(text)")
        }
        for text in [
            "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/-1", "::/129", "/8", "192.0.2.0/8/8", "a/8", "::/+1",
        ] {
            #expect(NetworkRange(text) == nil, "\(text)")
        }
    }
}
