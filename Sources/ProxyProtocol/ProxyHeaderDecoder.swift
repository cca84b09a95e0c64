import RaceModel

/// Reads one PROXY header, cut anywhere. A byte that can't belong to one is refused as soon as it comes.
package struct ProxyHeaderDecoder: Sendable {
    private static let line = Array("PROXY ".utf8)
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// Signature, version and command, family, and the length of the rest.
    private static let fixedBytes = 16

    private var bytes: [UInt8] = []

    package init() {}

    /// The header once all of it came; what follows it stays in `input`. Nil when more bytes are needed.
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProxyFault) -> ProxyHeader? {
        while let byte = input.popFirst() {
            self.bytes.append(byte)
            if let header = try self.header() {
                self = ProxyHeaderDecoder()
                return header
            }
        }
        return nil
    }

    /// Looks at the byte that came last.
    private func header() throws(ProxyFault) -> ProxyHeader? {
        let count = self.bytes.count
        let opening = self.bytes[0] == Self.line[0] ? Self.line : Self.signature
        if count <= opening.count {
            guard self.bytes[count - 1] == opening[count - 1] else { throw .noHeader }
            return nil
        }
        return self.bytes[0] == Self.line[0] ? try self.lineHeader() : try self.binaryHeader()
    }

    // MARK: Version 1

    private func lineHeader() throws(ProxyFault) -> ProxyHeader? {
        let last = self.bytes[self.bytes.count - 1]
        let isBehindCR = self.bytes[self.bytes.count - 2] == 0x0D
        guard isBehindCR == (last == 0x0A) else { throw .badLine }
        guard last == 0x0A else {
            guard self.bytes.count < Limits.proxyLineBytes else { throw .lineTooLong }
            return nil
        }
        let words = self.bytes.dropLast(2).split(separator: 0x20, omittingEmptySubsequences: false)
        let family = words[1]
        if family.elementsEqual("UNKNOWN".utf8) { return ProxyHeader(source: nil) }
        let isIPv4 = family.elementsEqual("TCP4".utf8)
        guard words.count == 6, isIPv4 || family.elementsEqual("TCP6".utf8) else { throw .badLine }
        func address(_ text: ArraySlice<UInt8>) -> IPAddress? {
            isIPv4 ? IPAddress.ipv4(text).map(IPAddress.init(ipv4:)) : IPAddress.ipv6(text)
        }
        guard let source = address(words[2]), address(words[3]) != nil,
            let port = IPAddress.decimal(words[4], upTo: 65_535),
            IPAddress.decimal(words[5], upTo: 65_535) != nil
        else { throw .badLine }
        return ProxyHeader(source: ProxyHeader.Source(address: source, port: UInt16(port)))
    }

    // MARK: Version 2

    private func binaryHeader() throws(ProxyFault) -> ProxyHeader? {
        let count = self.bytes.count
        if count == 13 {
            guard self.bytes[12] >> 4 == 2 else { throw .badVersion }
            guard self.bytes[12] & 0xF <= 1 else { throw .badCommand }
        }
        guard count >= Self.fixedBytes else { return nil }
        let length = self.number(14)
        guard Self.fixedBytes + length <= Limits.proxyHeaderBytes else { throw .headerTooLong }
        guard count == Self.fixedBytes + length else { return nil }
        // Of the proxy itself, such as a check of health: the rest is to be ignored.
        if self.bytes[12] & 0xF == 0 { return ProxyHeader(source: nil) }
        let source: ProxyHeader.Source?
        let fields: Int
        switch self.bytes[13] {
        case 0x00: return ProxyHeader(source: nil)
        case 0x11:
            guard length >= 12 else { throw .tooShort }
            let ipv4 = UInt32(self.number(16)) << 16 | UInt32(self.number(18))
            source = ProxyHeader.Source(address: IPAddress(ipv4: ipv4), port: UInt16(self.number(24)))
            fields = 28
        case 0x21:
            guard length >= 36 else { throw .tooShort }
            let halves = [16, 24].map { start in
                stride(from: start, to: start + 8, by: 2).reduce(0) { $0 << 16 | UInt64(self.number($1)) }
            }
            source = ProxyHeader.Source(
                address: IPAddress(high: halves[0], low: halves[1]), port: UInt16(self.number(48)))
            fields = 52
        case 0x31, 0x32: throw .unixSocket
        case 0x12, 0x22: throw .datagram
        default: throw .badFamily
        }
        return ProxyHeader(source: source, isSecure: try self.saysSecure(from: fields))
    }

    /// Of the fields behind the addresses only one counts: 20 says that the client came over TLS.
    private func saysSecure(from start: Int) throws(ProxyFault) -> Bool {
        var place = start
        var isSecure = false
        while place < self.bytes.count {
            guard place + 3 <= self.bytes.count, place + 3 + self.number(place + 1) <= self.bytes.count
            else { throw .badField }
            let length = self.number(place + 1)
            if self.bytes[place] == 0x20, length >= 5 { isSecure = self.bytes[place + 3] & 1 != 0 }
            place += 3 + length
        }
        return isSecure
    }

    /// Two bytes, big-endian.
    private func number(_ place: Int) -> Int { Int(self.bytes[place]) << 8 | Int(self.bytes[place + 1]) }
}
