import EventLoop
import RaceModel
import ServerCore

extension ConnectionLoss {
    init(_ end: ConnectionEnd) {
        switch end {
        case .closed: self = .closed
        case .reset, .notConnected: self = .reset
        case .slowReader: self = .slowReader
        }
    }
}

extension RaceServer {
    init(_ settings: ServerSettings, firstMatch: MatchID) {
        let entropy: any RandomNumberGenerator & Sendable =
            if let seed = settings.seed { SeededGenerator(seed: seed) } else { SystemRandomNumberGenerator() }
        var configuration = settings.core
        configuration.firstMatch = firstMatch
        self.init(configuration: configuration, entropy: entropy)
    }
}

/// Accepting that pauses is tried again many times a second, and logged once a minute.
enum AcceptPause {
    static func isNews(_ now: Instant, since last: inout Instant?) -> Bool {
        if let last, now - last < .seconds(60) { return false }
        last = now
        return true
    }

    static func line(_ error: TransportError) -> LogLine {
        LogLine(.warning, "accept-paused", [LogLine.Field("reason", error.description)])
    }
}
