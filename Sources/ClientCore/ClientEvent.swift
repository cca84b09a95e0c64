package import Records
package import WireProtocol

/// What a client learned, in order.
package enum ClientEvent: Hashable, Sendable {
    /// The server speaks our version; requests that need no name can be sent.
    case ready
    /// A message of the server. The view has taken it in already, and what came with it too: it may be
    /// further on.
    case message(ServerMessage)
    /// A message of ours, by the user's wish or by the strategy; its bytes are in the outbox.
    case sent(ClientMessage)
    /// A race this client saw is over, and this is what could be checked of it.
    case checked(RaceReport)
    /// Numbered events of the match did not come: `next` followed upon `last`.
    case missed(last: UInt32, next: UInt32)
    /// The match this client was in ended while it was away.
    case matchLost(MatchLoss)
    /// The server was started anew and knows this player no more, who was welcome before; the alias is being
    /// taken again. It comes in place of the server's refusal.
    case startedAnew(RaceView.Loss)
    /// The server sent what no server sends; the connection is to be closed.
    case fault(ProtocolViolation)
    /// The server speaks no version of ours; the text is its own, and the connection is to be closed.
    case versionRefused(String)
}

/// Why a match is no more that somebody comes back to.
package enum MatchLoss: Hashable, Sendable {
    /// It came to its end, with a result.
    case overMeanwhile
    /// It has no result: the server ended suddenly, and its players were told so.
    case serverEndedSuddenly
}
