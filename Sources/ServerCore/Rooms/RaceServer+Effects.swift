import Fairness
import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// Effects of a match that need more than one message.
extension RaceServer {
    mutating func start(_ clock: Match.Clock, in room: RoomIndex) {
        let span =
            switch clock {
            case .aliasLookUp: self.configuration.deadlines.aliasLookUp
            case .number: self.configuration.deadlines.number
            case .start: self.configuration.deadlines.start
            case .turn: self.configuration.deadlines.turn
            case .idle: self.configuration.deadlines.idle
            case .rematch: self.rematchTime(in: room)
            }
        self.rooms[room].start(clock, at: self.now, due: self.now + span)
    }

    /// Where only held seats are left, no shorter than they are held.
    private func rematchTime(in room: RoomIndex) -> Instant.Span {
        let match = self.rooms[room].match
        let isDeserted = match.members.subtracting(match.gone).isEmpty
        let deadlines = self.configuration.deadlines
        return isDeserted ? max(deadlines.rematch, deadlines.grace) : deadlines.rematch
    }

    mutating func tellMatched(_ room: RoomIndex, _ broadcast: inout Broadcast) {
        self.flush(&broadcast)
        for seat in self.rooms[room].match.seats {
            guard case .player(let player) = self.rooms[room].occupants[seat] else { continue }
            // Who is not here is told when they come back.
            guard self.players[player].connection != nil else { continue }
            self.rooms[room].told.insert(seat)
            self.send(.matchFound(self.found(room, for: seat)), to: player)
        }
        // Spectators of the race before, who came along to the rematch.
        for spectator in self.rooms[room].spectators {
            self.send(.matchFound(self.found(room, for: nil)), to: spectator)
        }
        broadcast.start = self.outbox.bytes.count
        for seat in self.rooms[room].match.gone { self.announceGone(seat, in: room, &broadcast) }
    }

    /// How long the seat is still held. Nothing while the match is being made: nobody has heard of it, and
    /// whose
    /// seats are held is told with it.
    mutating func announceGone(_ seat: Seat, in room: RoomIndex, _ broadcast: inout Broadcast) {
        guard self.rooms[room].state != .waitingForMatch else { return }
        let left = self.rooms[room].graceDue[seat] - self.now
        self.announce(.playerGone(self.presence(of: seat, in: room), seconds: self.shown(left)), &broadcast)
    }

    func found(_ room: RoomIndex, for seat: Seat?) -> MatchFound {
        let room = self.rooms[room]
        return MatchFound(
            match: room.id, ownSeat: seat, settings: room.match.settings, seal: room.seal,
            seats: room.match.seats.map { seat in
                SeatEntry(seat: seat, player: room.playerIDs[seat.index], alias: room.alias(at: seat))
            })
    }

    mutating func openRound(
        _ round: UInt8, _ seats: SeatSet, in room: RoomIndex, _ broadcast: inout Broadcast
    ) {
        if round > 1 { self.announce(.drawAgain(round: round, seats: Array(seats)), &broadcast) }
        for seat in seats {
            switch self.rooms[room].occupants[seat] {
            case .nobody: break
            case .bot: self.followUps.append(.event(.drewNumber(seat, round: 0, number: nil), room))
            case .player(let player):
                if self.isAuto(player) {
                    self.followUps.append(.event(.drewNumber(seat, round: 0, number: nil), room))
                } else if !self.hasDrawn(seat, in: room) {
                    self.addNote("your number, please: number 42, or just number", to: player, &broadcast)
                }
            }
        }
    }

    /// Whether a number that came early is in already.
    private func hasDrawn(_ seat: Seat, in room: RoomIndex) -> Bool {
        guard case .waitingForRandomNumber(let draw) = self.rooms[room].match.phase else { return true }
        return draw.received.contains(seat)
    }

    mutating func setOrder(_ lineup: Lineup, in room: RoomIndex, _ broadcast: inout Broadcast) {
        self.rooms[room].lineup = lineup
        self.rooms[room].refreshNames()
        var final = [UInt32](repeating: 0, count: self.rooms[room].size)
        for revealed in self.rooms[room].numbers { final[revealed.seat.index] = revealed.number }
        self.rooms[room].chance.dice = self.rooms[room].chance.nonce.dice(numbers: final)
        self.announce(.playerOrder(lineup.order), &broadcast)
        let first = lineup.seat(of: PlayerNumber(1))
        switch self.rooms[room].occupants[first] {
        case .nobody: break
        case .bot: self.wakeBot(in: room)
        case .player(let player):
            if self.isAuto(player) {
                self.followUps.append(.event(.began(first), room))
            } else {
                self.addNote("you are player 1: begin starts the race", to: player, &broadcast)
            }
        }
    }

