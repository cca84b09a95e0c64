import Dispatch
import Testing

/// Real programs of ours and of others at a real server, each test with a server of its own.
@Suite(.threadOfItsOwn, .timeLimit(.minutes(12))) struct EndToEndTests {}

/// Each test has a thread. On those that all tests share, tests that compute for a minute would keep these from
/// answering, and the clocks of the servers run on meanwhile.
struct ThreadOfItsOwn: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "end-to-end test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor()) { try await body() }
    }
}

extension Trait where Self == ThreadOfItsOwn {
    static var threadOfItsOwn: Self { Self() }
}
