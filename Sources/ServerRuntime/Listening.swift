import EventLoop
import Glibc
import ProxyProtocol
import RaceModel

/// A server can't listen somewhere: one sentence that begins with the setting it is about, says what is wrong and what
/// would be right.
package struct ListenFault: Error, Hashable, Sendable {
    package let sentence: String

    init(sentence: String) { self.sentence = sentence }

    /// - Parameters:
    ///   - addressSetting: the flag that says at which address, and `portSetting` the one that says at which port.
    init(
        _ error: TransportError, host: String, port: UInt16, _ addressSetting: String, _ portSetting: String
    ) {
        let isOfAddress =
            error.call == .resolve || error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT
        self.sentence =
            "\(isOfAddress ? addressSetting : portSetting): " + error.listenSentence(host: host, port: port)
    }

    /// - Parameter body: concerns no setting: the system lacks something.
    static func of<Value>(_ body: () throws(TransportError) -> Value) throws(ListenFault) -> Value {
        do throws(TransportError) { return try body() } catch {
            throw ListenFault(
                sentence: "the system gives the server no way to listen (\(error)): see its limits")
        }
    }
}

/// Where a server listens.
struct Ports: Sendable {
    var players: UInt16
    /// For proxies, if there are any; may be the same.
    var proxies: UInt16?
}

extension SocketLoop {
    /// On the sockets that were handed over, or where the settings say.
    func listen(_ settings: ServerSettings) throws(ListenFault) -> Ports {
        if settings.inherited.isEmpty, settings.proxyPort == settings.port, settings.port != 0 {
            let port = try self.listen(settings, at: settings.port, "--port", proxies: settings.proxies)
            return Ports(players: port, proxies: port)
        }
        var ports: [UInt16] = []
        for descriptor in settings.inherited {
            ports.append(
                try ListenFault.of { () throws(TransportError) in try self.listen(inherited: descriptor) })
        }
        if ports.isEmpty { ports.append(try self.listen(settings, at: settings.port, "--port")) }
        guard let proxyPort = settings.proxyPort else { return Ports(players: ports[0]) }
        return Ports(
            players: ports[0],
            proxies: try self.listen(settings, at: proxyPort, "--proxy-port", proxies: settings.proxies))
    }

    private func listen(
        _ settings: ServerSettings, at port: UInt16, _ flag: String, proxies: [IPNetwork]? = nil
    ) throws(ListenFault) -> UInt16 {
        do throws(TransportError) {
            guard let proxies else { return try self.listen(host: settings.host, port: port) }
            return try self.listen(host: settings.host, port: port, proxies: proxies)
        } catch {
            throw ListenFault(error, host: settings.host, port: port, "--host", flag)
        }
    }
}
