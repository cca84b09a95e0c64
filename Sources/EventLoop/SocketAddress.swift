import CEpoll
import Glibc
package import ProxyProtocol

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable, CustomStringConvertible {
    var raw: catrace_address

    init(raw: catrace_address) { self.raw = raw }

    /// From digits; nil for anything that is no address. Names are looked up by `resolve`.
    package init?(_ host: String, port: UInt16) {
        var raw = catrace_address()
        guard unsafe catrace_address_parse(host, port, &raw) else { return nil }
        self.raw = raw
    }

    package var port: UInt16 {
        var raw = self.raw
        return unsafe catrace_address_port(&raw)
    }

    package var isIPv6: Bool { UInt16(truncatingIfNeeded: self.raw.words.0) == UInt16(AF_INET6) }

    package var ipAddress: IPAddress {
        unsafe withUnsafeBytes(of: self.raw.words) { bytes in
            func number(_ start: Int, _ count: Int) -> UInt64 {
                unsafe bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
            }
            return self.isIPv6
                ? IPAddress(high: number(8, 8), low: number(16, 8)) : IPAddress(ipv4: UInt32(number(4, 4)))
        }
    }

    /// `127.0.0.1:7223` or `[::1]:7223`.
    package var description: String {
        var raw = self.raw
        var text = [CChar](repeating: 0, count: 64)
        unsafe catrace_address_describe(&raw, &text)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// All addresses of a name, best first. May take seconds: never on a loop's queue.
    package static func resolve(host: String, port: UInt16) throws(TransportError) -> [SocketAddress] {
        if let address = SocketAddress(host, port: port) { return [address] }
        guard !host.isEmpty, !host.utf8.contains(0) else { throw TransportError(call: .resolve, code: 0) }
        var raws = [catrace_address](repeating: catrace_address(), count: 16)
        let count = unsafe catrace_address_resolve(host, port, &raws, 16)
        guard count > 0 else { throw TransportError(call: .resolve, code: count) }
        return raws.prefix(Int(count)).map(SocketAddress.init(raw:))
    }
}
