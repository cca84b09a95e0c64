import Dispatch
import EventLoop
import Glibc
import Lobby
package import RaceModel
package import Records
package import SQLiteStore
import ServerCore
import Store
import Synchronization

/// Keeps players and results on a queue of its own, so that no disk ever delays a move.
///
/// What is asked for while the disk is at work is served together once it is done: many results, one commit.
package final class StoreQueue: Sendable {
    private struct Inbox {
        var requests: [StoreRequest] = []
        /// Of these.
        var results = 0
        var isScheduled = false
        var deliver: @Sendable ([StoreAnswer]) -> Void = { _ in }
        var log: LogWriter?
    }

    private let inbox = Mutex(Inbox())
    private let backing: QueueConfined<StoreBacking>
    /// Of the first race of this run.
    package let firstMatch: MatchID
    /// Races that go on: saved when the server before came to its end.
    package let savedMatches: [SavedMatch]
    /// Those that were kept and hold now.
    package let bans: [Ban]
    /// Where all is kept; nil: nowhere beyond the process.
    package let directory: DataDirectory?
    /// The server before, on the same directory, came to no orderly end.
    package let followsSuddenEnd: Bool
    /// What was found at the start, for the log.
    package let contents: StoreContents?
    private let isWell = Atomic<Bool>(true)

    private init(
        _ backing: sending StoreBacking, firstMatch: MatchID, savedMatches: [SavedMatch] = [],
        bans: [Ban] = [], directory: DataDirectory? = nil, followsSuddenEnd: Bool = false,
        contents: StoreContents? = nil
    ) {
        self.followsSuddenEnd = followsSuddenEnd
        self.bans = bans
        self.directory = directory
        self.backing = QueueConfined(backing, on: DispatchQueue(label: "catrace.store"))
        self.firstMatch = firstMatch
        self.savedMatches = savedMatches
        self.contents = contents
    }

    /// Keeps all for as long as the process lives.
    package static func memory() -> StoreQueue {
        StoreQueue(.memory(MemoryStore()), firstMatch: MatchID(1))
    }

    /// Keeps all in a directory, which is made if there is none.
    package static func open(_ path: String) throws(StoreFault) -> StoreQueue {
        let store = try StoreFile(DataDirectory(path))
        let contents = try store.contents()
        let first = try store.read { _ throws(DatabaseError) in try store.firstFreeMatch() }
        let saved = try store.takeSavedMatches()
        let bans = try store.bans(now: WallTime(seconds: Int64(time(nil))))
        let followsSuddenEnd = store.followsSuddenEnd
        return StoreQueue(
            .file(StoreKeeper(store)), firstMatch: first, savedMatches: saved, bans: bans,
            directory: DataDirectory(path), followsSuddenEnd: followsSuddenEnd, contents: contents)
    }

    /// Whether all could be read and written when it was last tried.
    package var isUp: Bool { self.isWell.load(ordering: .relaxed) }

    /// For a server that can't start after all, in place of `finish`: the races that it was to go on with are there
    /// again for the next one. Waits.
    /// - Returns: false when they could not be written, and are lost.
    package func giveBack() -> Bool {
        self.backing.waitOnQueue { [savedMatches] backing in backing.giveBack(savedMatches) }
    }

    /// From here on answers go to `deliver`, which is called on any queue. Before the first request.
    func start(log: LogWriter, deliver: @escaping @Sendable ([StoreAnswer]) -> Void) {
        self.inbox.withLock { inbox in
            inbox.log = log
            inbox.deliver = deliver
        }
    }

    /// Never waits. Results that come faster than they are written wait here, `Limits.resultBacklog` at most.
    func ask(_ requests: [StoreRequest]) {
        var refused: [StoreAnswer] = []
        let (mustSchedule, deliver) = self.inbox.withLock { inbox in
            for request in requests {
                if case .results(.keep) = request.subject {
                    guard inbox.results < Limits.resultBacklog else {
                        refused.append(StoreAnswer(request.id, .results(.lost)))
                        continue
                    }
                    inbox.results += 1
                }
                inbox.requests.append(request)
            }
            defer { inbox.isScheduled = true }
            return (!inbox.isScheduled, inbox.deliver)
        }
        if !refused.isEmpty { deliver(refused) }
        if mustSchedule { self.backing.enqueue { self.serve(&$0) } }
    }

    private func serve(_ backing: inout StoreBacking) {
        let (requests, deliver) = self.inbox.withLock { inbox in
            defer { (inbox.requests, inbox.results, inbox.isScheduled) = ([], 0, false) }
            return (inbox.requests, inbox.deliver)
        }
        backing.serve(requests, at: Self.moment(), deliver)
        self.goOn(&backing)
    }

    /// Tells the operator, and sees to it that what waits is tried again.
    private func goOn(_ backing: inout StoreBacking) {
        self.isWell.store(backing.isUp, ordering: .relaxed)
        let lines = backing.takeNotes().map(\.logLine)
        if !lines.isEmpty { self.inbox.withLock { $0.log }?.write(lines) }
        guard let retry = backing.nextRetry() else { return }
        let again: @Sendable () -> Void = { [backing = self.backing] in
            backing.assumeOnQueue { value in
                let answers = value.retry(at: Self.moment())
                if !answers.isEmpty { self.inbox.withLock { $0.deliver }(answers) }
                self.goOn(&value)
            }
        }
        switch retry {
        case .atOnce: self.backing.queue.async(execute: again)
        case .inASecond:
            let wait = DispatchTimeInterval.nanoseconds(Int(StoreKeeper.retry.nanoseconds))
            self.backing.queue.asyncAfter(deadline: .now() + wait, execute: again)
        }
    }

    /// Serves what was asked for, tries once more to keep what waits, and ends. `completion` is called on some
    /// queue.
    func finish(_ completion: @escaping @Sendable () -> Void) {
        self.backing.enqueue { backing in
            self.serve(&backing)
            let lost = backing.finish(at: Self.moment())
            var lines = backing.takeNotes().map(\.logLine)
            if lost > 0 {
                lines.append(LogLine(.error, "results-lost", [LogLine.Field("count", "\(lost)")]))
            }
            self.inbox.withLock { $0.log }?.write(lines)
            completion()
        }
    }

    private static func moment() -> StoreMoment {
        StoreMoment(now: SocketLoop.clock(), wall: Int64(time(nil)))
    }
}
