import Glibc
package import RaceModel

/// How busy the harness itself was in the window: a harness that is late or out of processor time measures
/// itself.
package struct OwnLoad: Sendable {
    /// How late its loop came to what was due.
    package var lag = LatencyHistogram()
    private var phase = LoadFleet.Phase.ramp
    private var startedAt = Instant.zero
    private var startedWith = Instant.Span(nanoseconds: 0)
    /// Processor time in the window, user and system.
    package private(set) var processor = Instant.Span(nanoseconds: 0)
    package private(set) var wall = Instant.Span(nanoseconds: 0)

    package init() {}

    /// A lag of one in a hundred turns above this means that the harness was the bottleneck.
    package static let lagThreshold = Instant.Span.milliseconds(10)
    /// So does more than this of one processor.
    package static let processorThreshold = 0.95

    /// Of one processor: 0...1, more where the kernel spread us over several.
    package var processorShare: Double {
        self.wall.nanoseconds > 0
            ? Double(self.processor.nanoseconds) / Double(self.wall.nanoseconds) : 0
    }

    package var isOutOfProcessor: Bool { self.processorShare > Self.processorThreshold }

    package var isBottleneck: Bool {
        self.isOutOfProcessor
            || (self.lag.quantile(0.99).map { $0 > Self.lagThreshold } ?? false)
    }

    mutating func follow(_ phase: LoadFleet.Phase, now: Instant) {
        guard phase != self.phase else { return }
        if phase == .measuring {
            self.startedAt = now
            self.startedWith = Self.processorTime()
        } else if self.phase == .measuring {
            self.wall = now - self.startedAt
            self.processor = Instant.Span(
                nanoseconds: Self.processorTime().nanoseconds - self.startedWith.nanoseconds)
        }
        self.phase = phase
    }

    private static func processorTime() -> Instant.Span {
        var usage = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else {
            return Instant.Span(nanoseconds: 0)
        }
        func nanoseconds(_ time: timeval) -> Int64 {
            Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000
        }
        return Instant.Span(nanoseconds: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime))
    }
}
