package import RaceModel

/// What an operator asks for while the server runs.
package enum OperatorCommand: Hashable, Sendable {
    /// Whoever it concerns is told and closed, and their seats are given up.
    /// - seconds: from now; nil: for good.
    case ban(Ban.Subject, seconds: Int64?, reason: String)
    case unban(Ban.Subject)
    /// All bans that hold.
    case bans
    /// Closes the player's connection and gives up their seat; they may come back.
    case kick(PlayerID, reason: String)
}

/// What an operator is answered.
package enum OperatorAnswer: Hashable, Sendable {
    /// - closed: how many connections that closed.
    case done(closed: Int)
    /// In order: ranges, then players.
    case bans([Ban])
    /// Nothing was done, and why.
    case refused(String)
}

/// A change of the bans, for whoever keeps them beyond the process.
package enum BanChange: Hashable, Sendable {
    /// In place of an older one of the same subject.
    case set(Ban)
    case lifted(Ban.Subject)
}
