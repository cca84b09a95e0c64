import ProxyProtocol
import Testing

@Suite struct IPAddressTests {
    private func address(_ text: String) -> IPAddress? { IPAddress(text.utf8) }

    @Test func `addresses are read in every form`() {
        for (text, high, low) in [
            ("0.0.0.0", 0, 0xFFFF_0000_0000), ("10.0.0.1", 0, 0xFFFF_0A00_0001),
            ("::", 0, 0), ("::1", 0, 1), ("1::", 0x0001_0000_0000_0000, 0),
            ("2001:db8::9", 0x2001_0DB8_0000_0000, 9), ("2001:DB8:0:0:0:0:0:9", 0x2001_0DB8_0000_0000, 9),
            ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004, 0x0005_0006_0007_0008),
            ("1:2:3:4:5:6:7::", 0x0001_0002_0003_0004, 0x0005_0006_0007_0000),
            ("::ffff:10.0.0.1", 0, 0xFFFF_0A00_0001),
            ("64:ff9b::192.0.2.33", 0x0064_FF9B_0000_0000, 0xC000_0221),
        ] as [(String, UInt64, UInt64)] {
            #expect(self.address(text) == IPAddress(high: high, low: low), "\(text)")
        }
    }

    @Test func `what is no address is none`() {
        for text in [
            "", ".", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.1.1.1", "1.1.1.", " 1.1.1.1",
            "1.1.1.1 ", "+1.1.1.1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::",
            "fe80::1%eth0",
            "[::1]", "1:2:3:4:5:6:7:8::", ":1:2:3:4:5:6:7", "1.2.3.4::", "::1.2.3", "::1.2.3.4:5",
            "\u{661}.1.1.1", String(repeating: "1:", count: 30_000),
        ] {
            #expect(self.address(text) == nil, "\(text.prefix(50))")
        }
    }

    @Test func `an address is written so that it is read as the same`() {
        for text in ["10.0.0.1", "::1", "2001:db8::9", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"] {
            let address = self.address(text)
            #expect(address != nil && address.flatMap { self.address($0.description) } == address)
        }
        #expect(self.address("::ffff:192.0.2.1")?.description == "192.0.2.1")
    }

    @Test func `a network has what begins like it`() {
        for (network, inside, outside) in [
            (
                "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
                ["11.0.0.0", "9.255.255.255", "::"]
            ),
            ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.0"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::1", "2001:db8::"]),
            ("::1", ["::1"], ["::", "::2", "127.0.0.1"]), ("127.0.0.1", ["127.0.0.1"], ["127.0.0.2", "::1"]),
            ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "10.0.0.1"]),
            ("2001:db8::/64", ["2001:db8::ffff:0:0:1"], ["2001:db8:0:1::"]),
            ("2001:db8::8000:0:0:0/65", ["2001:db8::8000:0:0:1"], ["2001:db8::1"]),
            ("::/0", ["::1", "10.0.0.1", "ffff::"], []),
        ] {
            let parsed = IPNetwork(network)
            #expect(parsed != nil, "\(network)")
            #expect(parsed.flatMap { IPNetwork("\($0)") } == parsed, "\(network)")
            for text in inside {
                #expect(self.address(text).map { parsed?.contains($0) == true } == true, "\(text)")
            }
            for text in outside {
                #expect(self.address(text).map { parsed?.contains($0) == false } == true, "\(text)")
            }
        }
    }

    @Test func `what is no network is refused, and so is a list that is too long`() {
        for text in [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.1/8", "::1/129",
            "::1/64",
            "10.0.0.0/8/8", "localhost", " 10.0.0.0/8",
        ] {
            #expect(IPNetwork(text) == nil, "\(text)")
        }
        #expect(IPNetwork.list("10.0.0.0/8,::1", limit: 2)?.count == 2)
        #expect(IPNetwork.list("10.0.0.0/8,::1", limit: 1) == nil)
        #expect(IPNetwork.list("10.0.0.0/8,", limit: 9) == nil)
    }
}
