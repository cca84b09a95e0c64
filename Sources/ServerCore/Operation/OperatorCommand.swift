package import RaceModel
package import WireProtocol

/// What an operator asks for while the server runs.
package enum OperatorCommand: Hashable, Sendable {
    /// Whoever it concerns is told and closed, and their seats are given up. It takes the place of an older one of the
    /// same subject.
    /// - seconds: from now; nil: for good.
    case ban(Ban.Subject, seconds: Int64?, reason: String)
    case unban(Ban.Subject)
    /// All bans that hold.
    case bans
    /// Closes the player's connection and gives up their seat; they may come back.
    case kick(PlayerID, reason: String)
    /// The player of this alias, here or gone.
    case find(Alias)
    /// Players who are here and whose alias begins so, folded (`AliasKey.prefix`); all, if it is empty.
    case players(prefix: String)
    case matches
    case match(MatchID)
    /// Ends a match that is not over, without a result; its players are told, and are free.
    /// - reason: for them; may be empty, and is cut at `Limits.banReasonBytes`.
    case stop(MatchID, reason: String = "")
    /// A notice to everybody, or to one player. At most `Limits.textBytes` of it are told.
    case tell(PlayerID?, String)
    /// From now on these hold. Of the bans, those made by setting that stand here no more are lifted, and new ones
    /// made.
    case change(DoorSettings, Deadlines)
    /// From now on, log lines below this level are not made.
    case logLevel(LogLine.Level)
}

/// What an operator is answered.
package enum OperatorAnswer: Hashable, Sendable {
    /// - closed: how many connections that closed.
    case done(closed: Int)
    /// The same, of a ban in whose place an older one was.
    case replaced(Ban, closed: Int)
    /// A ban is lifted that stands in the settings, and so comes again with them.
    case liftedOfSettings
    /// In order: ranges, then players.
    case bans([BanRow])
    case found(PlayerID)
    /// At most `rows`; `more`: how many there are beside those.
    case players([PlayerRow], more: Int)
    case matches([MatchRow], more: Int)
    case match(MatchRow, [SeatRow])
    /// How many connections were told.
    case told(Int)
    /// Nothing was done, and why.
    case refused(String, code: ErrorCode = .wrongState)

    /// Of one answer.
    package static let rows = 1000
}

/// - alias: of a player; nil: it is not known.
package struct BanRow: Hashable, Sendable {
    package var ban: Ban
    package var alias: Alias?
    package init(ban: Ban, alias: Alias?) {
        self.ban = ban
        self.alias = alias
    }
}

/// Of a player who is here, or whose seat is held.
package struct PlayerRow: Hashable, Sendable {
    package var id: PlayerID
    package var alias: Alias
    package var state: PlayerState
    package var match: MatchID?
    /// Nil: not connected.
    package var address: NetworkAddress?
    /// `text` or `binary`.
    package var dialect: String?
    /// Since the last message, in seconds.
    package var idle: Int
}

/// Of a match in memory.
package struct MatchRow: Hashable, Sendable {
    package var id: MatchID
    package var state: MatchState
    package var settings: RaceSettings
    package var aliases: [Alias]
    package var spectators: Int
    /// Since it was made, in seconds.
    package var age: Int
}

package struct SeatRow: Hashable, Sendable {
    package enum Occupant: String, Hashable, Sendable {
        case here, gone, bot
        case left
    }
    package var seat: Seat
    /// 0: a computer opponent.
    package var player: PlayerID
    package var alias: Alias
    package var occupant: Occupant
    /// Player number in the race, once there is an order.
    package var number: PlayerNumber?
    package var position: UInt32?
}
