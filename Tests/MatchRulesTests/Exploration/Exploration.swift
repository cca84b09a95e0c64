import Glibc

/// An exploration of the real rules, done.
struct Exploration: Sendable {
    let configuration: Configuration
    let report: Explorer.Report
    let time: Duration

    init(of configuration: Configuration) {
        self.configuration = configuration
        var report = Explorer.Report()
        self.time = ContinuousClock().measure {
            var explorer = Explorer(configuration)
            report = explorer.run()
        }
        self.report = report
    }

    /// Done once, for all tests that look at them.
    static let small: [Exploration] = Configuration.small.map { Exploration(of: $0) }

    static var isFull: Bool { unsafe getenv("CATRACE_EXPLORE").map { unsafe String(cString: $0) } == "full" }
}
