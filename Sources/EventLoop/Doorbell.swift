import CEpoll
import Dispatch
import Glibc
import Synchronization

/// Calls a loop that waits for its sockets back to its queue, where work from elsewhere has come in. Rung behind
/// each piece of it by `QueueConfined`; a write only while the loop really waits.
final class Doorbell: Sendable {
    /// By it, `QueueConfined` finds the bell of its queue.
    static let key = DispatchSpecificKey<Doorbell>()

    /// Becomes ready, once, with each ring while the loop waits. To be watched for news only: nobody reads it.
    let descriptor: Int32
    private let state = Atomic<UInt8>(Doorbell.quiet)

    private static let quiet: UInt8 = 0
    private static let waiting: UInt8 = 1
    private static let rung: UInt8 = 2

    init() throws(TransportError) {
        let descriptor = catrace_event_create()
        guard descriptor >= 0 else { throw TransportError(call: .epoll, code: -descriptor) }
        self.descriptor = descriptor
    }

    deinit { Glibc.close(self.descriptor) }

    /// From anywhere, when the work is on the queue already.
    func ring() {
        if self.state.exchange(Self.rung, ordering: .acquiringAndReleasing) == Self.waiting {
            catrace_event_ring(self.descriptor)
        }
    }

    /// There is work on the queue that the loop has not let through yet.
    var isRung: Bool { self.state.load(ordering: .acquiring) == Self.rung }

    /// False: it was rung since the last `answer`, so there is no waiting now.
    func startWaiting() -> Bool {
        self.state.compareExchange(
            expected: Self.quiet, desired: Self.waiting, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// A ring meanwhile stands.
    func stopWaiting() {
        _ = self.state.compareExchange(
            expected: Self.waiting, desired: Self.quiet, ordering: .acquiringAndReleasing)
    }

    /// The queue gets its turn next: all that was rung for is on it.
    func answer() { self.state.store(Self.quiet, ordering: .releasing) }
}
