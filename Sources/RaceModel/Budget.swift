/// So many at once, and then so many in a time.
package struct Budget: Hashable, Sendable, BitwiseCopyable {
    /// Between one and the next, once what may come at once is used up.
    package let interval: Instant.Span
    /// At once, 1 to 1,000,000.
    package let burst: Int

    /// - Parameters:
    ///   - perSecond: 1 to 1,000,000.
    package init(perSecond: Int, burst: Int) {
        self.init(interval: Instant.Span(nanoseconds: 1_000_000_000 / Int64(perSecond)), burst: burst)
    }

    /// - Parameters:
    ///   - perHour: 1 to 1,000,000.
    package init(perHour: Int, burst: Int) {
        self.init(interval: Instant.Span(nanoseconds: 3_600_000_000_000 / Int64(perHour)), burst: burst)
    }

    private init(interval: Instant.Span, burst: Int) {
        precondition(interval.nanoseconds > 0 && (1...1_000_000).contains(burst))
        self.interval = interval
        self.burst = burst
    }

    package var perSecond: Int { Int(1_000_000_000 / self.interval.nanoseconds) }

    /// What one user of a budget has left of it: one number, and nothing to be done while time passes.
    package struct Purse: Hashable, Sendable, BitwiseCopyable {
        /// When all of the budget is there again; a moment that is past counts as now.
        package private(set) var full = Instant.zero

        package init() {}

        /// Takes one; false, and nothing is taken, when there is none.
        package mutating func take(_ budget: Budget, now: Instant) -> Bool {
            guard self.wait(budget, now: now).nanoseconds <= 0 else { return false }
            self.full = max(self.full, now) + budget.interval
            return true
        }

        /// Takes one, whether there is one or not: what was waited for cannot be refused any more.
        package mutating func charge(_ budget: Budget, now: Instant) {
            self.full = max(self.full, now) + budget.interval
        }

        /// One that was taken was not used.
        package mutating func giveBack(_ budget: Budget) {
            self.full = Instant(nanoseconds: self.full.nanoseconds - budget.interval.nanoseconds)
        }

        /// Until there is one to take; zero or less when there is.
        package func wait(_ budget: Budget, now: Instant) -> Instant.Span {
            let room = budget.interval.nanoseconds * Int64(budget.burst - 1)
            return Instant.Span(nanoseconds: (self.full - now).nanoseconds - room)
        }
    }
}
