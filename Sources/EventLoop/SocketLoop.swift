import CEpoll
package import Dispatch
import Glibc
package import RaceModel

/// Sockets on one serial queue: listeners and connections in one epoll set, which one Dispatch source
/// watches. When it fires, all that is ready is read once each and handed on; then the handler sends, once
/// per connection. One loop has a queue for itself.
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
        /// The same for all together, for each connection there may be, and what everybody may have when all
        /// together have more. (A few connections may have their own limit all the same.)
        package var unreadOutputShareBytes: Int
        /// How long a connection may be closing while its peer takes a little now and then; over it, it is
        /// given up a moment later.
        package var closing: Instant.Span

        package init(
            connections: Int = RaceModel.Limits.connections,
            unreadOutputBytes: Int = RaceModel.Limits.unreadOutputBytes,
            unreadOutputShareBytes: Int = RaceModel.Limits.unreadOutputShareBytes,
            closing: Instant.Span = RaceModel.Limits.closing
        ) {
            self.connections = connections
            self.unreadOutputBytes = unreadOutputBytes
            self.unreadOutputShareBytes = unreadOutputShareBytes
            self.closing = closing
        }

        /// Connections that may have all of their own limit unread, however few there may be.
        private static let fullConnections = 16

        /// Up to here nobody is measured by the share.
        var sharedOutputBytes: Int {
            max(self.connections * self.unreadOutputShareBytes, Self.fullConnections * self.unreadOutputBytes)
        }

        /// Output kept for all together, at most: what was below everybody's own limit, and a share each.
        package var mostOutputBytes: Int {
            self.sharedOutputBytes + self.connections * self.unreadOutputShareBytes
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
        /// Bytes that came, and that the kernel took.
        package var received = 0
        package var sent = 0

        package init() {}

        package mutating func add(_ other: Counters) {
            self.live += other.live
            self.accepted += other.accepted
            self.closed += other.closed
            self.slowReaders += other.slowReaders
            self.batches += other.batches
            self.reads += other.reads
            self.writes += other.writes
            self.received += other.received
            self.sent += other.sent
        }
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
    var buffer = [UInt8](repeating: 0, count: SocketLoop.readBytes)
    /// Output that waits, of all connections, in bytes.
    var pendingBytes = 0
    var slots: [ConnectionSlot] = []
    var freeSlots: [UInt32] = []
    var condemned: [(connection: ConnectionID, end: ConnectionEnd)] = []
    /// Connections all of whose held output was written at its release; their users learn it with the batch.
    var flushed: [ConnectionID] = []
    /// Slots that may have to be watched for something else when the batch is over. Most changes of mind
    /// within a batch cancel out, such as those of a peer that ends its side and is closed at once.
    var reconsidered: [Int] = []
    /// Connections with more to read than their turn allowed; the set, which reports only news, won't name
    /// them again. Once each, however much they send meanwhile.
    var unfinished: [ConnectionID] = []
    var listeners: [Listener] = []
    /// Those that have connections to accept, for the time of a batch.
    var readyListeners: [Int] = []
    /// Batches, since a listener was ready, that may have had no room for one.
    var fullBatches = 0
    /// Takes an accepted descriptor to another loop, or says no; and how many are there.
    var distributor: Distributor?
    var handedOut = 0
    /// Set while descriptors or memory are short.
    var acceptAgain: Instant?
    var layers = LayerTable()
    var deadline: Instant?
    /// When the timer will fire; it may be earlier than anything that is due, never later.
    var armedFor: Instant?
    /// Closing connections in order of when they are given up; ids may be stale.
    var lingering: [(due: Instant, givenUp: Instant, connection: ConnectionID)] = []
    var lingeringStart = 0
    var isShutDown = false
    /// The loop waits for its sockets itself, and the source is suspended.
    var isBusy = false
    /// Its user asked it to look at no socket for now.
    var isPaused = false
    /// A turn is on the queue.
    var isTurnQueued = false
    /// When the source fired last.
    var lastFired = Instant.zero
    /// Something was ready then.
    var lastNews = Instant.zero
    let doorbell: Doorbell
    var alarm: Alarm
    /// A turn at the end of the queue; gone when the loop is shut down.
    var again: DispatchWorkItem?

    /// Read from one connection at once, at most.
    package static let readBytes = 16 * 1024
    /// How long a closing connection may go without taking output, and then how long we wait for the peer's
    /// end.
    static let linger = Instant.Span.seconds(2)
    /// Tokens of listeners have this bit; slots never do.
    static let listenerBit: UInt64 = 1 << 31
    static let doorbellToken = UInt64.max
    static let alarmToken = UInt64.max - 1

    package init(on queue: DispatchQueue, limits: Limits = Limits()) throws(TransportError) {
        let epoll = catrace_epoll_create()
        guard epoll >= 0 else { throw TransportError(call: .epoll, code: -epoll) }
        do throws(TransportError) {
            self.doorbell = try Doorbell()
            self.alarm = try Alarm()
            let mask = catrace_readable | catrace_edge
            for (descriptor, token) in [
                (self.doorbell.descriptor, Self.doorbellToken), (self.alarm.descriptor, Self.alarmToken),
            ] {
                let watched = catrace_epoll_control(epoll, 1, descriptor, mask, token)
                guard watched == 0 else { throw TransportError(call: .epoll, code: -watched) }
            }
        } catch {
            Glibc.close(epoll)
            throw error
        }
        queue.setSpecific(key: Doorbell.key, value: self.doorbell)
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
        self.source.setEventHandler { self.sourceFired() }
        self.again = DispatchWorkItem { self.turn() }
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
        self.flushed = []
        self.distributor = nil
        self.layers = LayerTable()
        self.handler = nil
        self.again = nil
        self.source.cancel()
        // A source that is suspended can't be cancelled.
        if self.isBusy { self.source.resume() }
        self.timer.cancel()
    }

    /// Work that comes from elsewhere: has a current `now`, and what it sends and closes is carried out
    /// behind it. Not before `start`: nobody would carry it out.
    package func perform(_ body: () -> Void) {
        guard !self.isShutDown else { return }
        assert(self.handler != nil, "a loop performs nothing before its start")
        self.now = Self.clock()
        body()
        self.finishBatch()
    }

    package static func clock() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    // MARK: The end of a batch

    /// Lets the handler send, then closes what is to be closed. Only here does a slot become free, so an
    /// event of this batch never meets a later connection.
    func finishBatch() {
        guard let handler = self.handler else { return }
        handler.batchEnded()
        while !self.condemned.isEmpty || !self.flushed.isEmpty, !self.isShutDown {
            self.tellFlushed(handler)
            let ended = self.condemned
            self.condemned.removeAll(keepingCapacity: true)
            for (connection, end) in ended {
                self.free(connection)
                if self.layers.release(Int(connection.slot)) { handler.closed(connection, end) }
            }
            handler.batchEnded()
        }
        guard !self.isShutDown else { return }
        self.updateInterests()
        self.updateAccepting()
        // Busy, it waits by itself.
        if !self.isBusy || self.isPaused { self.rearm() }
    }

    private func tellFlushed(_ handler: any LoopHandler) {
        guard !self.flushed.isEmpty else { return }
        let flushed = self.flushed
        self.flushed.removeAll(keepingCapacity: true)
        for connection in flushed {
            guard let index = self.index(of: connection), self.slots[index].state.isStanding,
                self.slots[index].pending.isEmpty
            else { continue }
            handler.drained(connection)
        }
    }

    /// The one place where a connection's descriptor is closed while the loop runs.
    private func free(_ connection: ConnectionID) {
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
