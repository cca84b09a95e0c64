import ProxyProtocol
import RaceModel
import ServerCore

/// TLS, and proxies in front.
extension Setting {
    static let transport: [Setting] = [
        Setting(
            "tls-cert", "FILE", .transport, legal: "the path of a file in PEM",
            "The server's certificate in PEM, those of its authorities behind it: then TLS is spoken on the "
                + "same port, with whoever begins with it. 1.2 and 1.3. A key on a curve costs far less than "
                + "one of RSA.",
            take: { value, settings in
                guard !value.isEmpty else { return false }
                settings.tls = TLSFiles(certificate: value, key: settings.tls?.key ?? "")
                return true
            }, tell: { $0.tls?.certificate ?? "" }),
        Setting(
            "tls-key", "FILE", .transport, legal: "the path of a file in PEM",
            "Its key in PEM, without a password.",
            take: { value, settings in
                guard !value.isEmpty else { return false }
                settings.tls = TLSFiles(certificate: settings.tls?.certificate ?? "", key: value)
                return true
            }, tell: { $0.tls?.key ?? "" }),
        .choice(
            "keys", "tls|any", \.core.keys, [("tls", .tls), ("any", .any)], .transport,
            "tls: keys of players are given and taken only over TLS and within this machine; who plays "
                + "otherwise can't come back."),
        Setting(
            "proxy-port", "N", .transport, legal: "a whole number from 0 to 65535",
            "A port for proxies, where each connection begins with a PROXY header, version 1 or 2, that says "
                + "where it comes from; 0 takes a free one, the number of --port makes that port theirs "
                + "alone. The first line on stdout says proxy-port= as well.",
            take: { value, settings in
                guard let port = Self.number(value, 0...65_535) else { return false }
                settings.proxyPort = UInt16(port)
                return true
            }, tell: { $0.proxyPort.map { "\($0)" } ?? "" }),
        Setting(
            "proxy-from", "LIST", .transport,
            legal:
                "up to \(Limits.proxyNetworks) addresses or networks, such as 10.0.0.0/8,::1, with no bit set "
                + "behind those that count",
            "The proxies: addresses and networks, such as 10.0.0.0/8,::1. Nobody else may use their port.",
            take: { value, settings in
                let list = Self.list(value).joined(separator: ",")
                guard let networks = IPNetwork.list(list, limit: Limits.proxyNetworks) else { return false }
                settings.proxies = networks
                return true
            }, tell: { $0.proxies.map { "\($0)" }.joined(separator: ",") }),
    ]

    /// Settings that need each other.
    static func check(_ settings: ServerSettings) throws(SettingFault) {
        if let files = settings.tls {
            guard !files.certificate.isEmpty else { throw SettingFault("tls-key needs tls-cert as well") }
            guard !files.key.isEmpty else { throw SettingFault("tls-cert needs tls-key as well") }
        }
        guard settings.proxyPort != nil || settings.proxies.isEmpty else {
            throw SettingFault("proxy-from needs proxy-port, the port that the proxies connect to")
        }
        guard settings.proxyPort == nil || !settings.proxies.isEmpty else {
            throw SettingFault("proxy-port needs proxy-from, the addresses of the proxies that are believed")
        }
    }
}
