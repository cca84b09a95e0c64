import Fairness
import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// A rematch that all have agreed to.
struct Rematch: Sendable {
    let request: RaceRequest
    /// In order of seats.
    let occupants: [Room.Occupant]
    let aliases: [Alias]
    let spectators: [PlayerIndex]
}

/// Making matches.
extension RaceServer {
    /// Starts every race the lobby has ready.
    mutating func launchReadyRaces() {
        guard !self.isDraining else { return }
        while self.isDue(self.tickets.nextDeadline) || self.isDue(self.privateRaces.nextDeadline) {
            let groups = self.tickets.advance(now: self.now)
            for group in groups { self.start(group, isPrivate: false) }
            let events = self.privateRaces.advance(now: self.now)
            for event in events { self.tell(event) }
            if groups.isEmpty && events.isEmpty { return }
        }
    }

    private func isDue(_ deadline: Instant?) -> Bool { deadline.map { $0 <= self.now } ?? false }

    /// - Parameter isPrivate: should it be cancelled, nobody goes back to the queue.
    mutating func start(_ group: Group, isPrivate: Bool) {
        var occupants: [Room.Occupant] = []
        for ticket in group.tickets {
            guard let player = self.playersByID[ticket.player] else {
                preconditionFailure("a ticket without its player")
            }
            occupants.append(.player(player))
            self.figures.queueWait.observe(self.now - ticket.since)
        }
        occupants += [Room.Occupant](repeating: .bot, count: Int(group.bots))
        let room = self.makeRoom(
            group.tickets[0].request, occupants, tickets: isPrivate ? [] : group.tickets)
        for (index, ticket) in group.tickets.enumerated() {
            guard let number = ticket.earlyNumber else { continue }
            self.run(.drewNumber(Seat(index: index), round: 1, number: number), in: room)
        }
        self.nameSeats(of: room)
    }

    mutating func startInvited(_ invite: Invite, _ from: PlayerIndex, _ to: PlayerIndex) {
        // Wishes for a rematch go first: the one's leaving must not start a rematch for the other.
        for player in [from, to] {
            if let room = self.players[player].room {
                self.run(.withdrewRematch(self.players[player].seat), in: room)
            }
        }
        self.leaveFinishedMatch(from)
        self.leaveFinishedMatch(to)
        let bots = [Room.Occupant](repeating: .bot, count: Int(invite.request.bots))
        let room = self.makeRoom(invite.request, [.player(from), .player(to)] + bots, tickets: [])
        self.nameSeats(of: room)
    }

    mutating func start(_ rematch: Rematch) {
        let room = self.makeRoom(rematch.request, rematch.occupants, tickets: [])
        let bots = zip(rematch.occupants, rematch.aliases).filter { $0.0 == .bot }.map(\.1)
        for spectator in rematch.spectators where self.players.contains(spectator) {
            self.rooms[room].spectators.append(spectator)
            self.players[spectator].watching = room
        }
        self.nameSeats(of: room, bots: bots)
    }

    /// A room whose match has all seats joined and waits for their names.
    private mutating func makeRoom(
        _ request: RaceRequest, _ occupants: [Room.Occupant], tickets: [Ticket?]
    ) -> RoomIndex {
        let id = self.nextMatch()
        let nonce = Bytes32(
            words: (self.entropy.next(), self.entropy.next(), self.entropy.next(), self.entropy.next()))
        var table = SeatTable<Room.Occupant>(repeating: .nobody)
        for (index, occupant) in occupants.enumerated() { table[Seat(index: index)] = occupant }
        let ids = occupants.map { occupant in
            if case .player(let player) = occupant { self.players[player].id } else { PlayerID(0) }
        }
        let room = self.rooms.insert(
            Room(
                id: id, match: Match(settings: request.settings, size: occupants.count),
                chance: SealedChance(nonce: SealedNonce(nonce: nonce)), request: request,
                tickets: tickets + [Ticket?](repeating: nil, count: occupants.count - tickets.count),
                occupants: table, playerIDs: ids, now: self.now))
        self.roomsByMatch[id] = room
        self.log(
            .info, "match-made",
            [
                ("match", id.value), ("rule", request.settings.rule.name),
                ("players", ids.map { "\($0.value)" }.joined(separator: ",")),
            ])
        for (index, occupant) in occupants.enumerated() {
            let seat = Seat(index: index)
            if case .player(let player) = occupant {
                self.stopWatching(player)
                self.withdraw(player, because: .busy)
                self.players[player].room = room
                self.players[player].seat = seat
                self.players[player].rematchesTakenBack = 0
                self.noteRace(of: player)
            }
            self.run(.joined(seat), in: room)
        }
        for (index, occupant) in occupants.enumerated() {
            // Someone whose connection went while the rematch was being agreed has a held seat here, too.
            if case .player(let player) = occupant, self.players[player].connection == nil {
                self.run(.dropped(Seat(index: index)), in: room)
            }
        }
        return room
    }

    /// Looks the aliases up; those known are there at once.
    /// - Parameter bots: what the computer opponents were called before, in order of seats.
    private mutating func nameSeats(of room: RoomIndex, bots known: [Alias] = []) {
        var wanted: [PlayerID] = []
        let count = UInt8(self.rooms[room].botSeats.count)
        var bots = known.isEmpty ? BotNames.aliases(count, for: self.rooms[room].id) : known
        for seat in self.rooms[room].match.seats {
            switch self.rooms[room].occupants[seat] {
            case .bot:
                self.name(seat, bots.removeFirst(), in: room)
            case .player, .nobody:
                let id = self.rooms[room].playerIDs[seat.index]
                if let alias = self.directory.alias(of: id) {
                    self.name(seat, alias, in: room)
                } else {
                    wanted.append(id)
                }
            }
        }
        if !wanted.isEmpty { self.lookUp(wanted, for: .room(room)) }
    }

    /// An alias that comes too late changes nothing: the seat has been called otherwise, and so it is in the
    /// record.
    mutating func name(_ seat: Seat, _ alias: Alias, in room: RoomIndex) {
        // While races are saved none begins: nobody would have heard of it.
        guard self.rooms[room].state == .waitingForMatch, !self.isStopping else { return }
        self.rooms[room].aliases[seat.index] = alias
        self.rooms[room].refreshNames()
        self.run(.namesKnown(seat), in: room)
    }
}
