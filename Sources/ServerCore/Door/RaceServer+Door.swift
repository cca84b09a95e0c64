import Lobby
import RaceModel
import WireProtocol

/// What comes of being let in, or not.
extension RaceServer {
    var wallTime: WallTime {
        self.configuration.door.clockOrigin.adding(seconds: self.now.nanoseconds / 1_000_000_000)
    }

    /// Whether this connection, which has just come, may stay.
    mutating func letIn(_ slot: Int) -> Bool {
        let address = self.connections[slot].address
        defer { self.scheduleDoor() }
        switch self.door.arrive(address, now: self.now, wall: self.wallTime) {
        case .welcome(let isCounted):
            self.connections[slot].isCounted = isCounted
            return true
        case .refused(let refusal, let isTold):
            self.figures.countTurnedAway(refusal.name)
            if self.door.noteRefusal(refusal, address, now: self.now) {
                self.log(.info, "refused", [("address", address.block), ("reason", refusal.name)])
            }
            self.turnAway(slot, refusal, isTold: isTold)
            return false
        }
    }

    /// Nothing is known yet of what it speaks, so it is told in text. Who comes on and on is not told each
    /// time: a connection that is told takes its place until its peer has read it, or a second or two.
    private mutating func turnAway(_ slot: Int, _ refusal: Door.Refusal, isTold: Bool) {
        let id = self.connections[slot].id
        guard isTold else {
            self.connections[slot].isClosing = true
            self.outbox.outputs.append(.abort(id))
            return
        }
        switch refusal {
        case .banned(let text): self.close(id, .banned, text)
        case .full(let text): self.close(id, .full, text)
        case .tooFast(let text): self.close(id, .slowDown, text)
        }
    }

    mutating func leaveDoor(_ slot: Int) {
        guard self.connections[slot].isCounted else { return }
        self.connections[slot].isCounted = false
        self.door.leave(self.connections[slot].address, now: self.now)
        self.scheduleDoor()
    }

    // MARK: Names and keys

    /// Whether this hello may be looked into; tells why not. A new name is taken from what the address may
    /// have.
    mutating func mayAskForPlayer(_ hello: Hello, _ slot: Int) -> Bool {
        let connection = self.connections[slot]
        let text: String
        if hello.key != nil {
            guard let wait = self.door.keyWait(connection.address, now: self.now) else { return true }
            text = "wrong keys came from your address: the next is looked at in \(wait) s"
        } else {
            defer { self.scheduleDoor() }
            guard let wait = self.door.takeNewName(connection.address, now: self.now) else { return true }
            text = "your address has taken many new names: wait \(wait) s, or come with a key you have"
        }
        self.refuse(.slowDown, text, request: ClientMessageNumber.hello.rawValue, to: connection.id)
        return false
    }

    mutating func giveBackNewName(_ slot: Int) {
        self.door.giveBackNewName(self.connections[slot].address, now: self.now)
        self.scheduleDoor()
    }

    mutating func noteWrongKey(_ pending: PendingHello, _ slot: Int) {
        let name: GuessedName
        if let alias = pending.alias {
            name = .alias(AliasKey(alias))
        } else {
            name = .player(PlayerID(UInt64(pending.hello.name.dropFirst()) ?? 0))
        }
        self.door.noteWrongKey(for: name, self.connections[slot].address, now: self.now)
        self.scheduleDoor()
    }

    /// Whether this player, who has shown their key, is let in; tells why not.
    mutating func mayBe(_ player: PlayerID, _ slot: Int) -> Bool {
        let id = self.connections[slot].id
        if let ban = self.door.bans.ban(of: player, now: self.wallTime) {
            self.close(id, .banned, ban.text)
            return false
        }
        // Each return to a seat is told to the others.
        guard let index = self.playersByID[player], self.players[index].room != nil,
            !self.players[index].returns.take(Limits.returns, now: self.now)
        else { return true }
        let wait = self.players[index].returns.wait(Limits.returns, now: self.now).roundedUp
        self.refuse(
            .slowDown, "you come and go too often: come back in \(wait) s",
            request: ClientMessageNumber.hello.rawValue, to: id)
        return false
    }

    // MARK: Races

    /// Whether races of this player's address do not begin too often; tells them if they do.
    mutating func mayBeginRace(_ who: Requester) -> Bool {
        guard let slot = self.slot(of: who.connection),
            let wait = self.door.raceWait(self.connections[slot].address, now: self.now)
        else { return true }
        self.refuse(
            .slowDown, "races from your address begin too often: wait \(wait) s", request: who.request,
            to: who.connection)
        return false
    }

    mutating func noteRace(of player: PlayerIndex) {
        guard let id = self.players[player].connection, let slot = self.slot(of: id) else { return }
        self.door.noteRace(self.connections[slot].address, now: self.now)
        self.scheduleDoor()
    }

    // MARK: Time

    /// Keeps one entry in the heap that is not later than anything the door waits for.
    private mutating func scheduleDoor() {
        guard let due = self.door.nextDeadline else { return }
        if let scheduled = self.doorScheduled, scheduled <= due { return }
        self.doorScheduled = due
        self.insertDeadline(.door, due: due)
    }

    mutating func fireDoor() {
        for refused in self.door.forget(self.now) {
            let who: [(String, any Sendable)] =
                refused.key.map { [("address", $0.address), ("reason", $0.reason)] } ?? [
                    ("address", "others")
                ]
            self.log(.info, "refused-again", who + [("count", refused.count)])
        }
        self.scheduleDoor()
    }
}
