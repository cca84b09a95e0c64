package import Dispatch
import Synchronization

/// A value that only one serial queue touches. The package's only `@unchecked Sendable`: the check is made
/// when it runs, in release builds too.
package final class QueueConfined<Value>: @unchecked Sendable {
    package let queue: DispatchQueue
    private var value: Value
    /// Of the loop that runs on this queue, if one does.
    private let doorbell: Doorbell?

    package init(_ value: sending Value, on queue: DispatchQueue) {
        self.value = value
        self.queue = queue
        self.doorbell = queue.getSpecific(key: Doorbell.key)
    }

    /// For code that is on the queue already; traps when it is not.
    package func assumeOnQueue<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        dispatchPrecondition(condition: .onQueue(self.queue))
        return try body(&self.value)
    }

    package func enqueue(_ body: @escaping @Sendable (inout Value) -> Void) {
        self.queue.async { body(&self.value) }
        self.doorbell?.ring()
    }

    /// Waits for the queue: for start and stop from the main thread, and for tests. Never from another queue.
    package func waitOnQueue<Result: Sendable>(_ body: @escaping @Sendable (inout Value) -> Result) -> Result
    {
        guard let doorbell = self.doorbell else { return self.queue.sync { body(&self.value) } }
        let result = Mutex<Result?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        self.queue.async {
            let value = body(&self.value)
            result.withLock { $0 = value }
            isDone.signal()
        }
        doorbell.ring()
        isDone.wait()
        return result.withLock { $0! }
    }
}
