import RaceModel
import Records
import ServerCore
import Store

/// One server ends, another goes on with its store.
extension ServerScript {
    /// The server ends now; the next one begins after so long, with another seed.
    mutating func restart(downFor seconds: Double = 3600, deadlines: Deadlines = Deadlines()) {
        self.feed(.stop)
        self.beginAnew(with: self.store.takeSavedMatches(), downFor: seconds, deadlines: deadlines)
    }

    /// As after a `kill -9`, too: of the server before nothing is left but the store.
    mutating func beginAnew(
        with saved: [SavedMatch], downFor seconds: Double = 3600, deadlines: Deadlines = Deadlines(),
        suddenly: Bool = false
    ) {
        self.now = self.now + Instant.Span(nanoseconds: Int64(seconds * 1e9))
        var configuration = ServerConfiguration()
        configuration.deadlines = deadlines
        configuration.keepsMatches = true
        configuration.beginsAfterSuddenEnd = suddenly ? self.now : nil
        configuration.firstMatch = self.store.firstMatch
        self.server = RaceServer(configuration: configuration, entropy: SeededGenerator(seed: 77))
        self.feed(.restore(saved))
    }

    /// The matches of the last request to save some.
    var savedMatches: [SavedMatch] {
        self.resultRequests.reversed().lazy.compactMap {
            if case .save(let saved) = $0 { saved } else { nil }
        }
        .first ?? []
    }

    /// What the latest log line of this event says for a key.
    func logged(_ event: String, _ key: String) -> String? {
        self.logs.last { $0.event == event }?.fields.first { $0.key == key }?.value
    }
}