    mutating func tellBegun(_ room: RoomIndex, _ broadcast: inout Broadcast) {
        switch self.rooms[room].match.settings.rule {
        case .turns:
            self.announce(.gameBegin(seconds: self.shown(self.configuration.deadlines.turn)), &broadcast)
        case .dash:
            self.announce(.gameBegin(seconds: self.shown(self.configuration.deadlines.idle)), &broadcast)
            if !self.rooms[room].botSeats.isEmpty { self.wakeBot(in: room) }
            for seat in self.rooms[room].match.seats {
                guard case .player(let player) = self.rooms[room].occupants[seat] else { continue }
                self.addNote("go! each move is a step: move", to: player, &broadcast)
            }
        }
    }

    mutating func prepareTurn(of player: PlayerNumber, in room: RoomIndex, _ broadcast: inout Broadcast) {
        guard let lineup = self.rooms[room].lineup else { return }
        let occupants = self.rooms[room].occupants
        switch occupants[lineup.seat(of: player)] {
        case .nobody: break
        case .bot: self.wakeBot(in: room)
        case .player(let player): self.addNote("your turn: move rolls the die", to: player, &broadcast)
        }
    }

    mutating func tellOver(
        _ outcome: Outcome, _ sequence: UInt32, in room: RoomIndex, _ broadcast: inout Broadcast
    ) {
        self.rooms[room].botDue = nil
        let over = self.gameOver(room, outcome, sequence)
        self.log(
            .info, "match-over",
            [
                ("match", self.rooms[room].id.value), ("reason", outcome.reason.name),
                ("winner", self.winner(outcome, in: room).value),
                ("seconds", (self.now - self.rooms[room].made).seconds),
            ])
        self.keep(over, of: room, &broadcast)
        self.announce(.gameOver(over), &broadcast)
        for id in self.rooms[room].playerIDs {
            if let player = self.playersByID[id] { self.players[player].hasRaced = true }
        }
        for seat in self.rooms[room].match.seats {
            guard case .player(let player) = self.rooms[room].occupants[seat] else { continue }
            self.addNote(
                "another one with the same players: rematch; someone new: play", to: player, &broadcast)
        }
    }

    /// 0: nobody, or a computer opponent.
    private func winner(_ outcome: Outcome, in room: RoomIndex) -> PlayerID {
        guard let number = outcome.winner, let lineup = self.rooms[room].lineup else { return PlayerID(0) }
        return self.rooms[room].playerIDs[lineup.seat(of: number).index]
    }

    func gameOver(_ room: RoomIndex, _ outcome: Outcome, _ sequence: UInt32) -> GameOver {
        let forfeited = self.rooms[room].match.forfeited
        guard case .done(let ending) = self.rooms[room].match.phase, let race = ending.race else {
            preconditionFailure("a race is over only when it is done")
        }
        let standings = race.standings(winner: outcome.winner, forfeited: forfeited).enumerated()
            .map { index, player in
                Standing(
                    rank: UInt8(index + 1), player: player,
                    position: race.positions[race.lineup.seat(of: player)])
            }
        return GameOver(
            sequence: sequence, outcome: outcome, nonce: self.rooms[room].chance.nonce.nonce,
            digest: self.digest(of: room, endingAt: sequence, outcome), standings: standings)
    }

    // MARK: Rematch

    mutating func tellRematch(_ seat: Seat, wants: Bool, in room: RoomIndex, _ broadcast: inout Broadcast) {
        guard case .done(let ending) = self.rooms[room].match.phase,
            let player = self.rooms[room].player(at: seat)
        else { return }
        let members = self.rooms[room].match.members
        self.announce(
            .rematchOffered(
                RematchOffered(
                    player: player, wants: wants, agreed: UInt8(ending.agreed.count), of: UInt8(members.count)
                )),
            &broadcast)
        guard wants, self.rooms[room].occupants[seat] != .bot else { return }
        for bot in self.rooms[room].botSeats { self.followUps.append(.event(.offeredRematch(bot), room)) }
    }

