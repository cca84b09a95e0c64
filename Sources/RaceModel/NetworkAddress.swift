/// Where a peer comes from, without its port: IPv6, and IPv4 as IPv6 maps it (`::ffff:192.0.2.7`), so that a
/// peer is the same one whichever kind of socket it came through.
package struct NetworkAddress: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The first 64 bits: what a provider gives to one customer.
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter ipv4: its four bytes, the first as the highest.
    package init(ipv4: UInt32) { self.init(high: 0, low: 0xFFFF << 32 | UInt64(ipv4)) }

    package var isIPv4: Bool { self.high == 0 && self.low >> 32 == 0xFFFF }

    /// This machine: 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        self.isIPv4 ? self.low >> 24 & 0xFF == 127 : self.high == 0 && self.low == 1
    }

    /// What counts as one address: all of IPv4, the first 64 bits of IPv6, since who has one address there
    /// has 2^64.
    package var block: NetworkAddress {
        self.isIPv4 || self.isLoopback ? self : NetworkAddress(high: self.high, low: 0)
    }

    package static func < (left: NetworkAddress, right: NetworkAddress) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

// MARK: Text

extension NetworkAddress {
    /// `192.0.2.7`, or IPv6 in any form that RFC 4291 allows, without brackets and zone. Nil for anything
    /// else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if bytes.contains(UInt8(ascii: ":")) {
            guard let groups = Self.groups(of: bytes) else { return nil }
            var halves: (high: UInt64, low: UInt64) = (0, 0)
            for group in groups {
                halves.high = halves.high << 16 | halves.low >> 48
                halves.low = halves.low << 16 | UInt64(group)
            }
            self.init(high: halves.high, low: halves.low)
        } else {
            guard let ipv4 = Self.ipv4(bytes[...]) else { return nil }
            self.init(ipv4: ipv4)
        }
    }

    /// An address with a port behind it: `192.0.2.7:7223` or `[2001:db8::7]:7223`.
    package init?(endpoint text: String) {
        guard let colon = text.lastIndex(of: ":"), UInt16(text[text.index(after: colon)...]) != nil else {
            return nil
        }
        let host = text[..<colon]
        self.init(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host)
    }

    private static func ipv4(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            // A zero in front would be octal to some and decimal to others.
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
                let byte = Self.number(part, radix: 10), byte <= 255
            else { return nil }
            value = value << 8 | byte
        }
        return value
    }

    /// The eight groups of an IPv6 address.
    private static func groups(of bytes: [UInt8]) -> [UInt16]? {
        let colon = UInt8(ascii: ":")
        var front: [UInt16] = []
        var back: [UInt16]?
        var rest = bytes[...]
        if rest.starts(with: [colon, colon]) {
            back = []
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let part = rest.prefix { $0 != colon }
            rest = rest.dropFirst(part.count)
            var groups: [UInt16] = []
            if part.contains(UInt8(ascii: ".")) {
                guard rest.isEmpty, let ipv4 = Self.ipv4(part) else { return nil }
                groups = [UInt16(ipv4 >> 16), UInt16(truncatingIfNeeded: ipv4)]
            } else {
                guard (1...4).contains(part.count), let group = Self.number(part, radix: 16) else {
                    return nil
                }
                groups = [UInt16(group)]
            }
            if back == nil { front += groups } else { back! += groups }
            guard front.count + (back?.count ?? 0) <= 8 else { return nil }
            if rest.isEmpty { break }
            rest = rest.dropFirst()
            if rest.first == colon {
                guard back == nil else { return nil }
                back = []
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }
        guard let back else { return front.count == 8 ? front : nil }
        let zeros = 8 - front.count - back.count
        return zeros > 0 ? front + [UInt16](repeating: 0, count: zeros) + back : nil
    }

    /// At most four digits, so it fits.
    private static func number(_ digits: ArraySlice<UInt8>, radix: UInt32) -> UInt32? {
        var value: UInt32 = 0
        for byte in digits {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
            guard digit < radix else { return nil }
            value = value * radix + digit
        }
        return value
    }

    /// `192.0.2.7`; IPv6 as RFC 5952 has it: `2001:db8::7`.
    package var description: String {
        if self.isIPv4 {
            return [24, 16, 8, 0].map { "\(self.low >> $0 & 0xFF)" }.joined(separator: ".")
        }
        let groups = [self.high, self.low].flatMap { half in [48, 32, 16, 0].map { half >> $0 & 0xFFFF } }
        var longest = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || groups[index] != 0 {
            if index - start > max(longest.count, 1) { longest = start..<index }
            start = index + 1
        }
        func text(_ part: ArraySlice<UInt64>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        if longest.isEmpty { return text(groups[...]) }
        return "\(text(groups[..<longest.lowerBound]))::\(text(groups[longest.upperBound...]))"
    }
}
