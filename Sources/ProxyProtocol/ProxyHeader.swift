import RaceModel

/// What a proxy says about a connection, in a header before the connection's own first byte: the PROXY
/// protocol, version 1 or 2.
package struct ProxyHeader: Hashable, Sendable {
    package struct Source: Hashable, Sendable {
        package var address: IPAddress
        package var port: UInt16

        package init(address: IPAddress, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// Where the connection comes from; nil: from the proxy itself, or the proxy can't tell.
    package var source: Source?
    /// The proxy took the connection over TLS.
    package var isSecure: Bool

    package init(source: Source?, isSecure: Bool = false) {
        self.source = source
        self.isSecure = isSecure
    }
}

/// Why a header was refused.
package enum ProxyFault: Error, Hashable, Sendable, CaseIterable {
    case noHeader
    case badLine, lineTooLong
    case badVersion, badCommand, headerTooLong, tooShort, badField
    case unixSocket, datagram, badFamily

    /// What was wrong, and what would be right.
    package var text: String {
        switch self {
        case .noHeader:
            "it began with something else than a PROXY header: let the proxy send one, or use the other port"
        case .badLine:
            "a line of version 1 is PROXY TCP4 or TCP6, two addresses and two ports, or PROXY UNKNOWN, and CR LF"
        case .lineTooLong:
            "a line of version 1 has at most \(Limits.proxyLineBytes) bytes with its CR LF"
        case .badVersion: "behind the signature of version 2 stood another version"
        case .badCommand: "version 2 has the commands LOCAL (0) and PROXY (1) only"
        case .headerTooLong:
            "a header of version 2 has at most \(Limits.proxyHeaderBytes) bytes: send fewer fields"
        case .tooShort: "the header is too short for the addresses of its family"
        case .badField: "a field behind the addresses is longer than the header"
        case .unixSocket: "a Unix socket is no address of a player: let the proxy listen on TCP"
        case .datagram: "this is a server for TCP, not for datagrams"
        case .badFamily: "the families are 11 (TCP over IPv4) and 21 (TCP over IPv6)"
        }
    }
}
