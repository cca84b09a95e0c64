import EventLoop
import Glibc
import RaceModel
import ServerCore

extension ConnectionLoss {
    init(_ end: ConnectionEnd) {
        switch end {
        case .closed: self = .closed
        case .reset, .notConnected, .notSecured: self = .reset
        case .slowReader: self = .slowReader
        }
    }
}

extension RaceServer {
    init(_ settings: ServerSettings, _ store: StoreQueue) {
        let entropy: any RandomNumberGenerator & Sendable =
            if let seed = settings.seed { SeededGenerator(seed: seed) } else { SystemRandomNumberGenerator() }
        var configuration = settings.core
        configuration.firstMatch = store.firstMatch
        configuration.keepsMatches = store.directory != nil
        configuration.beginsAfterSuddenEnd = store.followsSuddenEnd ? SocketLoop.clock() : nil
        configuration.logLevel = settings.logLevel
        configuration.door.clockOrigin = Self.clockOrigin()
        self.init(configuration: configuration, entropy: entropy)
    }

    /// The date and time at the origin of the loop's clock.
    private static func clockOrigin() -> WallTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec) - SocketLoop.clock().nanoseconds / 1_000_000_000)
    }
}

extension NetworkAddress {
    /// The loop writes addresses of two kinds, and both are read.
    static func of(_ endpoint: String) -> NetworkAddress {
        NetworkAddress(endpoint: endpoint) ?? NetworkAddress(high: 0, low: 0)
    }
}

/// Accepting that pauses is tried again many times a second, and logged once a minute.
enum AcceptPause {
    /// All connections there may be are there; those who come wait in the kernel.
    static func fullLine(_ connections: Int) -> LogLine {
        LogLine(.warning, "connections-full", [LogLine.Field("connections", "\(connections)")])
    }

    static func isNews(_ now: Instant, since last: inout Instant?) -> Bool {
        if let last, now - last < .seconds(60) { return false }
        last = now
        return true
    }

    static func line(_ error: TransportError) -> LogLine {
        LogLine(.warning, "accept-paused", [LogLine.Field("reason", error.description)])
    }
}
