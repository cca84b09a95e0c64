import Testing

/// Goal: no sequence of events, however long and in whatever order, breaks an invariant or leaves a match
/// without a way to its end. Method: see `Explorer`. Counts that differ mean that the rules changed: look
/// why, then store the new ones.
@Suite struct ExplorationTests {
    @Test(arguments: Configuration.small)
    func `every state that can be reached holds the invariants`(_ configuration: Configuration) throws {
        let exploration = try #require(
            Exploration.small.first { $0.configuration.name == configuration.name })
        Self.check(exploration)
    }

    /// The large ones only when asked for: they take minutes.
    @Test func `so does every state of more players and longer tracks, when asked for`() {
        for configuration in Exploration.isFull ? Configuration.large : [] {
            Self.check(Exploration(of: configuration))
        }
    }

    private static func check(_ exploration: Exploration) {
        let name = exploration.configuration.name
        if Exploration.isFull { print("explored \(name): \(exploration.report.counts), \(exploration.time)") }
        for violation in exploration.report.violations { Issue.record("\(name): \(violation)") }
        #expect(exploration.report.counts == exploration.configuration.expected, "\(name)")
    }
}
