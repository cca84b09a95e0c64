import ProxyProtocol

/// Headers of version 2 as bytes, and what they say.
enum Headers {
    static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]

    static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        Self.signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)] + rest
    }

    static func binary(_ rest: [UInt8]) -> [UInt8] { Self.binary(0x21, 0x11, rest) }

    /// From 203.0.113.9:5555 to 10.0.0.1:7223.
    static let ipv4: [UInt8] = [203, 0, 113, 9, 10, 0, 0, 1, 0x15, 0xB3, 0x1C, 0x37]
    /// From [2001:db8::9]:5555 to [2001:db8::1]:7223.
    static let ipv6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
        + [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x15, 0xB3, 0x1C, 0x37]

    /// A field behind the addresses.
    static func field(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        [type, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
    }

    static func source(_ text: String, _ port: UInt16 = 5555) -> ProxyHeader.Source? {
        IPAddress(text.utf8).map { ProxyHeader.Source(address: $0, port: port) }
    }

    /// Right ones, each with its meaning.
    static let right: [([UInt8], ProxyHeader)] = [
        (
            Array("PROXY TCP4 203.0.113.9 10.0.0.1 5555 7223\r\n".utf8),
            ProxyHeader(source: source("203.0.113.9"))
        ),
        (
            Array("PROXY TCP4 255.255.255.255 0.0.0.0 65535 0\r\n".utf8),
            ProxyHeader(source: source("255.255.255.255", 65535))
        ),
        (
            Array("PROXY TCP6 2001:db8::9 2001:DB8:0:0:0:0:0:1 5555 7223\r\n".utf8),
            ProxyHeader(source: source("2001:db8::9"))
        ),
        (
            Array(
                ("PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff " + "::ffff:1.2.3.4 65535 1\r\n").utf8),
            ProxyHeader(source: source("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 65535))
        ),
        (Array("PROXY UNKNOWN\r\n".utf8), ProxyHeader(source: nil)),
        // The longest line there can be.
        (
            Array("PROXY UNKNOWN \(String(repeating: "f", count: 91))\r\n".utf8), ProxyHeader(source: nil)
        ),
        (binary(ipv4), ProxyHeader(source: source("203.0.113.9"))),
        (binary(0x21, 0x21, ipv6), ProxyHeader(source: source("2001:db8::9"))),
        (binary(0x20, 0x00, []), ProxyHeader(source: nil)),
        (binary(0x20, 0x31, [1, 2, 3]), ProxyHeader(source: nil)),
        (binary(0x21, 0x00, [9, 9]), ProxyHeader(source: nil)),
        (
            binary(ipv4 + field(0x02, Array("race.example".utf8)) + field(0x20, [0x01, 0, 0, 0, 0])),
            ProxyHeader(source: source("203.0.113.9"), isSecure: true)
        ),
        (
            binary(ipv4 + field(0x20, [0x00, 0, 0, 0, 0])), ProxyHeader(source: source("203.0.113.9"))
        ),
        // The longest there can be.
        (
            binary(ipv4 + field(0x04, Array(repeating: 0, count: 505))),
            ProxyHeader(source: source("203.0.113.9"))
        ),
    ]
}
