/// All addresses that begin with the same bits: `10.0.0.0/8`, or one address alone.
package struct IPNetwork: Hashable, Sendable {
    let address: IPAddress
    /// Bits that count, 0 to 128: an IPv4 network's are counted behind the 96 of the mapped form.
    let bits: Int

    /// `ADDRESS` or `ADDRESS/BITS`. Nil for anything else, and when a bit is set behind those that count,
    /// which is mostly a slip.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let address = IPAddress(first) else { return nil }
        let isIPv4 = IPAddress.ipv4(first) != nil
        var bits = 128
        if parts.count == 2 {
            guard let given = IPAddress.decimal(parts[1], upTo: isIPv4 ? 32 : 128) else { return nil }
            bits = isIPv4 ? 96 + given : given
        }
        self.address = address
        self.bits = bits
        let mask = self.mask
        guard address.high & ~mask.high == 0, address.low & ~mask.low == 0 else { return nil }
    }

    /// Networks separated by commas. Nil when one is none, or when there are more than `limit`.
    package static func list(_ text: String, limit: Int) -> [IPNetwork]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= limit else { return nil }
        let networks = parts.compactMap { IPNetwork(String($0)) }
        return networks.count == parts.count ? networks : nil
    }

    package func contains(_ other: IPAddress) -> Bool {
        let mask = self.mask
        return other.high & mask.high == self.address.high && other.low & mask.low == self.address.low
    }

    private var mask: IPAddress {
        IPAddress(
            high: self.bits == 0 ? 0 : ~0 << UInt64(max(0, 64 - self.bits)),
            low: self.bits <= 64 ? 0 : ~0 << UInt64(128 - self.bits))
    }
}

extension IPNetwork: CustomStringConvertible {
    /// As it is read: an address alone is written without its bits.
    package var description: String {
        guard self.bits < 128 else { return self.address.description }
        let isIPv4 = self.address.isIPv4 && self.bits >= 96
        return "\(self.address)/\(isIPv4 ? self.bits - 96 : self.bits)"
    }
}
