import Dispatch
package import EventLoop
package import RaceModel
import ServerCore

/// Puts the core on a loop: everything the loop hears becomes an input, and every output is carried out.
/// Lives on the loop's queue; `RunningServer` is what others hold.
package final class ServerHost: LoopHandler {
    let loop: SocketLoop
    // The core calls nobody back, and neither do the others: debug builds check it at each access.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    private var core: RaceServer
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    private var outbox = Outbox()
    private let log: LogWriter
    private let directory = DirectoryQueue()
    /// How answers find back; gone once the server has ended.
    var ownQueue: QueueConfined<ServerHost>?
    private var whenStopped: (@Sendable () -> Void)?
    private var lastPauseLogged: Instant?
    /// Measured only when somebody can see it.
    var batches: Histogram?

    // Reused from batch to batch.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    private var gather = OutputGather()
    private var scratch: [UInt8] = []
    private var closing: [ConnectionID] = []
    private var backedUp: [ConnectionID] = []

    /// From `stop` to the end at the latest.
    static let stopLimit = Instant.Span.milliseconds(1500)

    init(settings: ServerSettings, log: LogWriter, on queue: DispatchQueue) throws(TransportError) {
        self.loop = try SocketLoop(on: queue, limits: SocketLoop.Limits(connections: settings.connections))
        let entropy: any RandomNumberGenerator & Sendable =
            if let seed = settings.seed { SeededGenerator(seed: seed) } else { SystemRandomNumberGenerator() }
        self.core = RaceServer(configuration: settings.core, entropy: entropy)
        self.log = log
        if settings.admin != nil { self.batches = Histogram() }
    }

    // MARK: Inputs

    package func accepted(_ connection: ConnectionID, from address: String) {
        self.handle(.accepted(connection, address: address))
    }

    package func connected(_ connection: ConnectionID) {}

    package func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        self.handle(.received(connection, bytes))
    }

    package func inputEnded(_ connection: ConnectionID) { self.handle(.inputEnded(connection)) }

    package func drained(_ connection: ConnectionID) { self.handle(.drained(connection)) }

    package func closed(_ connection: ConnectionID, _ end: ConnectionEnd) {
        let loss: ConnectionLoss =
            switch end {
            case .closed: .closed
            case .reset, .notConnected: .reset
            case .slowReader: .slowReader
            }
        self.handle(.closed(connection, loss))
    }

    package func deadlinePassed() { self.handle(.deadlinePassed) }

    package func acceptingPaused(_ error: TransportError) {
        // It is tried again many times a second.
        if let last = self.lastPauseLogged, self.loop.now - last < .seconds(60) { return }
        self.lastPauseLogged = self.loop.now
        self.log.write([LogLine(.warning, "accept-paused", [LogLine.Field("reason", error.description)])])
    }

    private func answered(_ answers: [DirectoryQueue.Answer]) {
        self.loop.perform {
            for answer in answers {
                switch answer.subject {
                case .directory(let directory): self.handle(.answered(answer.id, directory))
                case .results(let results): self.handle(.resultsAnswered(answer.id, results))
                }
            }
        }
    }

    private func handle(_ input: Input) { self.core.handle(input, now: self.loop.now, into: &self.outbox) }

    // MARK: Outputs

    package func batchEnded() {
        while !self.outbox.outputs.isEmpty { self.carryOut() }
        if self.batches != nil { self.batches?.observe(SocketLoop.clock() - self.loop.now) }
        self.loop.setDeadline(self.core.nextDeadline)
        if self.whenStopped != nil, self.loop.counters.live == 0 { self.end() }
    }

    private func carryOut() {
        var outbox = Outbox()
        swap(&outbox, &self.outbox)
        var requests: [DirectoryQueue.Request] = []
        var lines: [LogLine] = []
        for output in outbox.outputs {
            switch output {
            case .send(let connection, let range): self.gather.add(connection, range)
            case .close(let connection): self.closing.append(connection)
            case .pauseReading(let connection): self.loop.pauseReading(connection)
            case .resumeReading(let connection): self.loop.resumeReading(connection)
            case .hold(let connection):
                self.write(sentTo: connection, outbox.bytes)
                self.loop.hold(connection)
            case .release(let connection):
                self.write(sentTo: connection, outbox.bytes)
                self.loop.release(connection)
            case .sendAhead(let connection, let range):
                self.write(sentTo: connection, outbox.bytes)
                self.loop.sendAhead(connection, outbox.bytes.span.extracting(range))
            case .directory(let id, let request):
                requests.append(DirectoryQueue.Request(id: id, subject: .directory(request)))
            case .results(let id, let request):
                requests.append(DirectoryQueue.Request(id: id, subject: .results(request)))
            case .log(let line): lines.append(line)
            }
        }
        self.write(outbox.bytes)
        for connection in self.closing { self.loop.close(connection) }
        self.closing.removeAll(keepingCapacity: true)
        if !requests.isEmpty {
            self.directory.ask(requests) { [ownQueue] answers in ownQueue?.enqueue { $0.answered(answers) } }
        }
        if !lines.isEmpty { self.log.write(lines) }
        outbox.clear()
        swap(&outbox, &self.outbox)
        for connection in self.backedUp { self.handle(.backedUp(connection)) }
        self.backedUp.removeAll(keepingCapacity: true)
    }

    /// One write for each connection: straight from the outbox if its bytes lie together there, as they
    /// mostly do.
    private func write(_ bytes: [UInt8]) {
        for touched in self.gather.touched where touched.first >= 0 { self.write(touched, bytes) }
        self.gather.clear()
    }

    /// What was sent to one connection so far in this batch, ahead of the others.
    private func write(sentTo connection: ConnectionID, _ bytes: [UInt8]) {
        if let touched = self.gather.take(connection) { self.write(touched, bytes) }
    }

    private func write(_ touched: OutputGather.Touched, _ bytes: [UInt8]) {
        if touched.first == touched.last {
            let range = self.gather.pieces[touched.first].range
            self.loop.send(touched.connection, bytes.span.extracting(range))
        } else {
            self.scratch.removeAll(keepingCapacity: true)
            var next = touched.first
            while next >= 0 {
                self.scratch.append(contentsOf: bytes[self.gather.pieces[next].range])
                next = self.gather.pieces[next].next
            }
            self.loop.send(touched.connection, self.scratch.span)
        }
        if self.loop.unsentBytes(touched.connection) > Limits.backedUpBytes {
            self.backedUp.append(touched.connection)
        }
    }

    var census: Census { self.core.census }
    var isStopping: Bool { self.whenStopped != nil }

    // MARK: Stopping

    /// Takes no more connections, lets the core say goodbye, and ends once every connection is closed, or at
    /// `stopLimit`. `completion` is called on the queue, once.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        guard self.whenStopped == nil, let ownQueue = self.ownQueue else { return completion() }
        self.whenStopped = completion
        self.log.write([
            LogLine(.info, "stopping", [LogLine.Field("connections", "\(self.loop.counters.live)")])
        ])
        let limit = DispatchTimeInterval.nanoseconds(Int(Self.stopLimit.nanoseconds))
        self.loop.queue.asyncAfter(deadline: .now() + limit) { ownQueue.assumeOnQueue { $0.end() } }
        self.loop.perform {
            self.loop.stopListening()
            self.handle(.stop)
        }
    }

    private func end() {
        guard let completion = self.whenStopped, self.ownQueue != nil else { return }
        self.ownQueue = nil
        self.whenStopped = nil
        self.log.write([LogLine(.info, "stopped", [LogLine.Field("cut-off", "\(self.loop.counters.live)")])])
        self.loop.shutDown()
        completion()
    }
}
