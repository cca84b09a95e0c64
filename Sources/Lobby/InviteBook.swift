package import RaceModel

/// All open invites. Whoever closes one gets it back with its ending, once, to tell both sides.
package struct InviteBook: Sendable {
    /// What became of an invitation.
    package enum Answer: Hashable, Sendable {
        case sent(Invite)
        /// The other side had asked for the same race before: their invite counts as accepted, and there is
        /// no new one.
        case crossed(Invite.Closure)
    }

    private var invites: [InviteID: Invite] = [:]
    /// In order of ids.
    private var sentBy: [PlayerID: [InviteID]] = [:]
    /// In order of ids.
    private var receivedBy: [PlayerID: [InviteID]] = [:]
    private var deadlines = DeadlineHeap<InviteID>()
    private var lastID: UInt64 = 0

    package init() {}

    package var count: Int { self.invites.count }
    package var nextDeadline: Instant? { self.deadlines.next }

    package func invite(_ id: InviteID) -> Invite? { self.invites[id] }

    /// Open invites of this player to others, oldest first.
    package func sent(by player: PlayerID) -> [Invite] {
        (self.sentBy[player] ?? []).compactMap { self.invites[$0] }
    }

    /// Open invites of others to this player, oldest first.
    package func received(by player: PlayerID) -> [Invite] {
        (self.receivedBy[player] ?? []).compactMap { self.invites[$0] }
    }

    /// Opens an invite, or accepts the one that the other side sent for an equal race. Invites for different
    /// races stay open side by side.
    package mutating func invite(
        from sender: PlayerID, to recipient: PlayerID, request: RaceRequest, now: Instant
    ) throws(InviteFault) -> Answer {
        if sender == recipient { throw .toYourself }
        do throws(RequestFault) { try request.checkForTwo() } catch { throw .impossible(error) }
        let crossing = self.received(by: sender).first {
            $0.from == recipient && $0.request.settings == request.settings && $0.request.bots == request.bots
                && $0.expires > now
        }
        if let crossing { return .crossed(self.close(crossing, .accepted)) }
        let sent = self.sent(by: sender)
        if sent.contains(where: { $0.to == recipient }) { throw .alreadyInvited }
        if sent.count >= Limits.invitesPerPlayer { throw .tooManySent }
        if (self.receivedBy[recipient]?.count ?? 0) >= Limits.invitesToPlayer { throw .tooManyReceived }

        self.lastID += 1
        let invite = Invite(
            id: InviteID(self.lastID), from: sender, to: recipient, request: request,
            expires: now + Limits.inviteLife)
        self.invites[invite.id] = invite
        self.sentBy[sender, default: []].append(invite.id)
        self.receivedBy[recipient, default: []].append(invite.id)
        self.deadlines.set(invite.id, to: invite.expires)
        return .sent(invite)
    }

    /// Only who was invited may answer, and only in time. After an acceptance the two race each other: drop
    /// all else that they have open as `busy`.
    package mutating func answer(
        _ id: InviteID, by player: PlayerID, accept: Bool, now: Instant
    ) throws(InviteFault) -> Invite.Closure {
        guard let invite = self.invites[id], invite.to == player, invite.expires > now else {
            throw .noSuchInvite
        }
        return self.close(invite, accept ? .accepted : .declined)
    }

    /// Only who sent it may take it back.
    package mutating func cancel(_ id: InviteID, by player: PlayerID) throws(InviteFault) -> Invite.Closure {
        guard let invite = self.invites[id], invite.from == player else { throw .noSuchInvite }
        return self.close(invite, .cancelled)
    }

    /// Closes all invites of and to a player who started another race (`busy`) or is gone (`offline`); oldest
    /// first.
    package mutating func drop(_ player: PlayerID, _ ending: Invite.Ending) -> [Invite.Closure] {
        let ids = (self.sentBy[player] ?? []) + (self.receivedBy[player] ?? [])
        return ids.sorted().compactMap { id in self.invites[id].map { self.close($0, ending) } }
    }

    /// Closes those whose time is over, in order of their deadlines.
    package mutating func advance(now: Instant) -> [Invite.Closure] {
        var closures: [Invite.Closure] = []
        while let id = self.deadlines.popDue(now) {
            if let invite = self.invites[id] { closures.append(self.close(invite, .noAnswer)) }
        }
        return closures
    }

    private mutating func close(_ invite: Invite, _ ending: Invite.Ending) -> Invite.Closure {
        self.invites.removeValue(forKey: invite.id)
        self.deadlines.set(invite.id, to: nil)
        Self.remove(invite.id, of: invite.from, in: &self.sentBy)
        Self.remove(invite.id, of: invite.to, in: &self.receivedBy)
        return Invite.Closure(invite: invite, ending: ending)
    }

    private static func remove(
        _ id: InviteID, of player: PlayerID, in table: inout [PlayerID: [InviteID]]
    ) {
        table[player]?.removeAll { $0 == id }
        if table[player]?.isEmpty == true { table.removeValue(forKey: player) }
    }
}
