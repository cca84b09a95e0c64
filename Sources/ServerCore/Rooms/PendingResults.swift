import Lobby
import RaceModel

/// Results that the store has yet to keep, and who is told when it has: at most `Limits.pendingResults`.
struct PendingResults: Sendable {
    struct Entry: Sendable {
        let match: MatchID
        /// Until when those who are held wait.
        let due: Instant
        /// The wait is over: who is told now is told that it is not kept.
        var isLate = false
        /// Whose output is held until it is kept, or late.
        var held: [ConnectionID] = []
        /// Who was told that it is not kept.
        var warned: [ConnectionID] = []
    }

    private var entries: [LookUpID: Entry] = [:]
    private var lookUps: [MatchID: LookUpID] = [:]
    /// By `due`, since each waits equally long; those before `first` are done with.
    private var queue: [LookUpID] = []
    private var first = 0
    /// When the next wait is over. Kept, since it is asked for with every input.
    private(set) var nextDeadline: Instant?

    var count: Int { self.entries.count }
    private(set) var lateCount = 0

    func entry(of match: MatchID) -> Entry? { self.lookUps[match].flatMap { self.entries[$0] } }

    /// Those who wait do so no longer than the ones added before.
    mutating func add(_ entry: Entry, as lookUp: LookUpID) {
        self.entries[lookUp] = entry
        self.lookUps[entry.match] = lookUp
        self.queue.append(lookUp)
        self.skip()
    }

    mutating func remove(_ lookUp: LookUpID) -> Entry? {
        guard let entry = self.entries.removeValue(forKey: lookUp) else { return nil }
        self.lookUps[entry.match] = nil
        if entry.isLate { self.lateCount -= 1 }
        self.skip()
        return entry
    }

    /// From now on it is late.
    /// - Returns: whose output was held; they count as warned. Nil when nothing is pending by that name.
    mutating func makeLate(_ lookUp: LookUpID) -> (match: MatchID, held: [ConnectionID])? {
        guard var entry = self.entries[lookUp] else { return nil }
        let held = entry.held
        entry.held = []
        entry.warned += held
        if !entry.isLate { self.lateCount += 1 }
        entry.isLate = true
        self.entries[lookUp] = entry
        self.skip()
        return (entry.match, held)
    }

    /// Somebody else will be told of this match.
    mutating func include(_ connection: ConnectionID, in match: MatchID, isOpen: (ConnectionID) -> Bool) {
        guard let lookUp = self.lookUps[match], var entry = self.entries[lookUp] else { return }
        // However often people come back, only those who are here count.
        entry.held = entry.held.filter(isOpen)
        entry.warned = entry.warned.filter(isOpen)
        if entry.isLate { entry.warned.append(connection) } else { entry.held.append(connection) }
        self.entries[lookUp] = entry
    }

    /// The one that waited longest, of those whose wait is over.
    func due(_ now: Instant) -> LookUpID? {
        guard let due = self.nextDeadline, due <= now else { return nil }
        return self.queue[self.first]
    }

    /// The one that was added first.
    var oldest: LookUpID? { self.entries.keys.min { $0.value < $1.value } }

    private mutating func skip() {
        while self.first < self.queue.count {
            if let entry = self.entries[self.queue[self.first]], !entry.isLate {
                self.nextDeadline = entry.due
                break
            }
            self.first += 1
        }
        if self.first == self.queue.count { self.nextDeadline = nil }
        if self.first * 2 > self.queue.count {
            self.queue.removeFirst(self.first)
            self.first = 0
        }
    }
}
