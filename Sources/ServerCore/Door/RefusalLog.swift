import RaceModel

/// Keeps refusals at the door from filling the log: the first of an address and reason is logged, and once in
/// a while how many more there were.
struct RefusalLog: Sendable {
    struct Key: Hashable, Comparable, Sendable {
        var address: NetworkAddress
        var reason: String

        static func < (left: Key, right: Key) -> Bool {
            left.address != right.address ? left.address < right.address : left.reason < right.reason
        }
    }

    struct Count: Hashable, Sendable {
        /// Nil: of all for whom there was no room.
        var key: Key?
        var count: Int
    }

    private var counts: [Key: Int] = [:]
    private var others = 0
    /// When the counts are to be taken.
    private(set) var due: Instant?

    /// - Returns: whether this one is to be logged.
    mutating func note(_ address: NetworkAddress, _ reason: String, now: Instant) -> Bool {
        if self.due == nil { self.due = now + Limits.refusalLogSpan }
        let key = Key(address: address.block, reason: reason)
        if let count = self.counts[key] {
            self.counts[key] = count + 1
            return false
        }
        guard self.counts.count < Limits.refusalLogEntries else {
            self.others += 1
            return false
        }
        self.counts[key] = 0
        return true
    }

    /// What is to be logged now that the time has come, in order; then it begins anew.
    mutating func take(_ now: Instant) -> [Count] {
        guard let due = self.due, due <= now else { return [] }
        var counts = self.counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Count(key: $0.key, count: $0.value) }
        if self.others > 0 { counts.append(Count(key: nil, count: self.others)) }
        // Who goes on is counted on, and not logged as new; the others are forgotten.
        self.counts = self.counts.filter { $0.value > 0 }.mapValues { _ in 0 }
        self.others = 0
        self.due = self.counts.isEmpty ? nil : now + Limits.refusalLogSpan
        return counts
    }
}
