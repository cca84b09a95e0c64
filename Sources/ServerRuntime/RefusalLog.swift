import EventLoop
import ProxyProtocol
import RaceModel
import ServerCore

/// Connections that could not become one, for the log: each reason is written when it is new, then counted, and
/// written again with the count when a minute has passed.
struct RefusalLog {
    private struct Entry {
        var written: Instant
        var since = 0
    }

    private var entries: [String: Entry] = [:]
    private static let pause = Instant.Span.seconds(60)

    /// Nil: it was only counted.
    mutating func line(_ refusal: ConnectionRefusal, from address: String, now: Instant) -> LogLine? {
        let (event, reason) = Self.text(of: refusal)
        let key = "\(event) \(reason)"
        if let entry = self.entries[key], now - entry.written < Self.pause {
            self.entries[key]?.since += 1
            return nil
        }
        var fields = [LogLine.Field("address", address), LogLine.Field("reason", reason)]
        if case .tls(let failure) = refusal, !failure.details.isEmpty {
            fields.append(LogLine.Field("details", failure.details))
        }
        if let since = self.entries[key]?.since, since > 0 {
            fields.append(LogLine.Field("since-last", "\(since)"))
        }
        self.entries[key] = Entry(written: now)
        return LogLine(.warning, event, fields)
    }

    /// The reasons are few and fixed, so the table stays small.
    private static func text(of refusal: ConnectionRefusal) -> (event: String, reason: String) {
        let seconds = Limits.transportHandshake.seconds
        return switch refusal {
        case .notAProxy: ("proxy-refused", "only addresses in --proxy-from may use the proxies' port")
        case .badHeader(let fault): ("proxy-refused", fault.text)
        case .headerLate: ("proxy-refused", "no whole PROXY header came within \(seconds) s")
        case .headerBrokenOff: ("proxy-refused", "it ended before its PROXY header did")
        case .tls(let failure): ("tls-failed", Self.text(of: failure.reason))
        }
    }

    private static func text(of reason: TLSFailure.Reason) -> String {
        switch reason {
        case .notTLS: "it began like TLS and was none"
        case .noCommonVersion: "no version or cipher in common: TLS 1.2 and 1.3 are spoken"
        case .peerRefused: "the client refused: mostly, it does not trust the certificate"
        case .tooLate: "the handshake was not done within \(Limits.transportHandshake.seconds) s"
        case .tooLong: "the handshake took more than \(Limits.tlsHandshakeBytes) bytes"
        case .tooMuch:
            "it changed its keys more than \(Limits.tlsLateRecords) times, or asked for other handshakes"
        case .brokenOff: "it ended before the handshake did"
        case .protocolError, .otherHost, .expired, .notYetValid, .untrusted, .badCertificate:
            "it broke the rules of TLS"
        }
    }
}
