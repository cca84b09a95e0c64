import CEpoll
import Glibc
import RaceModel

/// What ends the waiting of a busy loop when no socket does. A timer in its epoll set, and set seldom: to wait with a
/// limit would have the kernel set one and take it back around each of many thousand waits a second.
struct Alarm: ~Copyable {
    /// Becomes ready, once, when it rings. To be watched for news only: nobody reads it.
    let descriptor: Int32
    /// When it will ring.
    private var due: Instant?

    init() throws(TransportError) {
        let descriptor = catrace_timer_create()
        guard descriptor >= 0 else { throw TransportError(call: .epoll, code: -descriptor) }
        self.descriptor = descriptor
    }

    deinit { Glibc.close(self.descriptor) }

    /// It rings then, or earlier.
    mutating func ring(by instant: Instant) {
        if let due, due <= instant { return }
        self.due = instant
        // At zero it would be switched off.
        _ = catrace_timer_set(self.descriptor, max(1, instant.nanoseconds))
    }

    mutating func hasRung() { self.due = nil }
}
