import Dispatch
package import EventLoop
package import RaceModel
import SQLiteStore
import ServerCore
import Synchronization

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
    private let admin: QueueConfined<AdminServer>?
    private let agones: QueueConfined<AgonesLife>?
    private let reloader: Reloader
    private let directory: DataDirectory?
    private let control = Mutex<QueueConfined<ControlServer>?>(nil)

    /// Listens from here on.
    /// - Parameters:
    ///   - identity: read from the settings' files, if there are any.
    ///   - audit: the settings' file of what operators do, opened.
    ///   - source: for when they are to be read again; nil: they don't change.
    package init(
        _ given: ServerSettings, store: StoreQueue = .memory(), identity: TLSIdentity? = nil,
        audit: AuditFile? = nil, from source: Reloader.Source? = nil
    ) throws(TransportError) {
        var settings = given
        settings.core.door.bans += store.bans
        let log = LogWriter(level: settings.logLevel, format: settings.logFormat, audit: audit)
        let (engine, ports) =
            settings.loops == 1
            ? try Engine.single(settings, store, identity, log)
            : try Engine.several(settings, store, identity, log)
        (self.engine, self.port, self.proxyPort, self.log) = (engine, ports.players, ports.proxies, log)
        self.reloader = Reloader(source, engine: engine, log: log)
        self.directory = store.directory
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
        let ask: AdminServer.Ask = { answer in
            engine.report { report in
                var report = report
                report.logLinesLost = log.linesLost
                answer(report)
            }
        }
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

    /// Listens for operators on a Unix socket.
    package func openControl(at path: String) throws(LocalSocket.Failure) {
        let reloader = self.reloader
        let desk = ControlDesk(engine: self.engine, log: self.log, directory: self.directory) {
            reloader.reload($0)
        }
        let server = try ControlServer.start(at: path) { desk.perform($0, by: $1, $2) }
        self.control.withLock { $0 = server }
        self.log.write([LogLine(.info, "control-listening", [LogLine.Field("path", path)])])
    }

    /// Reads the settings and the certificate again; the log says what came of it.
    package func reload() { self.reloader.reload { _ in } }

    /// Takes no new races, and ends when none is on, or after `drain`; then races under way are saved, if there is a
    /// store for them, everybody is told, and it is over in three seconds at most. `completion` is called once, on
    /// some queue.
    package func stop(
        after drain: Instant.Span = Instant.Span(nanoseconds: 0), _ completion: @escaping @Sendable () -> Void
    ) {
        let (log, admin, agones) = (self.log, self.admin, self.agones)
        let control = self.control.withLock { $0 }
        self.engine.stop(after: drain) {
            control?.waitOnQueue { $0.shutDown() }
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

    /// Writes down that somebody sent this process a signal.
    /// - Parameter signal: its name: `SIGTERM`.
    package func audit(signal: String, user: UInt32, process: Int32) {
        self.log.write([
            LogLine(
                .info, LogLine.audit,
                [
                    LogLine.Field("uid", "\(user)"), LogLine.Field("pid", "\(process)"),
                    LogLine.Field("verb", "signal"), LogLine.Field("subject", signal),
                    LogLine.Field("outcome", "ok"),
                ])
        ])
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
