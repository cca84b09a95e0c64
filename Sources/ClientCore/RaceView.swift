package import RaceModel
package import WireProtocol

/// All that a screen shows of the server, kept up to date by what the server says.
package struct RaceView: Hashable, Sendable {
    package enum Link: Hashable, Sendable {
        case disconnected
        /// The versions are being settled.
        case greeting
        /// Connected, without a name.
        case open
        /// The server knows who we are.
        case named
    }

    package internal(set) var link = Link.disconnected
    package internal(set) var identity: ClientIdentity?
    /// The ticket, while one is open.
    package internal(set) var queued: Queued?
    /// When the race starts with who is there; nil while there are too few.
    package internal(set) var queueStarts: Instant?
    /// The match in hand, also for a while after it is over.
    package internal(set) var match: MatchView?
    /// The last refusal; cleared by the next thing that is sent.
    package internal(set) var lastError: ErrorReply?
    /// The server's last notice, and when what it speaks of happens.
    package internal(set) var notice: Notice?
    /// The server's last words.
    package internal(set) var farewell: Farewell?

    package struct Notice: Hashable, Sendable {
        package var code: NoticeCode
        package var due: Instant
        package var text: String
    }

    package struct Farewell: Hashable, Sendable {
        package var reason: ByeReason
        package var text: String
    }

    package init() {}

    /// What Hello says of events seen: who returns to a running race gets the rest of them.
    package var lastSeen: UInt32 {
        guard let match, match.state == .active, !match.isSpectating else { return 0 }
        return match.sequence
    }
}
