import RaceModel

/// What the loop knows of one connection. Thousands idle: every byte here counts, and output that was not
/// taken at once is the only thing kept on the heap.
struct ConnectionSlot {
    enum State: UInt8 {
        case free
        /// Asked for, not yet standing.
        case connecting
        case open
        /// As the three below: standing, and the bytes are not the handler's yet, see `LayerTable`. The handler
        /// does not know of it.
        case awaitingHeader
        /// It may turn out to be TLS.
        case awaitingFirstByte
        /// Over TLS, the handshake included.
        case secured
        /// To be closed once its pending output is written. Input is thrown away.
        case flushing
        /// All is written and our side is shut; what the peer still sends is thrown away until it ends or
        /// time is up.
        case draining
        /// Closed and reported at the end of the batch.
        case condemned

        var isLayered: Bool { self == .awaitingHeader || self == .awaitingFirstByte || self == .secured }
        /// The handler may send and receive.
        var isStanding: Bool { self == .open || self == .awaitingFirstByte || self == .secured }
    }

    /// Whether it is among the loop's `unfinished`.
    enum Unfinished: UInt8 {
        case no
        case yes
        /// And its end is in, or a read has filled the buffer: `isLast` as `read` takes it.
        case last
    }

    var descriptor: Int32 = -1
    /// Raised at every end, so that ids and events of earlier connections in this slot match nothing.
    var generation: UInt32 = 1
    /// What the epoll set watches it for; all bits: to be set anew, since news were passed over.
    var armed: UInt32 = 0
    var state = State.free
    var inputEnded = false
    var paused = false
    /// Something was written since the linger deadline was set.
    var progressed = false
    var unfinished = Unfinished.no
    /// What is sent must wait: behind output that waits, or for a release.
    private(set) var mustWait = false
    /// How often output was held and not yet released.
    private var holds: UInt16 = 0
    /// Where in `pending` output begins that waits; while it is held, all waits, and it is where held output begins.
    private var offset: UInt32 = 0
    /// Output that waits, from `pendingStart` on. Empty almost always, and then not allocated.
    private(set) var pending: [UInt8] = []

    var isHeld: Bool { self.holds > 0 }
    var pendingStart: Int { self.isHeld ? 0 : Int(self.offset) }
    var pendingCount: Int { self.pending.count - self.pendingStart }
    /// Some of what waits may be written now.
    var hasOutput: Bool { !self.pending.isEmpty && self.holds == 0 }

    mutating func keep(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe self.pending.append(contentsOf: $0) }
        self.mustWait = true
    }

    /// The same, ahead of all that was held.
    mutating func keepAhead(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe self.pending.insert(contentsOf: $0, at: Int(self.offset))
        }
        self.offset += UInt32(bytes.count)
    }

    /// The first bytes of what waits are written.
    mutating func dropPending(first count: Int) {
        if count >= self.pendingCount { return self.dropPending() }
        let start = self.pendingStart + count
        if start > self.pending.count / 2 {
            self.pending.removeFirst(start)
            self.offset = 0
        } else {
            self.offset = UInt32(start)
        }
    }

    mutating func dropPending() {
        self.pending = []
        self.offset = 0
        self.mustWait = self.holds > 0
    }

    mutating func hold() {
        if !self.isHeld {
            self.pending.removeFirst(self.pendingStart)
            self.offset = UInt32(self.pending.count)
        }
        self.holds += 1
        self.mustWait = true
    }

    mutating func release() {
        guard self.holds > 0 else { return }
        self.holds -= 1
        if self.holds == 0 { self.offset = 0 }
        self.mustWait = self.holds > 0 || !self.pending.isEmpty
    }
}
