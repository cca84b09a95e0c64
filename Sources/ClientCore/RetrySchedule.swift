package import RaceModel

/// How long to wait before each new attempt to connect: doubling from half a second to ten, each spread by
/// chance, so that those whom one fault threw out do not all come back at once.
package struct RetrySchedule: Sendable {
    package static let first = Instant.Span.milliseconds(500)
    package static let longest = Instant.Span.seconds(10)

    /// Attempts begin until so long after the loss.
    package let patience: Instant.Span
    private var generator: any RandomNumberGenerator & Sendable
    private var lost: Instant?
    /// Attempts begun since the loss.
    package private(set) var attempt = 0

    /// - Parameter patience: seats are held for less than the default.
    package init(patience: Instant.Span = .seconds(60), generator: any RandomNumberGenerator & Sendable) {
        self.patience = patience
        self.generator = generator
    }

    /// When to try next; nil: it is of no use any more.
    package mutating func next(now: Instant) -> Instant? {
        let lost = self.lost ?? now
        self.lost = lost
        var wait = Self.first.nanoseconds
        for _ in 0..<min(self.attempt, 6) { wait = min(wait * 2, Self.longest.nanoseconds) }
        // From half of it to all of it.
        let spread = Int64(truncatingIfNeeded: self.generator.next() >> 32)
        wait = wait / 2 + wait / (1 << 21) * (spread >> 12)
        let due = now + Instant.Span(nanoseconds: wait)
        guard due - lost <= self.patience else { return nil }
        self.attempt += 1
        return due
    }

    /// The connection stands: the next loss is a new one.
    package mutating func reset() {
        self.lost = nil
        self.attempt = 0
    }
}
