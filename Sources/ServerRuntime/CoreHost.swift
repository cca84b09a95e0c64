import Dispatch
import EventLoop
import Lobby
import RaceModel
import Records
import ServerCore
import Store

/// The core on a queue of its own, between several loops. Reports come in and orders go out, as values, by `async`;
/// nobody waits for anybody, and what is under way has limits (`Limits.crossingInputs` and the like).
final class CoreHost {
    private var core: RaceServer
    private var outbox = Outbox()
    private let log: LogWriter
    private let store: StoreQueue
    private let queue: DispatchQueue
    private let timer: any DispatchSourceTimer
    private var armedFor: Instant?
    private var isTurnQueued = false
    /// Both gone at the end.
    private var own: QueueConfined<CoreHost>?
    private var loops: [QueueConfined<LoopHost>] = []
    private var ways: [WayToLoop]
    /// By shared slot.
    private var ahead = OutputAhead()
    /// Accepted and not yet closed.
    private var live = 0
    private let connections: Int
    private var lastFullLogged: Instant?
    private var whenStopped: (@Sendable () -> Void)?
    /// The core has told everybody.
    private var isClosing = false
    private var operations = OpenOperations()
    /// Nobody comes any more, and everybody is told.
    private var isStopping = false

    init(settings: ServerSettings, store: StoreQueue, log: LogWriter, on queue: DispatchQueue) {
        self.core = RaceServer(settings, store)
        self.store = store
        self.log = log
        self.queue = queue
        self.connections = settings.connections
        self.ways = Array(repeating: WayToLoop(), count: settings.loops)
        self.timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    }

    func start(own: QueueConfined<CoreHost>, loops: [QueueConfined<LoopHost>]) {
        self.own = own
        self.loops = loops
        self.store.start(log: self.log) { [weak own] answers in own?.enqueue { $0.take(answers) } }
        self.timer.setEventHandler { [unowned self] in
            self.armedFor = nil
            self.passDeadline()
        }
        // Dispatch opens a descriptor for it now, while there is one.
        self.arm(for: SocketLoop.clock() + .seconds(3600))
        self.timer.activate()
    }

    func restore(_ matches: [SavedMatch]) {
        guard !matches.isEmpty else { return }
        self.handle(.restore(matches), SocketLoop.clock())
        self.finish()
    }

    // MARK: Inputs

    func take(_ report: LoopReport, from index: Int) {
        guard self.own != nil else { return }
        let now = SocketLoop.clock()
        for event in report.events {
            switch event {
            case .accepted(let connection, let address):
                self.live += 1
                self.noteIfFull(now)
                self.handle(.accepted(connection, address: .of(address)), now)
            case .received(let connection, let range):
                self.handle(.received(connection, report.bytes[range]), now)
            case .secured(let connection): self.handle(.secured(connection), now)
            case .inputEnded(let connection): self.handle(.inputEnded(connection), now)
            case .backedUp(let connection):
                self.ahead.setBackedUp(connection)
                self.handle(.backedUp(connection), now)
            case .drained(let connection):
                if self.ahead.drained(connection) { self.handle(.drained(connection), now) }
            case .closed(let connection, let loss):
                self.live -= 1
                self.handle(.closed(connection, loss), now)
            }
        }
        self.ways[index].noteReport(report)
        for way in self.ways.indices { self.ways[way].noteHeard(report.heard) }
        for connection in self.ahead.caughtUp(carried: self.ways.map(\.carried)) {
            self.handle(.drained(connection), now)
        }
        self.finish()
    }

    /// No more are accepted until a connection ends; those who come wait in the kernel.
    private func noteIfFull(_ now: Instant) {
        guard self.live >= self.connections, AcceptPause.isNews(now, since: &self.lastFullLogged) else {
            return
        }
        self.log.write([AcceptPause.fullLine(self.live)])
    }

    private func take(_ answers: [StoreAnswer]) {
        guard self.own != nil else { return }
        let now = SocketLoop.clock()
        for answer in answers {
            switch answer.subject {
            case .directory(let directory): self.handle(.answered(answer.id, directory), now)
            case .results(let results): self.handle(.resultsAnswered(answer.id, results), now)
            }
        }
        self.finish()
    }

    private func passDeadline() {
        guard self.own != nil else { return }
        self.handle(.deadlinePassed, SocketLoop.clock())
        self.finish()
    }

    private func handle(_ input: Input, _ now: Instant) {
        self.core.handle(input, now: now, into: &self.outbox)
    }

    /// As `ServerHost.operate`.
    func operate(_ command: OperatorCommand, _ answer: @escaping OpenOperations.Answer) {
        guard self.own != nil else { return answer(OpenOperations.ended) }
        let number = self.operations.begin(answer)
        self.handle(.operated(number, command), SocketLoop.clock())
        self.finish()
    }

    // MARK: Outputs

