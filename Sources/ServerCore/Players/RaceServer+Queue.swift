import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// Looking for a race with whoever comes.
extension RaceServer {
    mutating func findMatch(_ request: RaceRequest, of who: Requester) {
        guard self.mayLookForRace(who) else { return }
        let id = self.players[who.player].id
        if self.privateRaces.race(of: id) != nil {
            return self.refuse(
                .alreadyQueued, "you wait for a private race: cancel ends that", request: who.request,
                to: who.connection)
        }
        do throws(TicketFault) {
            try self.tickets.add(Ticket(player: id, request: request, since: self.now), now: self.now)
        } catch {
            switch error {
            case .alreadyQueued:
                return self.refuse(
                    .alreadyQueued, "you are in the queue: wait for found, or cancel", request: who.request,
                    to: who.connection)
            case .impossible(let fault):
                return self.refuse(.badSettings, fault.message, request: who.request, to: who.connection)
            }
        }
        self.leaveFinishedMatch(who.player)
        self.withdrawInvites(of: who.player, because: .busy)
        // Whoever makes a race complete does not wait, and is not told so.
        self.launchReadyRaces()
        guard self.tickets.contains(id) else { return }
        self.tellQueued(id)
        for companion in self.tickets.companions(of: id, limit: Limits.queuedTold) {
            self.tellQueued(companion)
        }
    }

    /// Whether this player can look for a race now; tells them if not. A finished match is no hindrance: it
    /// is left
    /// once there is something to leave it for.
    mutating func mayLookForRace(_ who: Requester) -> Bool {
        if let room = self.players[who.player].room {
            guard self.rooms[room].state == .done else {
                self.refuse(
                    .alreadyInMatch, "you are in match \(self.rooms[room].id.value): leave gives it up",
                    request: who.request, to: who.connection)
                return false
            }
        }
        guard self.mayBeginRace(who) else { return false }
        let wait = self.breakOffs.wait(of: self.players[who.player].id, now: self.now)
        guard wait.nanoseconds <= 0 else {
            self.refuse(
                .slowDown,
                "you broke off \(Limits.breakOffs) starts within a minute: wait \(max(1, wait.seconds)) s",
                request: who.request, to: who.connection)
            return false
        }
        return true
    }

    /// For a player who goes on to something else.
    mutating func leaveFinishedMatch(_ player: PlayerIndex) {
        guard let room = self.players[player].room, self.rooms[room].state == .done else { return }
        self.run(.left(self.players[player].seat), in: room)
    }

    mutating func tellQueued(_ id: PlayerID) {
        guard let player = self.playersByID[id], let status = self.tickets.status(of: id),
            let ticket = self.tickets.ticket(of: id)
        else { return }
        self.tell(
            Queued(
                waiting: UInt16(clamping: status.waiting), minimum: ticket.request.minimum,
                maximum: ticket.request.maximum,
                startsIn: status.startsAt.map { self.shown($0 - self.now) }), to: player)
    }

    /// Others come and go as they like, and only the latest counts: who has not read what came before gets it
    /// later.
    mutating func tell(_ queued: Queued, to player: PlayerIndex) {
        guard !self.isBackedUp(player) else {
            if let id = self.players[player].connection, let slot = self.slot(of: id) {
                self.connections[slot].missedQueueNews = true
            }
            return
        }
        self.send(.queued(queued), to: player)
    }

    /// How things stand where this player waits, if they do.
    mutating func tellQueueNews(to player: PlayerIndex) {
        let id = self.players[player].id
        self.tellQueued(id)
        if let race = self.privateRaces.race(of: id) { self.tellWaiting(race, to: player) }
    }

    /// Takes back whatever this player has open: a ticket, a private race, a wish for a rematch.
    mutating func cancelFind(_ who: Requester) {
        let id = self.players[who.player].id
        if self.removeTicket(of: id) { return self.send(.stopped(.queue), to: who.player) }
        if self.privateRaces.race(of: id) != nil {
            self.leavePrivateRace(who.player)
            return self.send(.stopped(.host), to: who.player)
        }
        if let room = self.players[who.player].room, self.rooms[room].state == .done {
            // Each wish and each change of mind is told to the others.
            guard self.players[who.player].rematchesTakenBack < Limits.rematchesTakenBack else {
                return self.refuse(
                    .slowDown,
                    "you took back \(Limits.rematchesTakenBack) wishes for a rematch: leave, if you don't want one",
                    request: who.request, to: who.connection)
            }
            let refusal = self.run(.withdrewRematch(self.players[who.player].seat), in: room)
            if refusal == nil {
                self.players[who.player].rematchesTakenBack += 1
                return self.send(.stopped(.rematch), to: who.player)
            }
        }
        self.refuse(
            .notQueued, "you wait for no race: play begins to look for one", request: who.request,
            to: who.connection)
    }

    /// Counts a start that this player broke off, and tells them what it leads to.
    mutating func noteBreakOff(_ player: PlayerIndex) {
        let id = self.players[player].id
        self.breakOffs.note(id, now: self.now)
        let wait = max(0, self.breakOffs.wait(of: id, now: self.now).seconds)
        self.send(
            .notice(
                .breakOff, seconds: UInt16(clamping: wait),
                text: wait > 0
                    ? "you broke off \(Limits.breakOffs) starts within a minute: you can look for a race again then"
                    : "you broke off a start: after \(Limits.breakOffs) within a minute you wait a minute"),
            to: player)
    }

    /// The player goes, or races: no ticket, private race or invite of theirs stays open.
    mutating func withdraw(_ player: PlayerIndex, because outcome: InviteOutcome) {
        self.removeTicket(of: self.players[player].id)
        self.leavePrivateRace(player)
        self.withdrawInvites(of: player, because: outcome)
    }

    /// Those who waited with them hear of it.
    @discardableResult
    private mutating func removeTicket(of id: PlayerID) -> Bool {
        guard self.tickets.contains(id) else { return false }
        let companions = self.tickets.companions(of: id, limit: Limits.queuedTold)
        self.tickets.remove(player: id)
        for companion in companions { self.tellQueued(companion) }
        return true
    }
}
