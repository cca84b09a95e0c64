import CEpoll
package import Dispatch
import Glibc
package import RaceModel

/// Sockets on one serial queue: listeners and connections in one epoll set, which one Dispatch source
/// watches. When it fires, all that is ready is read once each and handed on; then the handler sends, once
/// per connection.
///
/// Everything but `init` is called on the queue: inside a handler's callback, or in `perform`. Bytes only:
/// nothing here knows what they mean.
package final class SocketLoop {
    package struct Limits: Sendable {
        /// Connections at once; at it, accepting pauses until one ends.
        package var connections: Int
        /// Output of one connection its peer has not taken, in bytes; over it, the connection ends as a slow
        /// reader.
        package var unreadOutputBytes: Int

        package init(
            connections: Int = RaceModel.Limits.connections,
            unreadOutputBytes: Int = RaceModel.Limits.unreadOutputBytes
        ) {
            self.connections = connections
            self.unreadOutputBytes = unreadOutputBytes
        }
    }

    package struct Counters: Hashable, Sendable {
        /// Connections that exist now, those that are about to close included.
        package var live = 0
        package var accepted = 0
        package var closed = 0
        package var slowReaders = 0
        package var batches = 0
        package var reads = 0
        package var writes = 0
    }

    package let queue: DispatchQueue
    package let limits: Limits
    /// The time at the start of this batch.
    package internal(set) var now: Instant
    package internal(set) var counters = Counters()

    /// Kept until `shutDown`, which ends the cycle.
    var handler: (any LoopHandler)?
    let epoll: Int32
    let source: any DispatchSourceRead
    let timer: any DispatchSourceTimer
    var events = [catrace_event](repeating: catrace_event(), count: Int(catrace_batch))
    /// All input passes through here.
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    var slots: [ConnectionSlot] = []
    var freeSlots: [UInt32] = []
    var condemned: [(connection: ConnectionID, end: ConnectionEnd)] = []
    /// Slots that may have to be watched for something else when the batch is over. Most changes of mind
    /// within a batch cancel out, such as those of a peer that ends its side and is closed at once.
    var reconsidered: [Int] = []
    /// Connections with more to read than their turn allowed; the set, which reports only news, won't name
    /// them again.
    var unfinished: [ConnectionID] = []
    var listeners: [Listener] = []
    /// Set while descriptors or memory are short.
    var acceptAgain: Instant?
    var deadline: Instant?
    /// When the timer will fire; it may be earlier than anything that is due, never later.
    var armedFor: Instant?
    /// Closing connections in order of when they are given up; ids may be stale.
    var lingering: [(due: Instant, connection: ConnectionID)] = []
    var lingeringStart = 0
    var isShutDown = false

    /// Batches handled before other work on the queue gets its turn.
    static let batchesPerTurn = 16
    /// How long a closing connection may go without taking output, and then how long we wait for the peer's
    /// end.
    static let linger = Instant.Span.seconds(2)
    /// Tokens of listeners have this bit; slots never do.
    static let listenerBit: UInt64 = 1 << 31

    package init(on queue: DispatchQueue, limits: Limits = Limits()) throws(TransportError) {
        let epoll = catrace_epoll_create()
        guard epoll >= 0 else { throw TransportError(call: .epoll, code: -epoll) }
        self.epoll = epoll
        self.queue = queue
        self.limits = limits
        self.now = Self.clock()
        self.source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        self.timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    }

    /// Begins to watch. The timer is set at once, for some time in the future: that is when Dispatch opens a
    /// descriptor for it, and a timer for which none is left never fires.
    package func start(handler: any LoopHandler) {
        self.handler = handler
        self.source.setEventHandler { self.turn() }
        let epoll = self.epoll
        self.source.setCancelHandler { Glibc.close(epoll) }
        self.timer.setEventHandler { self.timerFired() }
        self.arm(for: Self.clock() + .seconds(3600))
        self.source.activate()
        self.timer.activate()
    }

    /// Ends every connection without a word, closes all descriptors and lets the handler go. May be called in
    /// `batchEnded` or from outside any callback. (Cancelling is what frees the sources' handlers, and with
    /// them the loop.)
    package func shutDown() {
        guard !self.isShutDown else { return }
        self.isShutDown = true
        self.stopListening()
        for index in self.slots.indices where self.slots[index].descriptor >= 0 {
            Glibc.close(self.slots[index].descriptor)
        }
        self.slots = []
        self.freeSlots = []
        self.condemned = []
        self.handler = nil
        self.source.cancel()
        self.timer.cancel()
    }

    /// Work that comes from elsewhere: has a current `now`, and what it sends and closes is carried out
    /// behind it.
    package func perform(_ body: () -> Void) {
        guard !self.isShutDown else { return }
        self.now = Self.clock()
        body()
        self.finishBatch()
    }

    package static func clock() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    // MARK: One turn

    func turn() {
        for _ in 0..<Self.batchesPerTurn {
            guard let handler = self.handler else { return }
            let epoll = self.epoll
            let count = unsafe self.events.withUnsafeMutableBufferPointer {
                unsafe catrace_epoll_poll(epoll, $0.baseAddress)
            }
            guard count > 0 || !self.unfinished.isEmpty else { return }
            self.now = Self.clock()
            self.counters.batches &+= 1
            if !self.unfinished.isEmpty { self.readUnfinished(handler) }
            for index in 0..<Int(max(0, count)) {
                let event = self.events[index]
                if event.token & Self.listenerBit != 0 {
                    self.accept(at: Int(event.token & (Self.listenerBit - 1)), handler)
                } else {
                    self.handle(event, handler)
                }
            }
            self.finishBatch()
        }
        // Others on the queue first; what is new makes the source fire again, and the timer is for the rest.
        if !self.unfinished.isEmpty, !self.isShutDown { self.arm(for: self.now) }
    }

    /// Lets the handler send, then closes what is to be closed. Only here does a slot become free, so an
    /// event of this batch never meets a later connection.
    func finishBatch() {
        guard let handler = self.handler else { return }
        handler.batchEnded()
        while !self.condemned.isEmpty, !self.isShutDown {
            let ended = self.condemned
            self.condemned.removeAll(keepingCapacity: true)
            for (connection, end) in ended {
                self.release(connection)
                handler.closed(connection, end)
            }
            handler.batchEnded()
        }
        guard !self.isShutDown else { return }
        self.updateInterests()
        self.updateAccepting()
        self.rearm()
    }

    /// The one place where a connection's descriptor is closed while the loop runs.
    private func release(_ connection: ConnectionID) {
        let index = Int(connection.slot)
        let descriptor = self.slots[index].descriptor
        if descriptor >= 0 {
            _ = catrace_epoll_control(self.epoll, 2, descriptor, 0, 0)
            Glibc.close(descriptor)
        }
        let generation = connection.generation &+ 1
        self.slots[index] = ConnectionSlot()
        self.slots[index].generation = generation
        self.freeSlots.append(connection.slot)
        self.counters.live -= 1
        self.counters.closed += 1
    }
}
