/// An IPv4 or IPv6 address as a number. An IPv4 address is the same as its mapped form, `::ffff:10.0.0.1`.
package struct IPAddress: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(ipv4: UInt32) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(ipv4)) }

    package var isIPv4: Bool { self.high == 0 && self.low >> 32 == 0xFFFF }

    /// From digits: `10.0.0.1`, or any form of RFC 4291, 2.2. Nil for anything else, zones included.
    package init?(_ text: some Collection<UInt8>) {
        if let ipv4 = Self.ipv4(text) {
            self.init(ipv4: ipv4)
        } else if let address = Self.ipv6(text) {
            self = address
        } else {
            return nil
        }
    }

    /// Four decimal numbers without leading zeros.
    static func ipv4(_ text: some Collection<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard let number = Self.decimal(part, upTo: 255) else { return nil }
            value = value << 8 | UInt32(number)
        }
        return value
    }

    static func ipv6(_ text: some Collection<UInt8>) -> IPAddress? {
        let bytes = Array(text.prefix(46))
        guard bytes.count >= 2, bytes.count <= 45 else { return nil }
        let colon = UInt8(ascii: ":")
        let gaps = bytes.indices.dropLast().filter { bytes[$0] == colon && bytes[$0 + 1] == colon }
        guard let gap = gaps.first else {
            guard let groups = Self.groups(bytes[...], mayEndInIPv4: true), groups.count == 8 else {
                return nil
            }
            return Self.address(groups)
        }
        // A second gap, or three colons, leaves an empty group in one of the halves.
        guard let head = Self.groups(bytes[..<gap], mayEndInIPv4: false),
            let tail = Self.groups(bytes[(gap + 2)...], mayEndInIPv4: true), head.count + tail.count < 8
        else { return nil }
        return Self.address(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    /// Groups of up to four hexadecimal digits between colons; the last may be an IPv4 address.
    private static func groups(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, let ipv4 = Self.ipv4(part) {
                groups += [UInt16(truncatingIfNeeded: ipv4 >> 16), UInt16(truncatingIfNeeded: ipv4)]
                continue
            }
            guard (1...4).contains(part.count) else { return nil }
            var value: UInt16 = 0
            for byte in part {
                guard let digit = Self.hexadecimal(byte) else { return nil }
                value = value << 4 | digit
            }
            groups.append(value)
        }
        return groups
    }

    private static func address(_ groups: [UInt16]) -> IPAddress {
        let halves = [groups.prefix(4), groups.suffix(4)].map { $0.reduce(0) { $0 << 16 | UInt64($1) } }
        return IPAddress(high: halves[0], low: halves[1])
    }

    /// A decimal number without leading zeros; nil when it is none, or over the limit.
    static func decimal(_ text: some Collection<UInt8>, upTo limit: Int) -> Int? {
        guard (1...5).contains(text.count), text.first != UInt8(ascii: "0") || text.count == 1 else {
            return nil
        }
        var value = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value <= limit ? value : nil
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// `10.0.0.1`, or eight groups of hexadecimal digits: right, if not the shortest form.
    package var description: String {
        if self.isIPv4 {
            return (0..<4).reversed().map { "\(self.low >> ($0 * 8) & 0xFF)" }.joined(separator: ".")
        }
        return [self.high, self.low].flatMap { half in
            (0..<4).reversed().map { String(half >> ($0 * 16) & 0xFFFF, radix: 16) }
        }.joined(separator: ":")
    }
}
