import Dispatch
package import EventLoop
import Lobby
package import RaceModel
import Records
import ServerCore
import Store

/// Puts the core on a loop: everything the loop hears becomes an input, and every output is carried out.
/// Lives on the loop's queue; `RunningServer` is what others hold.
package final class ServerHost: LoopHandler {
    let loop: SocketLoop
    private var core: RaceServer
    private var outbox = Outbox()
    private let log: LogWriter
    private let store: StoreQueue
    /// Of the store, not yet taken; while there are any, `takeAnswers` is on the queue.
    private var answers: [StoreAnswer] = []
    private static let answersAtOnce = 8
    /// How answers find back; gone once the server has ended.
    var ownQueue: QueueConfined<ServerHost>?
    private var whenStopped: (@Sendable () -> Void)?
    /// The core has told everybody.
    private var hasEnded = false
    private var isClosing = false
    private var lastPauseLogged: Instant?
    /// Measured only when somebody can see it.
    var batches: Histogram?
    private var lastFullLogged: Instant?
    private var refusals = RefusalLog()
    private var operations = OpenOperations()

    // Reused from batch to batch.
    private var writer = OutputWriter()

    /// From the last goodbye to the end at the latest.
    static let stopLimit = Instant.Span.milliseconds(1500)

    init(
        settings: ServerSettings, store: StoreQueue, log: LogWriter, on queue: DispatchQueue
    ) throws(TransportError) {
        self.loop = try SocketLoop(on: queue, limits: SocketLoop.Limits(connections: settings.connections))
        self.core = RaceServer(settings, store)
        self.log = log
        self.store = store
        if settings.isMeasured { self.batches = Histogram() }
    }

    /// From here on the store answers.
    func startStore(_ ownQueue: QueueConfined<ServerHost>) {
        self.ownQueue = ownQueue
        self.store.start(log: self.log) { [weak ownQueue] answers in
            ownQueue?.enqueue { $0.answered(answers) }
        }
    }

    /// Goes on with the races of the process before; before anybody connects.
    func restore(_ matches: [SavedMatch]) {
        guard !matches.isEmpty else { return }
        self.loop.perform { self.handle(.restore(matches)) }
    }

    // MARK: Inputs

    package func accepted(_ connection: ConnectionID, from address: String) {
        self.handle(.accepted(connection, address: .of(address)))
        if self.loop.counters.live >= self.loop.limits.connections { self.noteFull() }
    }

    package func connected(_ connection: ConnectionID) {}

    package func secured(_ connection: ConnectionID) { self.handle(.secured(connection)) }

    package func refused(_ refusal: ConnectionRefusal, from address: String) {
        if let line = self.refusals.line(refusal, from: address, now: self.loop.now) {
            self.log.write([line])
        }
    }

    package func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        self.handle(.received(connection, bytes))
    }

    package func inputEnded(_ connection: ConnectionID) { self.handle(.inputEnded(connection)) }

    package func drained(_ connection: ConnectionID) { self.handle(.drained(connection)) }

    package func closed(_ connection: ConnectionID, _ end: ConnectionEnd) {
        self.handle(.closed(connection, ConnectionLoss(end)))
    }

    package func deadlinePassed() { self.handle(.deadlinePassed) }

    package func acceptingPaused(_ error: TransportError) {
        guard AcceptPause.isNews(self.loop.now, since: &self.lastPauseLogged) else { return }
        self.log.write([AcceptPause.line(error)])
    }

    /// The loop accepts no more until a connection ends; those who come wait in the kernel.
    private func noteFull() {
        guard AcceptPause.isNews(self.loop.now, since: &self.lastFullLogged) else { return }
        self.log.write([AcceptPause.fullLine(self.loop.counters.live)])
    }

    private func answered(_ answers: [StoreAnswer]) {
        let isTaking = !self.answers.isEmpty
        self.answers += answers
        if !isTaking { self.takeAnswers() }
    }

    /// Some at a time: however many come at once, the sockets have their turn in between.
    private func takeAnswers() {
        guard let ownQueue = self.ownQueue, !self.answers.isEmpty else { return }
        let taken = self.answers.prefix(Self.answersAtOnce)
        self.loop.perform {
            for answer in taken {
                switch answer.subject {
                case .directory(let subject): self.handle(.answered(answer.id, subject))
                case .results(let subject): self.handle(.resultsAnswered(answer.id, subject))
                }
            }
        }
        self.answers.removeFirst(taken.count)
        if !self.answers.isEmpty { ownQueue.enqueue { $0.takeAnswers() } }
    }

    private func handle(_ input: Input) { self.core.handle(input, now: self.loop.now, into: &self.outbox) }

    /// It was tried before it came here, so that only want of memory can refuse it; then all stays as it was.
    func secure(by identity: TLSIdentity) { try? self.loop.secure(by: identity) }

    // MARK: Outputs

    package func batchEnded() {
        while !self.outbox.isEmpty { self.carryOut() }
        // What took work and has no outputs is over with the batch, too.
        self.outbox.clear()
        if self.batches != nil { self.batches?.observe(SocketLoop.clock() - self.loop.now) }
        self.loop.setDeadline(self.core.nextDeadline)
        if self.hasEnded { self.finishStop() }
    }

    private func carryOut() {
        var outbox = Outbox()
        swap(&outbox, &self.outbox)
        for output in outbox.outputs { self.writer.add(output, outbox.bytes, self.loop) }
        self.writer.finish(outbox.bytes, self.loop)
        if !outbox.errands.isEmpty { self.run(outbox.errands) }
        outbox.clear()
        swap(&outbox, &self.outbox)
        for connection in self.writer.backedUp { self.handle(.backedUp(connection)) }
        self.writer.clearBackedUp()
    }

    private func run(_ errands: [Errand]) {
        var requests: [StoreRequest] = []
        var lines: [LogLine] = []
        for errand in errands {
            switch errand {
            case .directory(let id, let request):
                requests.append(StoreRequest(id, .directory(request)))
            case .results(let id, let request): requests.append(StoreRequest(id, .results(request)))
            case .ended: self.hasEnded = true
            case .log(let line): lines.append(line)
            case .bans(let change): requests.append(StoreRequest(LookUpID(0), .bans(change)))
            case .operated(let number, let answer): self.operations.end(number, answer)
            }
        }
        if !requests.isEmpty { self.store.ask(requests) }
        if !lines.isEmpty { self.log.write(lines) }
    }

    /// `answer` is called once, on this queue.
    func operate(_ command: OperatorCommand, _ answer: @escaping OpenOperations.Answer) {
        guard self.ownQueue != nil else { return answer(OpenOperations.ended) }
        let number = self.operations.begin(answer)
        self.loop.perform { self.handle(.operated(number, command)) }
    }

    var census: Census { self.core.census }
    var figures: Figures { self.core.figures }
    var population: Population { self.core.population }
    var isStopping: Bool { self.whenStopped != nil }

    // MARK: Stopping

    /// Begins no new races, and ends when none is on, or after so long; then the core saves what it can and says
    /// goodbye, and it is over when every connection is closed, or at `stopLimit`. `completion` is called once, on
    /// some queue.
    func stop(after drain: Instant.Span, _ completion: @escaping @Sendable () -> Void) {
        guard self.whenStopped == nil, self.ownQueue != nil else { return completion() }
        self.whenStopped = completion
        self.log.write([
            LogLine(.info, "stopping", [LogLine.Field("connections", "\(self.loop.counters.live)")])
        ])
        self.loop.perform { self.handle(drain > Instant.Span(nanoseconds: 0) ? .drain(drain) : .stop) }
    }

    /// Drains no longer; once everybody has been told, waits for nobody.
    func hurry() {
        if self.hasEnded { return self.end() }
        self.loop.perform { self.handle(.stop) }
    }

    private func finishStop() {
        if self.loop.counters.live == 0 { return self.end() }
        guard !self.isClosing, let ownQueue = self.ownQueue else { return }
        self.isClosing = true
        self.loop.stopListening()
        let limit = DispatchTimeInterval.nanoseconds(Int(Self.stopLimit.nanoseconds))
        self.loop.queue.asyncAfter(deadline: .now() + limit) { ownQueue.assumeOnQueue { $0.end() } }
    }

    private func end() {
        guard let completion = self.whenStopped, self.ownQueue != nil else { return }
        self.ownQueue = nil
        self.whenStopped = nil
        self.log.write([LogLine(.info, "stopped", [LogLine.Field("cut-off", "\(self.loop.counters.live)")])])
        self.loop.shutDown()
        self.store.finish(completion)
    }
}
