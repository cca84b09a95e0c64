import Dispatch
import EventLoop
import RaceModel
import ServerCore
import Synchronization

/// The core with its sockets: on one queue, or on several.
enum Engine: Sendable {
    case single(QueueConfined<ServerHost>)
    /// The core on its own queue, and sockets on several.
    case several(QueueConfined<CoreHost>, [QueueConfined<LoopHost>])

    /// Listens from here on.
    static func single(
        _ settings: ServerSettings, _ store: StoreQueue, _ identity: TLSIdentity?, _ log: LogWriter
    ) throws(ListenFault) -> (Engine, Ports) {
        let queue = DispatchQueue(label: "catrace.loop")
        let server = try ListenFault.of { () throws(TransportError) in
            try ServerHost(settings: settings, store: store, log: log, on: queue)
        }
        let host = QueueConfined(server, on: queue)
        let result = host.waitOnQueue { server in
            server.startStore(host)
            server.loop.start(handler: server)
            server.restore(store.savedMatches)
            if let identity { server.secure(by: identity) }
            return Result { () throws(ListenFault) in try server.loop.listen(settings) }
        }
        do {
            return (.single(host), try result.get())
        } catch {
            Self.single(host).abandon()
            throw error
        }
    }

    static func several(
        _ settings: ServerSettings, _ store: StoreQueue, _ identity: TLSIdentity?, _ log: LogWriter
    ) throws(ListenFault) -> (Engine, Ports) {
        let queue = DispatchQueue(label: "catrace.core")
        let core = QueueConfined(CoreHost(settings: settings, store: store, log: log, on: queue), on: queue)
        var loops: [QueueConfined<LoopHost>] = []
        for index in 0..<settings.loops {
            let queue = DispatchQueue(label: "catrace.loop\(index + 1)")
            let host = try ListenFault.of { () throws(TransportError) in
                try LoopHost(
                    index: index, of: settings.loops, connections: settings.connections,
                    measures: settings.isMeasured, log: log, on: queue)
            }
            loops.append(QueueConfined(host, on: queue))
        }
        let all = loops
        core.waitOnQueue { host in
            host.start(own: core, loops: all)
            host.restore(store.savedMatches)
        }
        for loop in all {
            loop.waitOnQueue { host in
                host.start(core: core, loops: all)
                if let identity { host.secure(by: identity) }
                host.loop.believe(proxies: settings.proxies)
            }
        }
        let result = all[0].waitOnQueue { host in
            Result { () throws(ListenFault) in try host.loop.listen(settings) }
        }
        do {
            return (.several(core, all), try result.get())
        } catch {
            Self.several(core, all).abandon()
            throw error
        }
    }

    /// For connections that come from now on.
    func secure(by identity: TLSIdentity) {
        switch self {
        case .single(let host): host.enqueue { $0.secure(by: identity) }
        case .several(_, let loops): for loop in loops { loop.enqueue { $0.secure(by: identity) } }
        }
    }

    func stop(after drain: Instant.Span, _ completion: @escaping @Sendable () -> Void) {
        switch self {
        case .single(let host): host.enqueue { $0.stop(after: drain, completion) }
        case .several(let core, _): core.enqueue { $0.stop(after: drain, completion) }
        }
    }

    /// Drains no longer.
    func hurry() {
        switch self {
        case .single(let host): host.enqueue { $0.hurry() }
        case .several(let core, _): core.enqueue { $0.hurry() }
        }
    }

    /// For a server that can't start after all: at once, and without a word.
    func abandon() {
        switch self {
        case .single(let host):
            host.waitOnQueue { server in
                server.ownQueue = nil
                server.loop.shutDown()
            }
        case .several(let core, _): core.waitOnQueue { $0.abandon() }
        }
    }

    /// What an operator asks for, through the core; answered on some queue, once.
    func operate(_ command: OperatorCommand, _ answer: @escaping OpenOperations.Answer) {
        switch self {
        case .single(let host): host.enqueue { $0.operate(command, answer) }
        case .several(let core, _): core.enqueue { $0.operate(command, answer) }
        }
    }

    /// How the server does; answered on some queue, unless it is stuck.
    func report(_ answer: @escaping @Sendable (ServerReport) -> Void) {
        switch self {
        case .single(let host): host.enqueue { answer($0.report) }
        case .several(let core, let loops):
            core.enqueue { host in
                let report = Mutex(host.report)
                let group = DispatchGroup()
                for loop in loops {
                    group.enter()
                    loop.enqueue { loop in
                        report.withLock { report in
                            report.loop.add(loop.loop.counters)
                            report.unreadBytes += loop.loop.unreadBytes
                            if let batches = loop.batches { report.batches.add(batches) }
                        }
                        group.leave()
                    }
                }
                group.notify(queue: .global()) { answer(report.withLock { $0 }) }
            }
        }
    }

    var counters: SocketLoop.Counters {
        switch self {
        case .single(let host): host.waitOnQueue { $0.loop.counters }
        case .several(_, let loops):
            loops.reduce(into: SocketLoop.Counters()) { sum, loop in
                sum.add(loop.waitOnQueue { $0.loop.counters })
            }
        }
    }
}
