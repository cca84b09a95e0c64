import RaceModel
import WireProtocol

/// How much one may ask for. Budgets are a connection's own: a new connection costs one of the connects of
/// its address, and a new name one of its names.
extension RaceServer {
    /// Charges a request before it is looked at.
    /// - Returns: whether it may be; if not, its sender has been told, or is being closed.
    mutating func charge(_ kind: RequestKind, _ slot: Int, request: UInt8?) -> Bool {
        self.isCharged = true
        let budget = self.configuration.budgets[kind]
        if self.connections[slot].purses[kind].take(budget, now: self.now) { return true }
        let id = self.connections[slot].id
        let most = "\(budget.burst) \(kind.name) at once, then \(budget.perSecond) a second"
        guard
            self.connections[slot].purses.slowDowns.take(self.configuration.budgets.slowDowns, now: self.now)
        else {
            self.log(.info, "too-many-requests", [("connection", id.slot), ("kind", kind.name)])
            self.close(id, .slowDown, "you went on asking for too much: \(most)")
            return false
        }
        self.sendError(.slowDown, "too much at once: \(most)", request: request, to: id)
        return false
    }

    /// Requests that cost nothing when they count: they bring a race on, and each of them counts once.
    static func isChargedWhenRefused(_ request: UInt8) -> Bool {
        switch ClientMessageNumber(rawValue: request) {
        case .move, .randomNumber, .gameBegin, .findMatch, .rematch: true
        default: false
        }
    }

    /// What a message is charged to when it comes; nil when it is charged only if it is refused.
    static func kind(of message: ClientMessage) -> RequestKind? {
        switch message {
        case .move, .randomNumber, .gameBegin, .findMatch, .rematch: nil
        case .quit: nil
        // A record has many pages.
        case .lookUpAliases, .lookUpPlayer, .replay: .lookUps
        case .listPlayers, .listMatches, .leaderboard: .lists
        case .invite, .answerInvite, .cancelInvite, .joinPrivate: .inviting
        case .hello, .cancelFind, .leave, .watch, .unwatch, .hostPrivate, .why, .ping: .talk
        }
    }
}
