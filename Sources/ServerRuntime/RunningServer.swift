import Dispatch
package import EventLoop
import RaceModel
import ServerCore

/// A server that listens. May be held and used from anywhere.
package final class RunningServer: Sendable {
    /// The port it listens on.
    package let port: UInt16
    private let host: QueueConfined<ServerHost>
    private let log: LogWriter
    private let admin: QueueConfined<AdminServer>?
    private let agones: QueueConfined<AgonesLife>?
    /// The port operators' machines ask on; nil without `admin`.
    package let adminPort: UInt16?

    /// Listens from here on.
    package init(_ settings: ServerSettings) throws(TransportError) {
        let queue = DispatchQueue(label: "catrace.loop")
        let log = LogWriter(level: settings.logLevel, format: settings.logFormat)
        let host = QueueConfined(try ServerHost(settings: settings, log: log, on: queue), on: queue)
        let result = host.waitOnQueue { server in
            server.ownQueue = host
            server.loop.start(handler: server)
            return Result { () throws(TransportError) in
                guard !settings.inherited.isEmpty else {
                    return try server.loop.listen(host: settings.host, port: settings.port)
                }
                let ports = try settings.inherited.map { descriptor throws(TransportError) in
                    try server.loop.listen(inherited: descriptor)
                }
                return ports[0]
            }
        }
        self.host = host
        self.log = log
        do {
            self.port = try result.get()
            self.agones = settings.agones.map { helper in
                AgonesLife.start(helper: helper, log: log) { answer in host.enqueue { answer($0.report) } }
            }
            if let address = settings.admin {
                let admin = try AdminServer.start(host: address.host, port: address.port) { answer in
                    host.enqueue { answer($0.report) }
                }
                self.admin = admin.0
                self.adminPort = admin.port
            } else {
                self.admin = nil
                self.adminPort = nil
            }
        } catch {
            host.waitOnQueue { server in
                server.ownQueue = nil
                server.loop.shutDown()
            }
            throw error
        }
        let isInherited = !settings.inherited.isEmpty
        let fields = [
            LogLine.Field("host", isInherited ? "inherited" : settings.host),
            LogLine.Field("port", "\(self.port)"),
        ]
        log.write([LogLine(.info, "listening", fields)])
        if let host = settings.admin?.host, let port = self.adminPort {
            let fields = [LogLine.Field("host", host), LogLine.Field("port", "\(port)")]
            log.write([LogLine(.info, "admin-listening", fields)])
        }
    }

    /// Tells everybody and ends, in two seconds at most. `completion` is called once, on some queue.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        self.host.enqueue { [log, admin, agones] server in
            server.stop {
                admin?.enqueue { $0.shutDown() }
                guard let agones else {
                    log.flush()
                    return completion()
                }
                agones.enqueue { agones in
                    agones.end()
                    log.flush()
                    completion()
                }
            }
        }
    }

    package var counters: SocketLoop.Counters { self.host.waitOnQueue { $0.loop.counters } }
}
