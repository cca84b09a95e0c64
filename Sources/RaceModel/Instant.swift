// Public and inlinable for the same reason as the identifiers.

/// A moment on a monotonic clock, in nanoseconds from an origin that means nothing outside the process.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var nanoseconds: Int64
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static let zero = Instant(nanoseconds: 0)

    // With all comparisons spelled out, none goes through the generic ones of `Comparable`.
    @inlinable public static func == (left: Instant, right: Instant) -> Bool {
        left.nanoseconds == right.nanoseconds
    }
    @inlinable public static func <= (left: Instant, right: Instant) -> Bool {
        left.nanoseconds <= right.nanoseconds
    }
    @inlinable public static func > (left: Instant, right: Instant) -> Bool {
        left.nanoseconds > right.nanoseconds
    }
    @inlinable public static func >= (left: Instant, right: Instant) -> Bool {
        left.nanoseconds >= right.nanoseconds
    }
    @inlinable public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    @inlinable public static func + (instant: Instant, span: Span) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &+ span.nanoseconds)
    }

    @inlinable public static func - (left: Instant, right: Instant) -> Span {
        Span(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    /// A length of time in whole nanoseconds: half the size of `Duration`, and every match holds several.
    public struct Span: Hashable, Comparable, Sendable, BitwiseCopyable {
        public var nanoseconds: Int64
        @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
        public static func seconds(_ seconds: Int) -> Span {
            Span(nanoseconds: Int64(seconds) * 1_000_000_000)
        }
        public static func milliseconds(_ milliseconds: Int) -> Span {
            Span(nanoseconds: Int64(milliseconds) * 1_000_000)
        }
        @inlinable public static func < (left: Span, right: Span) -> Bool {
            left.nanoseconds < right.nanoseconds
        }

        /// Whole seconds, rounded to the nearest; what players are shown.
        public var seconds: Int { Int((self.nanoseconds + 500_000_000) / 1_000_000_000) }
    }
}
