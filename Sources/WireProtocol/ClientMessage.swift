package import RaceModel

/// What clients send. One case a message; the same in both dialects. Numbers and bodies:
/// `Protocol/messages.def`.
package enum ClientMessage: Hashable, Sendable {
    /// The player's number for the draw. Round 0 means the round that is open.
    case randomNumber(round: UInt8, number: UInt32)
    /// Player 1 begins the race.
    case gameBegin
    /// Rule `turns`: the turn it answers, so that a late or repeated move is never played twice; 0 means the
    /// turn that is open. Rule `dash`: 0.
    case move(turn: UInt32)
    case hello(Hello)
    case findMatch(RaceRequest)
    /// Takes back whatever is open: the ticket, or the wish for a rematch.
    case cancelFind
    case leave
    case rematch
    /// 1...`Limits.lookUpIDs` ids.
    case lookUpAliases([PlayerID])
    /// Pages from 1; the prefix may be empty.
    case listPlayers(prefix: String, page: UInt16)
    case listMatches(page: UInt16)
    case watch(MatchID)
    case unwatch
    case invite(alias: String, RaceRequest)
    case answerInvite(InviteID, accept: Bool)
    case cancelInvite(InviteID)
    case hostPrivate(RaceRequest)
    case joinPrivate(code: String)
    /// Pages from 1.
    case leaderboard(RaceSettings.Rule, page: UInt16)
    /// The record of a race that is over. Pages from 1.
    case replay(MatchID, page: UInt16)
    case why
    case ping(UInt64)
    case quit
    /// What a player has done in races that count; the alias is not yet checked.
    case lookUpPlayer(alias: String)
}

/// Who a client says it is.
package struct Hello: Hashable, Sendable {
    /// The alias as the peer wrote it, at most 64 bytes of UTF-8, not yet checked; or `#17` for a player id.
    package var name: String
    /// Nil makes a new player of a free alias; a key is that player again.
    package var key: PlayerKey?
    /// The last event of the match this client has seen; 0 for none, which is answered by a snapshot.
    package var lastSeen: UInt32

    package init(name: String, key: PlayerKey? = nil, lastSeen: UInt32 = 0) {
        self.name = name
        self.key = key
        self.lastSeen = lastSeen
    }
}
