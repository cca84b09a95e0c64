package import Dispatch

/// A value that only one serial queue touches. The package's only `@unchecked Sendable`: the check is made
/// when it runs, in release builds too.
package final class QueueConfined<Value>: @unchecked Sendable {
    package let queue: DispatchQueue
    private var value: Value

    package init(_ value: sending Value, on queue: DispatchQueue) {
        self.value = value
        self.queue = queue
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
    }

    /// Waits for the queue: for start and stop from the main thread, and for tests. Never from another queue.
    package func waitOnQueue<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        self.queue.sync { body(&self.value) }
    }
}
