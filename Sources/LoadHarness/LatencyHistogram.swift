package import RaceModel

/// Counts of durations, in buckets whose width grows with the value: a quantile is wrong by at most one part
/// in 256,
/// whatever it is, and adding one costs a few instructions and no memory.
package struct LatencyHistogram: Sendable {
    /// Buckets for each power of two.
    private static let resolution = 128
    private static let resolutionBits = 7

    private var counts: [UInt64]
    package private(set) var count: UInt64 = 0
    package private(set) var maximum = Instant.Span(nanoseconds: 0)
    private var sum: UInt64 = 0

    package init() {
        // Below `resolution` a bucket is one nanosecond wide; above, each power of two up to 2^63 has its
        // own.
        self.counts = [UInt64](
            repeating: 0, count: Self.resolution * (63 - Self.resolutionBits + 1))
    }

    /// Negative spans count as zero.
    package mutating func add(_ span: Instant.Span) {
        let value = UInt64(max(span.nanoseconds, 0))
        self.counts[Self.bucket(of: value)] &+= 1
        self.count &+= 1
        self.sum &+= value
        if span > self.maximum { self.maximum = span }
    }

    /// The span that a share (0...1) of all is at most as long as; nil of nothing.
    package func quantile(_ share: Double) -> Instant.Span? {
        guard self.count > 0 else { return nil }
        let rank = max(1, min(self.count, UInt64((share * Double(self.count)).rounded(.up))))
        var seen: UInt64 = 0
        for (index, count) in self.counts.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return min(Self.middle(of: index), self.maximum) }
        }
        return self.maximum
    }

    package var mean: Instant.Span? {
        self.count > 0 ? Instant.Span(nanoseconds: Int64(self.sum / self.count)) : nil
    }

    package mutating func removeAll() { self = LatencyHistogram() }

    private static func bucket(of value: UInt64) -> Int {
        guard value >= UInt64(Self.resolution) else { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - Self.resolutionBits
        return shift * Self.resolution + Int(value >> UInt64(shift))
    }

    private static func middle(of bucket: Int) -> Instant.Span {
        guard bucket >= 2 * Self.resolution else { return Instant.Span(nanoseconds: Int64(bucket)) }
        let shift = bucket / Self.resolution - 1
        let low = Int64(bucket - shift * Self.resolution) << Int64(shift)
        return Instant.Span(nanoseconds: low + (Int64(1) << Int64(shift)) / 2)
    }
}
