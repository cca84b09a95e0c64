/// All addresses that begin with the same bits.
package struct NetworkRange: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The first of them: all bits behind the common ones are 0.
    package let first: NetworkAddress
    /// How many bits they have in common, 0 to 128; an IPv4 address has 96 of its own in front.
    package let bits: UInt8

    /// The range of this length that the address is in.
    /// - Parameter bits: 0 to 128.
    package init(around address: NetworkAddress, bits: UInt8) {
        self.first = NetworkAddress(
            high: address.high & Self.mask(Int(bits)), low: address.low & Self.mask(Int(bits) - 64))
        self.bits = bits
    }

    /// What counts as one address: see `NetworkAddress.block`.
    package init(blockOf address: NetworkAddress) {
        self.init(around: address, bits: address.isIPv4 || address.isLoopback ? 128 : 64)
    }

    /// `192.0.2.0/24` or `2001:db8::/32`; an address alone is what counts as one address. Bits behind the
    /// common ones are of no account. Nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NetworkAddress($0) }) else { return nil }
        guard parts.count == 2 else {
            self.init(blockOf: address)
            return
        }
        // Of an IPv4 address that is written as IPv6, the bits are counted as of IPv6.
        let lead = address.isIPv4 && !parts[0].utf8.contains(UInt8(ascii: ":")) ? 96 : 0
        guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            parts[1].utf8.count <= 3, let bits = Int(parts[1]), bits <= 128 - lead
        else { return nil }
        self.init(around: address, bits: UInt8(bits + lead))
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        NetworkRange(around: address, bits: self.bits).first == self.first
    }

    /// - Parameter bits: ones in front; below 0 counts as 0, over 64 as 64.
    private static func mask(_ bits: Int) -> UInt64 {
        bits <= 0 ? 0 : bits >= 64 ? .max : ~(.max >> UInt64(bits))
    }

    package static func < (left: NetworkRange, right: NetworkRange) -> Bool {
        left.first != right.first ? left.first < right.first : left.bits < right.bits
    }

    /// As it is read; what counts as one address is written without its bits.
    package var description: String {
        if self == NetworkRange(blockOf: self.first) { return self.first.description }
        let isIPv4 = self.first.isIPv4 && self.bits >= 96
        return "\(self.first)/\(isIPv4 ? self.bits - 96 : self.bits)"
    }
}
