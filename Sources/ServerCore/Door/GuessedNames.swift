import RaceModel

/// Whose key is being guessed, as the guesser names them: whether there is such a player makes no difference.
enum GuessedName: Hashable, Sendable {
    case alias(AliasKey)
    case player(PlayerID)
}

/// How often wrong keys were tried for a name lately, from anywhere. It locks nobody out: it only makes the
/// wait behind a wrong key longer, so that many addresses together don't guess faster than one.
struct GuessedNames: Sendable {
    private struct Entry: Sendable {
        var wrongKeys: Int
        var forgotten: Instant
    }

    private var entries: [GuessedName: Entry] = [:]
    /// Each name once, roughly in order of when it is forgotten.
    private var order: [(name: GuessedName, due: Instant)] = []
    private var start = 0

    var count: Int { self.entries.count }
    var nextDeadline: Instant? { self.start < self.order.count ? self.order[self.start].due : nil }

    /// - Returns: how many there were with this one.
    mutating func note(_ name: GuessedName, now: Instant) -> Int {
        self.forget(now)
        let due = now + Limits.wrongKeyMemory
        let known = self.entries[name]
        let count = min((known?.wrongKeys ?? 0) + 1, WrongKeys.most)
        self.entries[name] = Entry(wrongKeys: count, forgotten: due)
        if known == nil {
            self.order.append((name, due))
            if self.entries.count > Limits.guessedNames { self.entries[self.popFirst()] = nil }
        }
        return count
    }

    mutating func forget(_ now: Instant) {
        while let due = self.nextDeadline, due <= now {
            let name = self.popFirst()
            guard let entry = self.entries[name] else { continue }
            if entry.forgotten <= now {
                self.entries[name] = nil
            } else {
                // Guessed again since: it goes on to wait.
                self.order.append((name, entry.forgotten))
            }
        }
    }

    private mutating func popFirst() -> GuessedName {
        let name = self.order[self.start].name
        self.start += 1
        if self.start * 2 > self.order.count {
            self.order.removeFirst(self.start)
            self.start = 0
        }
        return name
    }
}

/// How long one waits behind a wrong key.
enum WrongKeys {
    /// More of them make no difference: 2^9 s is over the longest wait.
    static let most = 10

    /// - Parameter count: of wrong keys so far, from 1.
    static func wait(_ count: Int) -> Instant.Span {
        let first = Limits.wrongKeyWait.lowerBound.nanoseconds
        return min(
            Instant.Span(nanoseconds: first << Int64(min(count, Self.most) - 1)),
            Limits.wrongKeyWait.upperBound)
    }
}
