import EventLoop
import Glibc
import RaceModel
import SQLiteStore
import ServerRuntime

func fail(_ sentence: String, status: Int32) -> Never {
    writeFully("catrace-server: \(sentence)\n", to: STDERR_FILENO)
    exit(status)
}

func warn(_ sentences: [String]) {
    for sentence in sentences { writeFully("catrace-server: \(sentence)\n", to: STDERR_FILENO) }
}

Descriptors.openStandardStreams()
var signals = StopSignals()
var settings: ServerSettings
let settingsAsRead: ServerSettings
do throws(SettingFault) {
    let environment = ProcessEnvironment.variables
    switch try Options.parse(
        Array(CommandLine.arguments.dropFirst()), environment: environment, read: SettingsFile.read)
    {
    case .help(let verb):
        writeFully(verb.map(VerbManual.text) ?? Manual.text, to: STDOUT_FILENO)
        exit(0)
    case .version:
        writeFully(Manual.version, to: STDOUT_FILENO)
        exit(0)
    case .printConfig(let effective):
        warn(effective.warnings)
        writeFully(effective.text, to: STDOUT_FILENO)
        exit(0)
    case .tool(let tool): tool.run()
    case .control(let line, let path): ControlClient.run(line, at: path)
    case .health(let effective):
        warn(effective.warnings)
        if let fault = HealthCheck.fault(effective.settings) { fail(fault, status: 1) }
        exit(0)
    case .run(let effective):
        warn(effective.warnings)
        settings = effective.settings
        settingsAsRead = effective.settings
        settings.inherited = try InheritedSockets.take()
        let allowed = Descriptors.connectionsAllowed()
        let memory = MemoryLimits.available()
        let fitting = memory.map { Capacity.connections(within: $0) } ?? .max
        let connectionsGiven = effective.isSet("connections")
        if !connectionsGiven {
            settings.connections = max(1, min(settings.connections, allowed, max(fitting, Capacity.fewest)))
        }
        guard settings.connections <= allowed else {
            fail(
                "\(settings.connections) connections are more than `ulimit -n` allows for: choose \(allowed) or fewer,"
                    + " or raise it", status: 2)
        }
        guard settings.connections <= fitting || !connectionsGiven else {
            let capacity = Capacity(connections: settings.connections)
            let choice = fitting > 0 ? "choose \(fitting) or fewer, or " : ""
            fail(
                "\(settings.connections) connections may take \(Capacity.text(capacity.mostBytes)) of memory, and"
                    + " there is \(Capacity.text(memory ?? 0)): \(choice)give the server more", status: 2)
        }
    }
} catch {
    fail(error.text + " (see --help)", status: 2)
}

if settings.seed != nil {
    writeFully(
        "catrace-server: with --seed, keys and dice can be foretold: nothing is secret\n", to: STDERR_FILENO)
}
MemoryPools.limit(to: settings.loops)
var identity: TLSIdentity?
if let files = settings.tls {
    do throws(TLSFiles.Fault) {
        identity = try files.read()
    } catch {
        fail(error.text, status: 2)
    }
}
var audit: AuditFile?
if let path = settings.audit {
    do throws(AuditFile.Fault) {
        audit = try AuditFile(path)
    } catch {
        fail(error.text, status: 1)
    }
}
let store: StoreQueue
do throws(StoreFault) {
    store = settings.inMemory ? .memory() : try .open(settings.directory)
} catch {
    fail(error.sentence, status: 1)
}
do throws(ListenFault) {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let source = Reloader.Source(settingsAsRead) { () throws(SettingFault) in
        try Options.read(arguments, environment: ProcessEnvironment.variables, read: SettingsFile.read)
    }
    let server = try RunningServer(settings, store: store, identity: identity, audit: audit, from: source)
    identity = nil
    let host = settings.inherited.isEmpty ? settings.host : "inherited"
    let proxyPort = server.proxyPort.map { " proxy-port=\($0)" } ?? ""
    writeFully("listening host=\(host) port=\(server.port)\(proxyPort)\n", to: STDOUT_FILENO)
    func noteSignal() {
        let sender = signals.sender
        guard !sender.isThisProcess else { return }
        server.audit(signal: sender.signal, user: sender.user, process: sender.process)
    }
    waiting: while true {
        switch signals.wait() {
        case .reload:
            let sender = signals.sender
            server.reload { [server] outcome in
                guard !sender.isThisProcess else { return }
                server.audit(
                    signal: sender.signal, user: sender.user, process: sender.process,
                    outcome: outcome.name)
            }
        case .census: server.logCensus()
        case .stop, nil:
            noteSignal()
            break waiting
        }
    }
    server.stop(after: settings.drain) { _exit(0) }
    // Another signal: no longer drained. And another, or a server that does not come to its end: out.
    if signals.waitForStop(seconds: settings.drain.seconds) {
        noteSignal()
        server.hurry()
        _ = signals.waitForStop(seconds: 4)
    } else {
        _ = signals.waitForStop(seconds: 4)
    }
    _exit(1)
} catch {
    if !store.giveBack() {
        warn(["\(store.savedMatches.count) races under way can't be kept for the next start, and are lost"])
    }
    fail(error.sentence, status: 1)
}
