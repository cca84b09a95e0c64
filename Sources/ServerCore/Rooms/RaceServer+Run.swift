import MatchRules
import RaceModel
import Records
import WireProtocol

/// What follows from an effect and must wait until the effects before it are carried out.
enum FollowUp: Sendable {
    case event(Match.Event, RoomIndex)
    case rematch(Rematch)
}

/// Events into a room's match, and its effects out to everyone concerned.
extension RaceServer {
    /// Applies an event and carries out all that comes of it.
    /// - Returns: why it does not count, if so.
    @discardableResult
    mutating func run(_ event: Match.Event, in room: RoomIndex) -> Refusal? {
        let refusal = self.step(event, in: room)
        while !self.followUps.isEmpty {
            switch self.followUps.removeFirst() {
            case .event(let event, let room): if self.rooms.contains(room) { _ = self.step(event, in: room) }
            case .rematch(let rematch): self.start(rematch)
            }
        }
        return refusal
    }

    private mutating func step(_ event: Match.Event, in room: RoomIndex) -> Refusal? {
        var effects = self.effectScratch
        self.effectScratch = []
        defer { self.effectScratch = effects }
        effects.removeAll(keepingCapacity: true)
        self.rooms[room].apply(event, into: &effects)
        if case .refused(let refusal) = effects.first { return refusal }
        var broadcast = self.openBroadcast(room)
        broadcast.isStep = Self.isStep(effects)
        broadcast.isAheadOfEnd = self.rooms[room].isDone && Self.endsRace(effects)
        for effect in effects { self.carryOut(effect, in: room, &broadcast) }
        if self.rooms.contains(room) {
            self.flush(&broadcast)
            self.schedule(room: room)
        }
        return nil
    }

    private mutating func carryOut(_ effect: Match.Effect, in room: RoomIndex, _ broadcast: inout Broadcast) {
        switch effect {
        case .refused: preconditionFailure("a refusal is always alone")
        case .startClock(let clock): self.start(clock, in: room)
        case .stopClock: self.rooms[room].clockDue = nil
        case .holdSeat(let seat): self.hold(seat, in: room)
        case .releaseSeat: break
        case .gone(let seat): self.announceGone(seat, in: room, &broadcast)
        case .back(let seat):
            guard self.rooms[room].state != .waitingForMatch else { break }
            self.announce(.playerBack(self.presence(of: seat, in: room)), &broadcast)
        case .matched: self.tellMatched(room, &broadcast)
        case .roundOpened(let round, let seats): self.openRound(round, seats, in: room, &broadcast)
        case .revealed(let round, let seat, let number, let byServer):
            let revealed = RevealedNumber(round: round, seat: seat, number: number, drawnByServer: byServer)
            self.rooms[room].numbers.append(revealed)
            self.announce(.randomNumber(revealed), &broadcast)
        case .ordered(let lineup): self.setOrder(lineup, in: room, &broadcast)
        case .began: self.tellBegun(room, &broadcast)
        case .turnStarted(let sequence, let turn, let player):
            self.noteDown(effect, in: room)
            self.announce(
                TurnStarted(
                    sequence: sequence, turn: turn, player: player,
                    seconds: self.shown(self.configuration.deadlines.turn)), &broadcast)
            self.prepareTurn(of: player, in: room, &broadcast)
        case .moved(let sequence, let turn, let player, let steps, let position, let automatic):
            self.noteDown(effect, in: room)
            self.announce(
                Moved(
                    sequence: sequence, turn: turn, player: player, steps: steps, position: position,
                    automatic: automatic), &broadcast)
        case .forfeited(let sequence, let player, let reason):
            self.noteDown(effect, in: room)
            self.announce(
                .forfeited(Forfeited(sequence: sequence, player: player, reason: reason)), &broadcast)
        case .over(let sequence, let outcome): self.tellOver(outcome, sequence, in: room, &broadcast)
        case .cancelled(let seat, let reason): self.cancel(room, by: seat, reason, &broadcast)
        case .rematchOffered(let seat): self.tellRematch(seat, wants: true, in: room, &broadcast)
        case .rematchWithdrawn(let seat):
            // Who leaves has been told of with that.
            guard !self.rooms[room].match.departed.contains(seat) else { break }
            self.tellRematch(seat, wants: false, in: room, &broadcast)
        case .departed(let seat): self.depart(seat, from: room, &broadcast)
        case .rematchAgreed(let seats): self.agreeRematch(seats, in: room, &broadcast)
        case .closed: self.close(room, &broadcast)
        }
    }

    private mutating func noteDown(_ effect: Match.Effect, in room: RoomIndex) {
        if self.rooms[room].noteDown(effect) { self.takeInLog(of: room) }
    }

    func presence(of seat: Seat, in room: RoomIndex) -> Presence {
        Presence(seat: seat, player: self.rooms[room].player(at: seat))
    }
}
