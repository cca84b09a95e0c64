package import ProxyProtocol
package import RaceModel
package import ServerCore

/// `127.0.0.1:9100`, `[::1]:9100` or `localhost:9100`.
package struct HostAndPort: Hashable, Sendable {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    package var text: String {
        self.host.contains(":") ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)"
    }
}

/// All an operator can set.
package struct ServerSettings: Sendable {
    /// An IPv4 or IPv6 address of this machine, or `localhost`.
    package var host = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 7223
    /// Makes keys, nonces and codes repeat with every run: for tests, since nothing is secret then.
    package var seed: UInt64?
    package var core = ServerConfiguration()
    /// Connections at once; further ones wait until one ends.
    package var connections = Limits.connections
    /// Sockets that listen already, handed over by the starter; then `host` and `port` are not looked at.
    package var inherited: [Int32] = []
    /// Certificate and key; nil: TLS is not spoken.
    package var tls: TLSFiles?
    /// The port for proxies, which begin each connection with a PROXY header. 0 takes a free one; the number of
    /// `port`: that port is theirs alone.
    package var proxyPort: UInt16?
    /// Whose headers are believed.
    package var proxies: [IPNetwork] = []
    /// Where operators' machines ask over HTTP; nil: nowhere.
    package var admin: HostAndPort?
    /// The Unix socket on which operators speak; nil: there is none.
    package var control: String?
    /// The file of what operators do, beside the log; nil: there is none.
    package var audit: String?
    /// Agones' helper beside this server; nil: there is none.
    package var agones: HostAndPort?
    /// Where players, results and records are kept.
    package var directory = ServerSettings.defaultDirectory
    /// Keep nothing beyond the process instead.
    package var inMemory = false
    package static let defaultDirectory = "./catrace-data"
    /// How long races under way may go on once it is told to end.
    package var drain = Instant.Span.seconds(8)
    /// Queues that sockets are spread over. With one, the core is on it; with more, it has its own.
    package var loops = 1
    package var logLevel = LogLine.Level.info
    package var logFormat = LogFormat.text

    package init() {}

    /// Whether somebody can see what is measured.
    var isMeasured: Bool { self.admin != nil || self.control != nil }
}
