import Dispatch
package import EventLoop
import RaceModel
import ServerCore

/// A server that listens. May be held and used from anywhere.
package final class RunningServer: Sendable {
    /// The port it listens on.
    package let port: UInt16
    /// The port operators' machines ask on; nil without `admin`.
    package let adminPort: UInt16?
    private let engine: Engine
    private let log: LogWriter
    private let admin: QueueConfined<AdminServer>?
    private let agones: QueueConfined<AgonesLife>?

    /// Listens from here on.
    package init(
        _ settings: ServerSettings, store: StoreQueue = .memory()
    ) throws(TransportError) {
        let log = LogWriter(level: settings.logLevel, format: settings.logFormat)
        let (engine, port) =
            settings.loops == 1
            ? try Engine.single(settings, store, log) : try Engine.several(settings, store, log)
        (self.engine, self.port, self.log) = (engine, port, log)
        let isInherited = !settings.inherited.isEmpty
        let fields = [
            LogLine.Field("host", isInherited ? "inherited" : settings.host),
            LogLine.Field("port", "\(port)"),
        ]
        log.write([
            LogLine(.info, "listening", fields),
            Capacity(connections: settings.connections).line(memory: MemoryLimits.available()),
        ])
        let ask: AdminServer.Ask = { answer in engine.report(answer) }
        if let address = settings.admin {
            do {
                let started = try AdminServer.start(host: address.host, port: address.port, ask)
                (self.admin, self.adminPort) = (started.0, started.port)
            } catch {
                engine.end()
                throw error
            }
            let fields = [
                LogLine.Field("host", address.host), LogLine.Field("port", "\(self.adminPort ?? 0)"),
            ]
            log.write([LogLine(.info, "admin-listening", fields)])
        } else {
            (self.admin, self.adminPort) = (nil, nil)
        }
        self.agones = settings.agones.map { AgonesLife.start(helper: $0, log: log, ask) }
    }

    /// Tells everybody and ends, in two seconds at most. `completion` is called once, on some queue.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let (log, admin, agones) = (self.log, self.admin, self.agones)
        self.engine.stop {
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

    /// Of all loops together.
    package var counters: SocketLoop.Counters { self.engine.counters }
}
