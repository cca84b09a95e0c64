import Fairness
import Lobby
import MatchRules
import RaceModel
import WireProtocol

struct PendingHello: Sendable {
    let connection: ConnectionID
    let hello: Hello
    /// The key of a new player, shown once; nil when someone says who they are.
    let newKey: PlayerKey?
    let alias: Alias?
    /// Guests who were forgotten since it was asked: the answer knows nothing of that.
    var forgotten: [PlayerID] = []
}

/// Saying who one is: a free alias makes a player, a key makes that player again.
extension RaceServer {
    private static let request = ClientMessageNumber.hello.rawValue

    mutating func hello(_ hello: Hello, from slot: Int) {
        let id = self.connections[slot].id
        if let player = self.connections[slot].player {
            return self.refuse(
                .alreadyNamed,
                "you are \(self.players[player].alias) here: connect again to be someone else",
                request: Self.request, to: id)
        }
        if hello.key != nil, !self.mayCarryKeys(slot) {
            return self.refuse(
                .needsTLS,
                "keys are taken over TLS only, and this one could be read on its way: connect over TLS",
                request: Self.request, to: id)
        }
        if hello.name.utf8.first == UInt8(ascii: "#") {
            guard let number = UInt64(hello.name.dropFirst()), hello.key != nil else {
                return self.refuse(
                    .wrongKey, "a player id needs its key: name #17 and 32 hexadecimal digits",
                    request: Self.request, to: id)
            }
            return self.ask(.findByID(PlayerID(number)), hello, newKey: nil, alias: nil, slot)
        }
        let alias: Alias
        do throws(AliasFault) {
            alias = try Alias(validating: hello.name)
        } catch {
            return self.refuse(.badAlias, error.message, request: Self.request, to: id)
        }
        if hello.key != nil {
            self.ask(.findByAlias(alias), hello, newKey: nil, alias: alias, slot)
        } else {
            let key = PlayerKey(high: self.entropy.next(), low: self.entropy.next())
            self.ask(.claim(alias, keyDigest: key.digest), hello, newKey: key, alias: alias, slot)
        }
    }

    private func mayCarryKeys(_ slot: Int) -> Bool {
        self.configuration.keys == .any || self.connections[slot].isSecure
    }

    private mutating func ask(
        _ request: DirectoryRequest, _ hello: Hello, newKey: PlayerKey?, alias: Alias?, _ slot: Int
    ) {
        guard !self.isStoreFull else {
            return self.refuse(
                .unavailable, "players cannot be looked up just now: try again in a few seconds",
                request: Self.request, to: self.connections[slot].id)
        }
        guard self.mayAskForPlayer(hello, slot) else { return }
        let lookUp = self.nextLookUp()
        self.hellos[lookUp] = PendingHello(
            connection: self.connections[slot].id, hello: hello, newKey: newKey, alias: alias)
        self.connections[slot].awaitsHello = true
        self.outbox.errands.append(.directory(lookUp, request))
    }

    /// Who waits is remembered until the store has answered, whether they are here or gone.
    var isStoreFull: Bool {
        self.hellos.count + self.lookUps.count + self.questions.count + self.searches.count
            >= Limits.storeRequests
    }

    mutating func nextLookUp() -> LookUpID {
        self.lastLookUp += 1
        return LookUpID(self.lastLookUp)
    }

    mutating func take(_ answer: DirectoryAnswer, to pending: PendingHello) {
        let id = pending.connection
        guard let slot = self.slot(of: id), !self.connections[slot].isClosing else {
            // The peer left before it could learn its key: nobody can ever be this player.
            if case .claimed(let player) = answer {
                self.outbox.errands.append(.directory(self.nextLookUp(), .forget(player)))
            }
            return
        }
        self.connections[slot].awaitsHello = false
        switch answer {
        case .claimed(let player):
            if let alias = pending.alias, let key = pending.newKey {
                self.welcome(
                    PlayerRecord(id: player, alias: alias, keyDigest: key.digest, hasRaced: false), key: key,
                    lastSeen: 0, slot)
            }
        case .found(let record):
            guard let key = pending.hello.key, key.digest.equalsInConstantTime(record.keyDigest),
                !pending.forgotten.contains(record.id)
            else {
                self.refuseKey(pending, slot)
                break
            }
            self.welcome(record, key: nil, lastSeen: pending.hello.lastSeen, slot)
        case .notFound: self.refuseKey(pending, slot)
        case .taken:
            self.giveBackNewName(slot)
            self.refuse(
                .aliasTaken,
                "\(pending.hello.name) is taken: choose another alias, or add your key if you are that player",
                request: Self.request, to: id)
        case .unavailable, .aliases, .completions:
            if pending.newKey != nil { self.giveBackNewName(slot) }
            self.refuse(
                .unavailable, "players cannot be looked up just now: try again in a few seconds",
                request: Self.request, to: id)
        }
        if let player = self.connections[slot].player { self.tellIfDraining(player) }
        // Whoever has no name yet is waited for again.
        self.schedule(connection: slot)
        self.resume(slot)
    }