    mutating func agreeRematch(_ seats: SeatSet, in room: RoomIndex, _ broadcast: inout Broadcast) {
        self.flush(&broadcast)
        let occupants = seats.map { self.rooms[room].occupants[$0] }
        self.followUps.append(
            .rematch(
                Rematch(
                    request: self.rooms[room].request, occupants: occupants,
                    aliases: seats.map { self.rooms[room].alias(at: $0) },
                    spectators: self.rooms[room].spectators)))
        // They go over to the next match: closing this one must not tell them that they are free.
        for seat in seats {
            if case .player(let player) = self.rooms[room].occupants[seat] { self.players[player].room = nil }
            self.rooms[room].occupants[seat] = .nobody
        }
        for spectator in self.rooms[room].spectators { self.players[spectator].watching = nil }
        self.rooms[room].spectators = []
    }

    // MARK: Ends

    mutating func cancel(
        _ room: RoomIndex, by seat: Seat, _ reason: Match.CancelReason, _ broadcast: inout Broadcast
    ) {
        self.flush(&broadcast)
        let culprit = self.rooms[room].alias(at: seat)
        self.log(
            .info, "match-cancelled",
            [
                ("match", self.rooms[room].id.value),
                ("player", self.rooms[room].playerIDs[seat.index].value),
                ("reason", reason == .left ? "left" : "gone"),
            ])
        if case .player(let player) = self.rooms[room].occupants[seat] {
            self.noteBreakOff(player)
        }
        var returning: [Ticket] = []
        for other in self.rooms[room].match.seats where other != seat {
            guard case .player(let player) = self.rooms[room].occupants[other] else { continue }
            var ticket = self.rooms[room].tickets[other.index]
            // A number that was shown is hidden from nobody: the next match asks for another.
            if !self.rooms[room].numbers.isEmpty { ticket?.earlyNumber = nil }
            let isQueuedAgain =
                ticket != nil && self.players[player].connection != nil && !self.isDraining
            if let ticket, isQueuedAgain { returning.append(ticket) }
            self.send(
                .matchCancelled(
                    MatchCancelled(
                        match: self.rooms[room].id, alias: culprit, reason: reason == .left ? .left : .gone,
                        queuedAgain: isQueuedAgain)), to: player)
            if !isQueuedAgain, !self.rooms[room].told.contains(other) {
                // They have not heard of this match, but may wait for it in another: for a rematch of that
                // one.
                self.send(.stopped(.match), to: player)
            }
            self.players[player].room = nil
            self.rooms[room].occupants[other] = .nobody
            self.releaseIfGone(player)
        }
        self.tickets.returnToHead(returning)
        for ticket in returning { self.tellQueued(ticket.player) }
        self.dismissSpectators(of: room)
        broadcast.start = self.outbox.bytes.count
    }

    mutating func depart(_ seat: Seat, from room: RoomIndex, _ broadcast: inout Broadcast) {
        self.flush(&broadcast)
        if case .player(let player) = self.rooms[room].occupants[seat] { self.free(player, from: room, seat) }
        broadcast.start = self.outbox.bytes.count
        self.lookAround(&broadcast)
        // The others count how many are left for a rematch.
        if case .done(let ending) = self.rooms[room].match.phase, ending.outcome != nil,
            !ending.agreed.contains(seat)
        {
            self.tellRematch(seat, wants: false, in: room, &broadcast)
        }
        let humans = self.rooms[room].match.members.contains { member in
            if case .player = self.rooms[room].occupants[member] { true } else { false }
        }
        if !humans {
            for bot in self.rooms[room].botSeats { self.followUps.append(.event(.left(bot), room)) }
        }
    }

    mutating func free(_ player: PlayerIndex, from room: RoomIndex, _ seat: Seat) {
        self.rooms[room].occupants[seat] = .nobody
        self.players[player].room = nil
        self.send(.stopped(.match), to: player)
        self.releaseIfGone(player)
    }

    mutating func close(_ room: RoomIndex, _ broadcast: inout Broadcast) {
        self.flush(&broadcast)
        for seat in self.rooms[room].match.seats {
            if case .player(let player) = self.rooms[room].occupants[seat] {
                self.free(player, from: room, seat)
            }
        }
        self.dismissSpectators(of: room)
        self.roomsByMatch[self.rooms[room].id] = nil
        self.rooms.remove(room)
    }
}
