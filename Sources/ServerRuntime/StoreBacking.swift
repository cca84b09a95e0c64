import Lobby
import RaceModel
import Records
import SQLiteStore
import ServerCore
import Store

/// What is behind a store queue, and lives on it.
struct StoreBacking {
    private enum Kind {
        case memory(MemoryStore)
        case file(StoreKeeper)
    }
    private var kind: Kind
    private var isRetryScheduled = false

    private init(_ kind: Kind) { self.kind = kind }

    static func memory(_ store: MemoryStore) -> StoreBacking { StoreBacking(.memory(store)) }
    static func file(_ keeper: sending StoreKeeper) -> sending StoreBacking { StoreBacking(.file(keeper)) }

    mutating func serve(
        _ requests: [StoreRequest], at moment: StoreMoment, _ deliver: ([StoreAnswer]) -> Void
    ) {
        switch self.kind {
        case .file(let keeper): keeper.serve(requests, at: moment, deliver)
        case .memory(var store):
            // Taken out, so that it is changed in place.
            self.kind = .memory(MemoryStore())
            let answers = requests.compactMap { store.answer($0) }
            self.kind = .memory(store)
            if !answers.isEmpty { deliver(answers) }
        }
    }

    func takeNotes() -> [StoreNote] {
        guard case .file(let keeper) = self.kind else { return [] }
        defer { keeper.notes = [] }
        return keeper.notes
    }

    /// When `retry` is to be called; nil: not, or that is arranged already.
    mutating func nextRetry() -> StoreKeeper.Retry? {
        guard case .file(let keeper) = self.kind, !self.isRetryScheduled, let retry = keeper.wantsRetry
        else { return nil }
        self.isRetryScheduled = true
        return retry
    }

    mutating func retry(at moment: StoreMoment) -> [StoreAnswer] {
        self.isRetryScheduled = false
        guard case .file(let keeper) = self.kind, keeper.wantsRetry != nil else { return [] }
        return keeper.retry(at: moment)
    }

    /// Whether all could be read and written when it was last tried.
    var isUp: Bool {
        guard case .file(let keeper) = self.kind else { return true }
        return keeper.isUp
    }

    /// - Returns: false when the races could not be written.
    func giveBack(_ matches: [SavedMatch]) -> Bool {
        guard case .file(let keeper) = self.kind else { return true }
        return keeper.giveBack(matches)
    }

    /// - Returns: results that are not kept.
    func finish(at moment: StoreMoment) -> Int {
        guard case .file(let keeper) = self.kind else { return 0 }
        return keeper.finish(at: moment)
    }
}

extension MemoryStore {
    mutating func answer(_ request: StoreRequest) -> StoreAnswer? {
        switch request.subject {
        case .directory(let subject):
            self.answer(subject).map { StoreAnswer(request.id, .directory($0)) }
        case .results(let subject):
            self.answer(subject).map { StoreAnswer(request.id, .results($0)) }
        // They hold as long as the process lives, as all does here.
        case .bans: nil
        }
    }
}

extension StoreQueue {
    /// What was opened, for the log's beginning.
    var logLine: LogLine {
        guard let contents = self.contents else {
            return LogLine(.info, "store", [LogLine.Field("memory", "yes")])
        }
        let isMany = contents.players > StoreContents.mostCounted
        return LogLine(
            .info, "store",
            [
                LogLine.Field("path", contents.path),
                LogLine.Field(
                    "players", isMany ? "\(StoreContents.mostCounted)+" : "\(contents.players)"),
                LogLine.Field("results", "\(contents.results)"),
                LogLine.Field("new", contents.isNew ? "yes" : "no"),
            ])
    }
}

extension StoreNote {
    var logLine: LogLine {
        switch self {
        case .down(let fault):
            LogLine(
                .error, "store-down",
                [
                    LogLine.Field("fault", fault.name), LogLine.Field("reason", fault.sentenceWhileRunning),
                ])
        case .up(let seconds, let kept, let lost):
            LogLine(
                .warning, "store-up",
                [
                    LogLine.Field("seconds", "\(seconds)"), LogLine.Field("kept", "\(kept)"),
                    LogLine.Field("lost", "\(lost)"),
                ])
        case .refused(let fault):
            LogLine(.error, "store-refused", [LogLine.Field("reason", fault.sentence)])
        }
    }
}
