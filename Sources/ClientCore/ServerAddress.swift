/// Where a server is: `HOST`, `HOST:PORT` or `[IPv6]:PORT`.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    package static let defaultPort: UInt16 = 7223

    /// A name or digits, without brackets.
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16 = Self.defaultPort) {
        self.host = host
        self.port = port
    }

    /// Nil for what can be no address. An IPv6 address without brackets has no port.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 255, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        var host = bytes[...]
        var port: ArraySlice<UInt8>?
        if bytes[0] == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = bytes[1..<end]
            let rest = bytes[(end + 1)...]
            if !rest.isEmpty {
                guard rest.first == UInt8(ascii: ":") else { return nil }
                port = rest.dropFirst()
            }
        } else {
            let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
            if colons.count == 1 {
                host = bytes[..<colons[0]]
                port = bytes[(colons[0] + 1)...]
            }
        }
        guard !host.isEmpty else { return nil }
        self.host = String(decoding: host, as: UTF8.self)
        self.port = Self.defaultPort
        if let port {
            guard let number = UInt16(String(decoding: port, as: UTF8.self)), number > 0,
                port.first != UInt8(ascii: "+")
            else { return nil }
            self.port = number
        }
    }

    package var description: String {
        self.host.utf8.contains(UInt8(ascii: ":"))
            ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)"
    }
}
