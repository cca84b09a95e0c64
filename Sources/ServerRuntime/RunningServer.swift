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
    private let admin: QueueConfined<AdminServer>?
    private let control: QueueConfined<ControlServer>?
    private let agones: QueueConfined<AgonesLife>?
    private let reloader: Reloader

    /// Listens from here on, for players and for operators. When it throws, it listens nowhere, and its log has not
    /// said that it did; `StoreQueue.giveBack` is the caller's.
    /// - Parameters:
    ///   - identity: read from the settings' files, if there are any.
    ///   - audit: the settings' file of what operators do, opened.
    ///   - source: for when they are to be read again; nil: they don't change.
    package init(
        _ given: ServerSettings, store: StoreQueue = .memory(), identity: TLSIdentity? = nil,
        audit: AuditFile? = nil, from source: Reloader.Source? = nil
    ) throws(ListenFault) {
        var settings = given
        settings.core.door.bans += store.bans
        let log = LogWriter(level: settings.logLevel, format: settings.logFormat, audit: audit)
        let (engine, ports) =
            settings.loops == 1
            ? try Engine.single(settings, store, identity, log)
            : try Engine.several(settings, store, identity, log)
        let reloader = Reloader(source, engine: engine, log: log)
        let ask: AdminServer.Ask = { answer in
            engine.report { report in
                var report = report
                report.logLinesLost = log.linesLost
                report.isStoreUp = store.isUp
                answer(report)
            }
        }
        let admin: (server: QueueConfined<AdminServer>, port: UInt16)?
        do throws(ListenFault) {
            admin = try settings.admin.map { address throws(ListenFault) in
                try Self.openAdmin(at: address, ask)
            }
        } catch {
            engine.abandon()
            throw error
        }
        do throws(LocalSocket.Failure) {
            self.control = try settings.control.map { path throws(LocalSocket.Failure) in
                let desk = ControlDesk(
                    engine: engine, log: log, directory: store.directory, ask: ask, reload: reloader.reload)
                return try ControlServer.start(at: path) { desk.perform($0, by: $1, $2) }
            }
        } catch {
            admin?.server.waitOnQueue { $0.shutDown() }
            engine.abandon()
            throw ListenFault(sentence: "--control: \(error.sentence)")
        }
        (self.engine, self.log, self.reloader) = (engine, log, reloader)
        (self.port, self.proxyPort) = (ports.players, ports.proxies)
        (self.admin, self.adminPort) = (admin?.server, admin?.port)
        log.write(Self.listeningLines(settings, ports, adminPort: admin?.port) + [store.logLine])
        self.agones = settings.agones.map { AgonesLife.start(helper: $0, log: log, ask) }
    }

    private static func openAdmin(
        at address: HostAndPort, _ ask: @escaping AdminServer.Ask
    ) throws(ListenFault) -> (server: QueueConfined<AdminServer>, port: UInt16) {
        do throws(TransportError) {
            let started = try AdminServer.start(host: address.host, port: address.port, ask)
            return (server: started.0, port: started.port)
        } catch {
            throw ListenFault(error, host: address.host, port: address.port, "--admin", "--admin")
        }
    }

    /// Only once it listens everywhere.
    private static func listeningLines(
        _ settings: ServerSettings, _ ports: Ports, adminPort: UInt16?
    ) -> [LogLine] {
        var fields = [
            LogLine.Field("host", settings.inherited.isEmpty ? settings.host : "inherited"),
            LogLine.Field("port", "\(ports.players)"),
        ]
        if let port = ports.proxies { fields.append(LogLine.Field("proxy-port", "\(port)")) }
        var lines = [
            LogLine(.info, "listening", fields),
            Capacity(connections: settings.connections).line(memory: MemoryLimits.available()),
        ]
        if let address = settings.admin {
            let fields = [
                LogLine.Field("host", address.host), LogLine.Field("port", "\(adminPort ?? 0)"),
            ]
            lines.append(LogLine(.info, "admin-listening", fields))
        }
        if let path = settings.control {
            lines.append(LogLine(.info, "control-listening", [LogLine.Field("path", path)]))
        }
        return lines
    }

    /// Reads the settings and the certificate again; the log says what came of it.
    /// - Parameter completion: called once, on some queue, when it is done.
    package func reload(_ completion: @escaping @Sendable (ReloadOutcome) -> Void) {
        self.reloader.reload(completion)
    }

    /// Takes no new races, and ends when none is on, or after `drain`; then races under way are saved, if there is a
    /// store for them, everybody is told, and it is over in three seconds at most. `completion` is called once, on
    /// some queue.
    package func stop(
        after drain: Instant.Span = Instant.Span(nanoseconds: 0), _ completion: @escaping @Sendable () -> Void
    ) {
        let (log, admin, control, agones) = (self.log, self.admin, self.control, self.agones)
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
    /// - Parameters:
    ///   - signal: its name: `SIGTERM`.
    ///   - outcome: as `ctl` would have answered: `ok`, or the name of an error.
    package func audit(signal: String, user: UInt32, process: Int32, outcome: String = "ok") {
        self.log.write(act: [
            LogLine.Field("uid", "\(user)"), LogLine.Field("pid", "\(process)"),
            LogLine.Field("verb", "signal"), LogLine.Field("subject", signal),
            LogLine.Field("outcome", outcome),
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