    /// One text for all that can be wrong, so that nothing can be learned from it.
    private mutating func refuseKey(_ pending: PendingHello, _ slot: Int) {
        self.noteWrongKey(pending, slot)
        self.refuse(
            .wrongKey, "no player has this alias and this key: check both", request: Self.request,
            to: pending.connection)
    }

    /// This connection is this player from now on; an older one is told and closed.
    private mutating func welcome(_ record: PlayerRecord, key: PlayerKey?, lastSeen: UInt32, _ slot: Int) {
        guard self.mayBe(record.id, slot) else { return }
        let id = self.connections[slot].id
        self.directory.remember(record.id, record.alias)
        self.log(
            .info, "named",
            [
                ("connection", id.slot), ("player", record.id.value), ("alias", record.alias),
                ("new", key == nil ? "no" : "yes"),
            ])
        let readsText = self.connections[slot].dialect == .text
        guard let player = self.playersByID[record.id] else {
            let player = self.players.insert(
                Player(
                    id: record.id, alias: record.alias, keyDigest: record.keyDigest,
                    hasRaced: record.hasRaced, now: self.now))
            self.players[player].attach(id, readsText: readsText)
            self.playersByID[record.id] = player
            self.playersByAlias[self.players[player].aliasKey] = player
            self.departedGuests.remove(record.id)
            self.connections[slot].player = player
            let mayHaveKey = self.mayCarryKeys(slot)
            self.send(.welcome(record.id, record.alias, mayHaveKey ? key : nil), to: id)
            self.tellSuddenEnd(record.id, isNew: key != nil, to: id)
            if key != nil {
                self.note(
                    mayHaveKey
                        ? "keep the key: name \(record.alias) KEY makes you \(record.alias) again, from anywhere"
                        : "no key, since others could read it here: connect over TLS to get one and to come back",
                    to: id)
            } else {
                self.note(
                    "you are in no race now: play looks for one, and player \(record.alias) lists your results",
                    to: id)
            }
            return
        }
        if let old = self.players[player].connection, let oldSlot = self.slot(of: old) {
            self.connections[oldSlot].player = nil
            self.players[player].detach()
            self.close(old, .takenOver, "\(record.alias) came on a newer connection")
        }
        self.connections[slot].player = player
        self.players[player].attach(id, readsText: readsText)
        self.players[player].lastMessage = self.now
        self.send(.welcome(record.id, record.alias, nil), to: id)
        self.resumeRoom(player, lastSeen: lastSeen)
        self.resumeWaiting(player)
    }

    /// Tells a newer connection what its player waits for or watches outside a match.
    private mutating func resumeWaiting(_ player: PlayerIndex) {
        let id = self.players[player].id
        self.tellQueued(id)
        if let race = self.privateRaces.race(of: id) {
            if race.host == id {
                self.send(
                    .privateCode(race.code.description, seconds: self.shown(race.expires - self.now)),
                    to: player)
            }
            self.tellWaiting(race, to: player)
        }
        self.tellInvites(to: player)
        // A match that is being made is told to those who watch when it is found.
        if let room = self.players[player].watching, self.rooms[room].state != .waitingForMatch {
            self.waitForResult(of: room, player)
            self.sendSnapshot(of: room, for: nil, to: player)
        }
    }

    // MARK: Going

    /// The connection is going: its player's seat is held, or the player is gone.
    mutating func detachPlayer(_ slot: Int) {
        guard let player = self.connections[slot].player else { return }
        self.connections[slot].player = nil
        self.players[player].detach()
        self.stopWatching(player)
        self.withdraw(player, because: .offline)
        if let room = self.players[player].room {
            _ = self.run(.dropped(self.players[player].seat), in: room)
        }
        self.releaseIfGone(player)
    }

    /// A player without connection and seat is no longer kept here.
    mutating func releaseIfGone(_ player: PlayerIndex) {
        guard self.players.contains(player), self.players[player].connection == nil,
            self.players[player].room == nil
        else { return }
        let id = self.players[player].id
        if !self.players[player].hasRaced { self.departedGuests.add(id, now: self.now) }
        self.playersByID[id] = nil
        self.playersByAlias[self.players[player].aliasKey] = nil
        self.players.remove(player)
    }

    mutating func forgetGuests() {
        while let guest = self.departedGuests.popDue(self.now) {
            self.directory.forget(guest)
            for hello in self.hellos.keys { self.hellos[hello]?.forgotten.append(guest) }
            self.outbox.errands.append(.directory(self.nextLookUp(), .forget(guest)))
        }
    }
}
