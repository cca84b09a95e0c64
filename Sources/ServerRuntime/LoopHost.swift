import Dispatch
import EventLoop
import RaceModel
import ServerCore

/// One of several loops: hears, and does as the core says. Lives on its loop's queue; the core is on another one,
/// and only values cross.
final class LoopHost: LoopHandler {
    let loop: SocketLoop
    private let share: SlotShare
    private let log: LogWriter
    /// Gone at the end.
    private var core: QueueConfined<CoreHost>?
    /// Of who accepts: all loops, itself included, by index.
    private var loops: [QueueConfined<LoopHost>] = []
    private var nextLoop = 0
    /// Of the others: who accepts for them, and how many that came from there are gone.
    private var acceptor: QueueConfined<LoopHost>?
    private var gone = 0
    private var lastPauseLogged: Instant?
    private var refusals = RefusalLog()

    /// Measured only when somebody can see it: across to the core's queue and back.
    var batches: Histogram?

    private var writer = OutputWriter()
    private var report = LoopReport()
    private var mustReport = false
    /// Given to the core, and not yet answered for.
    private var underWay = 0
    private var underWayBytes = 0

    /// - Parameters:
    ///   - connections: of all loops together.
    ///   - measures: whether somebody can see `batches`.
    init(
        index: Int, of loops: Int, connections: Int, measures: Bool, log: LogWriter,
        on queue: DispatchQueue
    ) throws(TransportError) {
        let limits = SocketLoop.Limits(
            connections: connections, unreadOutputShareBytes: Limits.unreadOutputShareBytes / loops)
        self.loop = try SocketLoop(on: queue, limits: limits)
        self.share = SlotShare(loops: loops, index: index)
        self.log = log
        if measures { self.batches = Histogram() }
    }

    /// The first loop accepts for all; the others get its connections in turn.
    func start(core: QueueConfined<CoreHost>, loops: [QueueConfined<LoopHost>]) {
        self.core = core
        self.loop.start(handler: self)
        guard self.share.index == 0 else {
            self.acceptor = loops[0]
            return
        }
        self.loops = loops
        self.loop.distribute { [unowned self] in self.handOut($0, $1, $2) }
    }

    private func handOut(_ descriptor: Int32, _ address: SocketAddress, _ demandsHeader: Bool) -> Bool {
        let chosen = self.nextLoop
        self.nextLoop = (chosen + 1) % self.share.loops
        guard chosen != self.share.index, chosen < self.loops.count else { return false }
        self.loops[chosen].enqueue { $0.adopt(descriptor, from: address, demandsHeader) }
        return true
    }

    private func adopt(_ descriptor: Int32, from address: SocketAddress, _ demandsHeader: Bool) {
        guard self.core != nil else {
            _ = self.loop.adopt(descriptor, from: address, demandsHeader: demandsHeader)
            return
        }
        self.loop.perform {
            if !self.loop.adopt(descriptor, from: address, demandsHeader: demandsHeader) { self.gone += 1 }
        }
    }

    // MARK: What the loop says

    package func accepted(_ connection: ConnectionID, from address: String) {
        self.report.events.append(.accepted(self.share.shared(connection), address: address))
    }

    package func connected(_ connection: ConnectionID) {}

    package func secured(_ connection: ConnectionID) {
        self.report.events.append(.secured(self.share.shared(connection)))
    }

    package func refused(_ refusal: ConnectionRefusal, from address: String) {
        if let line = self.refusals.line(refusal, from: address, now: self.loop.now) {
            self.log.write([line])
        }
    }

    /// It was tried before it came here, so that only want of memory can refuse it; then all stays as it was.
    func secure(by identity: TLSIdentity) { try? self.loop.secure(by: identity) }

    package func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        let start = self.report.bytes.count
        self.report.bytes.append(contentsOf: bytes)
        self.report.events.append(.received(self.share.shared(connection), start..<self.report.bytes.count))
    }

    package func inputEnded(_ connection: ConnectionID) {
        self.report.events.append(.inputEnded(self.share.shared(connection)))
    }

    package func drained(_ connection: ConnectionID) {
        self.report.events.append(.drained(self.share.shared(connection)))
    }

    package func closed(_ connection: ConnectionID, _ end: ConnectionEnd) {
        if self.acceptor != nil { self.gone += 1 }
        self.report.events.append(.closed(self.share.shared(connection), ConnectionLoss(end)))
    }

    package func deadlinePassed() {}

    package func acceptingPaused(_ error: TransportError) {
        guard AcceptPause.isNews(self.loop.now, since: &self.lastPauseLogged) else { return }
        self.log.write([AcceptPause.line(error)])
    }

    package func batchEnded() {
        if self.gone > 0 {
            self.acceptor?.enqueue { [gone] host in host.loop.perform { host.loop.giveBack(gone) } }
            self.gone = 0
        }
        guard self.mustReport || !self.report.events.isEmpty, let core = self.core else { return }
        self.mustReport = false
        self.report.heard = self.report.events.isEmpty ? nil : self.loop.now
        self.underWay += self.report.events.count
        self.underWayBytes += self.report.bytes.count
        let index = self.share.index
        core.enqueue { [report] core in core.take(report, from: index) }
        self.report.events = []
        self.report.bytes = []
        if self.underWay >= Limits.crossingInputs || self.underWayBytes >= Limits.crossingInputBytes {
            self.loop.pause()
        }
    }

    // MARK: What the core says

    func take(_ orders: LoopOrders) {
        self.loop.perform {
            for output in orders.outputs { self.writer.add(output, orders.bytes, self.loop) }
            self.writer.finish(orders.bytes, self.loop)
            for connection in self.writer.backedUp {
                self.report.events.append(.backedUp(self.share.shared(connection)))
            }
            self.writer.clearBackedUp()
            if let heard = orders.heard { self.batches?.observe(SocketLoop.clock() - heard) }
            self.report.carried = orders.number
            self.report.carriedBytes += orders.sentBytes
            self.mustReport = self.mustReport || orders.wantsReport
            self.underWay -= orders.answered
            self.underWayBytes -= orders.answeredBytes
            if self.underWay <= Limits.crossingInputs / 2, self.underWayBytes <= Limits.crossingInputBytes / 2
            {
                self.loop.resume()
            }
        }
    }

    func stopListening() { self.loop.perform { self.loop.stopListening() } }

    func end() {
        self.core = nil
        self.acceptor = nil
        self.loops = []
        self.loop.shutDown()
    }
}
