import RaceModel

/// What a run says at its end, for people and as JSON.
package struct LoadReport: Sendable {
    let plan: LoadPlan
    let figures: LoadFigures
    let load: OwnLoad
    /// Nil: it was not watched.
    let serverUsed: ServerProcess.Usage?
    /// `127.0.0.1:7223`.
    let server: String
    let tag: String
    let limits: ClientLimits
    let sources: Int
    /// The window as it was, in seconds.
    let window: Double

    package init(
        fleet: LoadFleet, load: OwnLoad, serverUsed: ServerProcess.Usage? = nil, server: String, tag: String,
        limits: ClientLimits, sources: Int
    ) {
        self.plan = fleet.plan
        self.figures = fleet.figures
        self.load = load
        self.serverUsed = serverUsed
        self.server = server
        self.tag = tag
        self.limits = limits
        self.sources = sources
        self.window = Double((fleet.windowEnd - fleet.windowStart).nanoseconds) / 1e9
    }

    /// Nothing was lost and nothing went wrong, and something was played.
    package var isClean: Bool {
        let played =
            self.plan.isEndless ? self.figures.movesDeliveredInAll : self.figures.racesFinishedInAll
        return self.figures.faults.total == 0 && played > 0
    }

    var movesPerSecond: Double { self.perSecond(self.figures.movesDelivered) }
    /// Processor time of the server for each move, in microseconds.
    var serverMicrosecondsPerMove: Double? {
        guard let used = self.serverUsed, self.figures.movesDelivered > 0 else { return nil }
        return Double(used.processor.nanoseconds) / 1000 / Double(self.figures.movesDelivered)
    }
    /// Of one processor, in the window.
    var serverProcessorShare: Double? {
        guard let used = self.serverUsed, self.window > 0 else { return nil }
        return Double(used.processor.nanoseconds) / 1e9 / self.window
    }
    var racesPerSecond: Double { self.perSecond(self.figures.racesFinished) }

    func perSecond(_ count: Int) -> Double { self.window > 0 ? Double(count) / self.window : 0 }

    static let quantiles: [(name: String, key: String, share: Double)] = [
        ("p50", "p50_us", 0.5), ("p99", "p99_us", 0.99), ("p99.9", "p999_us", 0.999),
    ]

    /// `83 us`, `4.21 ms`, `1.50 s`.
    static func text(_ span: Instant.Span) -> String {
        let microseconds = Double(span.nanoseconds) / 1000
        if microseconds < 1000 { return "\(Int(microseconds.rounded())) us" }
        if microseconds < 1_000_000 { return Self.hundredths(microseconds / 1000) + " ms" }
        return Self.hundredths(microseconds / 1_000_000) + " s"
    }

    static func hundredths(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
