import RaceModel

/// What the loop knows of one connection. Thousands idle: every byte here counts, and output that was not
/// taken at once is the only thing kept on the heap.
struct ConnectionSlot {
    enum State: UInt8 {
        case free
        /// Asked for, not yet standing.
        case connecting
        case open
        /// To be closed once its pending output is written. Input is thrown away.
        case flushing
        /// All is written and our side is shut; what the peer still sends is thrown away until it ends or
        /// time is up.
        case draining
        /// Closed and reported at the end of the batch.
        case condemned
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
    /// Output the kernel did not take, from `pendingStart` on. Empty almost always, and then not allocated.
    var pending: [UInt8] = []
    var pendingStart = 0

    var pendingCount: Int { self.pending.count - self.pendingStart }

    mutating func dropPending() {
        self.pending = []
        self.pendingStart = 0
    }
}
