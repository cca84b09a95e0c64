import Dispatch
package import EventLoop
package import RaceModel
import ServerCore

/// A server that listens. May be held and used from anywhere.
package final class RunningServer: Sendable {
    /// The port it listens on.
    package let port: UInt16
    /// The one for proxies, if there is any.
    package let proxyPort: UInt16?
    /// The port operators' machines ask on; nil without `admin`.
    package let adminPort: UInt16?
    private let engine: Engine
    private let log: LogWriter
    private let tls: TLSFiles?
    private let admin: QueueConfined<AdminServer>?
    private let agones: QueueConfined<AgonesLife>?

    /// Listens from here on.
    ///
    /// - Parameter identity: read from the settings' files, if there are any.
    package init(
        _ settings: ServerSettings, store: StoreQueue = .memory(), identity: TLSIdentity? = nil
    ) throws(TransportError) {
        let log = LogWriter(level: settings.logLevel, format: settings.logFormat)
        let (engine, ports) =
            settings.loops == 1
            ? try Engine.single(settings, store, identity, log)
            : try Engine.several(settings, store, identity, log)
        (self.engine, self.port, self.proxyPort) = (engine, ports.players, ports.proxies)
        (self.log, self.tls) = (log, settings.tls)
        let isInherited = !settings.inherited.isEmpty
        var fields = [
            LogLine.Field("host", isInherited ? "inherited" : settings.host),
            LogLine.Field("port", "\(ports.players)"),
        ]
        if let port = ports.proxies { fields.append(LogLine.Field("proxy-port", "\(port)")) }
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

    /// Reads certificate and key again, for connections that come from now on. Files that can't be used are
    /// refused with a line in the log, and all stays as it was.
    package func reload() {
        guard let tls else { return }
        do throws(TLSFiles.Fault) {
            let identity = try tls.read()
            self.engine.secure(by: identity)
            self.log.write([LogLine(.info, "certificate-loaded", [LogLine.Field("file", tls.certificate)])])
        } catch {
            let fields = [LogLine.Field("reason", error.text), LogLine.Field("still", "the old one")]
            self.log.write([LogLine(.error, "certificate-refused", fields)])
        }
    }

    /// Takes no new races, and ends when none is on, or after `drain`; then races under way are saved, if there is a
    /// store for them, everybody is told, and it is over in three seconds at most. `completion` is called once, on
    /// some queue.
    package func stop(
        after drain: Instant.Span = Instant.Span(nanoseconds: 0), _ completion: @escaping @Sendable () -> Void
    ) {
        let (log, admin, agones) = (self.log, self.admin, self.agones)
        self.engine.stop(after: drain) {
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

    /// Writes one line `census` to the log, whatever its level.
    package func logCensus() {
        self.engine.report { [log] report in log.write([report.censusLine], always: true) }
    }

    /// Drains no longer.
    package func hurry() { self.engine.hurry() }

    /// Of all loops together.
    package var counters: SocketLoop.Counters { self.engine.counters }
}
