import Lobby
import RaceModel
import WireProtocol

/// One player asks another for a race of the two. Each invite ends once, and both sides are told.
extension RaceServer {
    mutating func invite(_ name: String, _ request: RaceRequest, of who: Requester) {
        guard self.mayLookForRace(who) else { return }
        guard let alias = Alias(name) else {
            return self.refuse(
                .noSuchPlayer, "nobody has that alias: who lists those who are here", request: who.request,
                to: who.connection)
        }
        // The person asked must be here, so everybody who counts is in memory.
        guard let target = self.playersByAlias[AliasKey(alias)], self.players[target].connection != nil else {
            return self.send(.inviteClosed(InviteID(0), .offline, alias: alias), to: who.player)
        }
        let isRacing = self.players[target].room.map { self.rooms[$0].state != .done } ?? false
        // Invites that come and go can't be what makes a slow reader of somebody.
        if isRacing || self.isBackedUp(target) {
            return self.send(
                .inviteClosed(InviteID(0), .busy, alias: self.players[target].alias), to: who.player)
        }
        let sender = self.players[who.player].id
        if self.hasAskedOtherwise(target, sender, request) {
            return self.send(
                .inviteClosed(InviteID(0), .incompatible, alias: self.players[target].alias), to: who.player)
        }
        do throws(InviteFault) {
            switch try self.invites.invite(
                from: sender, to: self.players[target].id, request: request, now: self.now)
            {
            case .sent(let invite):
                self.send(.invited(invite.id, from: self.players[who.player].alias, request), to: target)
                self.send(
                    .inviteClosed(invite.id, .open, alias: self.players[target].alias), to: who.player)
                self.note("uninvite \(invite.id.value) takes it back", to: who.connection)
            case .crossed(let closure): self.tell(closure)
            }
        } catch {
            self.refuse(error, who)
        }
    }

    /// Whether the other has an invite open to the sender already, for another kind of race: that one is to
    /// be answered.
    private func hasAskedOtherwise(_ target: PlayerIndex, _ sender: PlayerID, _ request: RaceRequest) -> Bool
    {
        let theirs = self.invites.received(by: sender).filter { $0.from == self.players[target].id }
        return !theirs.isEmpty
            && theirs.allSatisfy {
                $0.request.settings != request.settings || $0.request.bots != request.bots
            }
    }

    mutating func answerInvite(_ id: InviteID, accept: Bool, of who: Requester) {
        if accept, !self.mayLookForRace(who) { return }
        do throws(InviteFault) {
            self.tell(
                try self.invites.answer(id, by: self.players[who.player].id, accept: accept, now: self.now))
        } catch {
            self.refuse(error, who)
        }
    }

    mutating func cancelInvite(_ id: InviteID, of who: Requester) {
        do throws(InviteFault) {
            self.tell(try self.invites.cancel(id, by: self.players[who.player].id))
        } catch {
            self.refuse(error, who)
        }
    }

    mutating func withdrawInvites(of player: PlayerIndex, because outcome: InviteOutcome) {
        let ending: Invite.Ending = outcome == .offline ? .offline : .busy
        for closure in self.invites.drop(self.players[player].id, ending) { self.tell(closure) }
    }

    /// Those that wait for this player's answer.
    mutating func tellInvites(to player: PlayerIndex) {
        for invite in self.invites.received(by: self.players[player].id) {
            guard let from = self.alias(of: invite.from) else { continue }
            self.send(.invited(invite.id, from: from, invite.request), to: player)
        }
    }

    mutating func expireInvites() {
        for closure in self.invites.advance(now: self.now) { self.tell(closure) }
    }

    private mutating func tell(_ closure: Invite.Closure) {
        let outcome: InviteOutcome =
            switch closure.ending {
            case .accepted: .accepted
            case .declined: .declined
            case .cancelled: .cancelled
            case .busy: .busy
            case .offline: .offline
            case .noAnswer: .noAnswer
            }
        let from = self.playersByID[closure.invite.from]
        let to = self.playersByID[closure.invite.to]
        if let from, let alias = self.alias(of: closure.invite.to) {
            self.send(.inviteClosed(closure.invite.id, outcome, alias: alias), to: from)
        }
        if let to, let alias = self.alias(of: closure.invite.from) {
            self.send(.inviteClosed(closure.invite.id, outcome, alias: alias), to: to)
        }
        guard outcome == .accepted, let from, let to else { return }
        self.startInvited(closure.invite, from, to)
    }

    private func alias(of player: PlayerID) -> Alias? {
        self.playersByID[player].map { self.players[$0].alias } ?? self.directory.alias(of: player)
    }

    private mutating func refuse(_ fault: InviteFault, _ who: Requester) {
        let code: ErrorCode =
            switch fault {
            case .toYourself, .impossible: .badSettings
            case .tooManySent, .tooManyReceived, .alreadyInvited: .tooMany
            case .noSuchInvite: .noSuchInvite
            }
        self.refuse(code, fault.message, request: who.request, to: who.connection)
    }
}