    private func finish() {
        while !self.outbox.isEmpty { self.sortOutputs() }
        // What took work and has no outputs is over, too.
        self.outbox.clear()
        for index in self.ways.indices where self.ways[index].hasOrders(isFull: self.isFull) {
            let orders = self.ways[index].takeOrders(isFull: self.isFull)
            self.loops[index].enqueue { $0.take(orders) }
        }
        for index in self.ways.indices { self.ways[index].forgetHeard() }
        self.planDeadline()
        if self.isStopping, self.live == 0 { self.end() }
    }

    /// So much is on its way to one of the loops that no more input is asked for.
    private var isFull: Bool { self.ways.contains { $0.outputBytes > Limits.crossingOutputBytes } }

    private func sortOutputs() {
        var outbox = Outbox()
        swap(&outbox, &self.outbox)
        var requests: [StoreRequest] = []
        var lines: [LogLine] = []
        var backedUp: [ConnectionID] = []
        var hasEnded = false
        for output in outbox.outputs {
            let (index, own) = output.own(loops: self.ways.count)
            self.ways[index].add(own, sharing: outbox.bytes)
            if case .send(let connection, let range) = output,
                self.ahead.note(connection, range.count, self.ways[index].nextNumber, loop: index)
            {
                backedUp.append(connection)
                self.ways[index].wantReport()
            }
        }
        for errand in outbox.errands {
            switch errand {
            case .directory(let id, let request):
                requests.append(StoreRequest(id, .directory(request)))
            case .results(let id, let request): requests.append(StoreRequest(id, .results(request)))
            case .ended: hasEnded = true
            case .log(let line): lines.append(line)
            case .bans(let change): requests.append(StoreRequest(LookUpID(0), .bans(change)))
            case .operated(let number, let answer): self.operations.end(number, answer)
            }
        }
        if !requests.isEmpty { self.store.ask(requests) }
        if !lines.isEmpty { self.log.write(lines) }
        for index in self.ways.indices { self.ways[index].closeBytes() }
        let now = SocketLoop.clock()
        for connection in backedUp { self.handle(.backedUp(connection), now) }
        if hasEnded { self.finishStop() }
    }

    private func planDeadline() {
        guard let due = self.core.nextDeadline else { return }
        guard due > SocketLoop.clock() else {
            // Reports that wait come first.
            guard !self.isTurnQueued, let own = self.own else { return }
            self.isTurnQueued = true
            return own.enqueue { host in
                host.isTurnQueued = false
                host.passDeadline()
            }
        }
        if let armed = self.armedFor, armed <= due { return }
        self.arm(for: due)
    }

    private func arm(for instant: Instant) {
        self.armedFor = instant
        self.timer.schedule(
            deadline: DispatchTime(uptimeNanoseconds: UInt64(max(instant.nanoseconds, 1))),
            leeway: .nanoseconds(0))
    }

    var report: ServerReport {
        ServerReport(
            isDraining: self.whenStopped != nil, loop: SocketLoop.Counters(), census: self.core.census,
            unreadBytes: 0, batches: Histogram(), figures: self.core.figures, population: self.core.population
        )
    }

    // MARK: Stopping

    /// As `ServerHost.stop`.
    func stop(after drain: Instant.Span, _ completion: @escaping @Sendable () -> Void) {
        guard self.whenStopped == nil, self.own != nil else { return completion() }
        self.whenStopped = completion
        self.log.write([LogLine(.info, "stopping", [LogLine.Field("connections", "\(self.live)")])])
        self.handle(drain > Instant.Span(nanoseconds: 0) ? .drain(drain) : .stop, SocketLoop.clock())
        self.finish()
    }

    func hurry() {
        if self.isClosing { return self.end() }
        self.handle(.stop, SocketLoop.clock())
        self.finish()
    }

    private func finishStop() {
        guard !self.isClosing, let own = self.own else { return }
        self.isClosing = true
        let limit = DispatchTimeInterval.nanoseconds(Int(ServerHost.stopLimit.nanoseconds))
        self.queue.asyncAfter(deadline: .now() + limit) { own.assumeOnQueue { $0.end() } }
        // Who is accepted already is known here, and told, before the end.
        self.loops[0].enqueue { host in
            host.stopListening()
            own.enqueue { core in
                core.isStopping = true
                core.finish()
            }
        }
    }

    /// Ends all loops at once, and the store.
    func end() {
        guard self.own != nil else { return }
        let completion = self.whenStopped
        self.log.write([LogLine(.info, "stopped", [LogLine.Field("cut-off", "\(self.live)")])])
        self.endLoops { [store] in store.finish { completion?() } }
    }

    /// For a server that can't start after all: as if it had never been, and nothing is asked of the store any more.
    func abandon() {
        guard self.own != nil else { return }
        self.endLoops {}
    }

    private func endLoops(_ completion: @escaping @Sendable () -> Void) {
        self.own = nil
        self.whenStopped = nil
        self.timer.cancel()
        let group = DispatchGroup()
        for loop in self.loops {
            group.enter()
            loop.enqueue { host in
                host.end()
                group.leave()
            }
        }
        self.loops = []
        group.notify(queue: self.queue, execute: completion)
    }
}
