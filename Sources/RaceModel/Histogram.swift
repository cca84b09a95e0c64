/// Lengths of time, counted in fixed buckets: bounded memory, and nothing is lost of how many there were.
package struct Histogram: Hashable, Sendable {
    /// Upper bounds, inclusive; what is longer than the last is counted in `count` alone.
    package static let bounds: [Instant.Span] = [
        50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
    ].map { Instant.Span(nanoseconds: $0 * 1_000) }

    /// One a bound: those that fit it and no smaller one.
    package private(set) var counts = [UInt64](repeating: 0, count: Histogram.bounds.count)
    package private(set) var count: UInt64 = 0
    package private(set) var sum = Instant.Span(nanoseconds: 0)

    package init() {}

    /// What was counted elsewhere counts here too.
    package mutating func add(_ other: Histogram) {
        for index in self.counts.indices { self.counts[index] &+= other.counts[index] }
        self.count &+= other.count
        self.sum.nanoseconds &+= other.sum.nanoseconds
    }

    /// - Parameter times: how often it was observed.
    package mutating func observe(_ span: Instant.Span, times: UInt64 = 1) {
        self.count &+= times
        self.sum.nanoseconds &+= span.nanoseconds &* Int64(times)
        for index in Self.bounds.indices where span.nanoseconds <= Self.bounds[index].nanoseconds {
            self.counts[index] &+= times
            return
        }
    }
}
