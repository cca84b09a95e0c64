import MatchRules
import RaceModel
import Records
import WireProtocol

/// Coming back to a seat, and seeing a match as it stands.
extension RaceServer {
    /// Tells a player who is back what was missed; then everybody that they are back.
    /// - Parameter lastSeen: the last event seen; 0 for a snapshot.
    mutating func resumeRoom(_ player: PlayerIndex, lastSeen: UInt32) {
        guard let index = self.players[player].room else { return }
        self.waitForResult(of: index, player)
        let seat = self.players[player].seat
        let names = self.rooms[index].names
        let wasTold = self.rooms[index].told.contains(seat)
        if let missed = wasTold ? self.events(after: lastSeen, in: index) : nil {
            for message in missed { self.send(message, to: player, names: names) }
        } else if self.rooms[index].state != .waitingForMatch {
            self.rooms[index].told.insert(seat)
            self.sendStanding(of: index, to: player)
        }
        for other in self.rooms[index].match.gone
        where other != seat && self.rooms[index].state != .waitingForMatch {
            self.send(
                .playerGone(
                    self.presence(of: other, in: index),
                    seconds: self.shown(self.rooms[index].graceDue[other] - self.now)), to: player,
                names: names)
        }
        self.run(.returned(seat), in: index)
        if let id = self.players[player].connection, let slot = self.slot(of: id) { self.catchUpAuto(slot) }
    }

    /// How the match stands, and the numbers that are out: with them the order can be checked.
    mutating func sendSnapshot(of index: RoomIndex, for seat: Seat?, to player: PlayerIndex) {
        let names = self.rooms[index].names
        self.send(.snapshot(self.snapshot(of: index, for: seat)), to: player, names: names)
        for number in self.rooms[index].numbers { self.send(.randomNumber(number), to: player, names: names) }
        if case .waitingForRandomNumber(let draw) = self.rooms[index].match.phase, draw.round > 1 {
            self.send(.drawAgain(round: draw.round, seats: Array(draw.drawing)), to: player, names: names)
        }
    }

    /// The numbered events after one of them; nil when they can't be told, and a snapshot is needed.
    private func events(after sequence: UInt32, in index: RoomIndex) -> [ServerMessage]? {
        guard sequence > 0, self.rooms[index].log.reaches(back: sequence) else { return nil }
        let turnSeconds = self.shown(self.configuration.deadlines.turn)
        switch self.rooms[index].match.phase {
        case .active(let race):
            guard Self.canRetell(after: sequence, of: race) else { return nil }
            return self.rooms[index].log.messages(after: sequence, turnSeconds: turnSeconds)
        case .done(let ending):
            guard let race = ending.race, let outcome = ending.outcome,
                Self.canRetell(after: sequence, of: race)
            else { return nil }
            var missed = self.rooms[index].log.messages(after: sequence, turnSeconds: turnSeconds)
            if sequence < race.sequence {
                missed.append(.gameOver(self.gameOver(index, outcome, race.sequence)))
            }
            return missed
        case .waitingForMatch, .waitingForRandomNumber, .waitingForStart: return nil
        }
    }

    /// All that was missed goes out at once, so it must be far below what makes a slow reader.
    private static func canRetell(after sequence: UInt32, of race: Race) -> Bool {
        sequence <= race.sequence && race.sequence - sequence <= UInt32(Limits.retoldEvents)
    }

    /// What one viewer may see of a match: numbers only once they are revealed, so never here.
    func snapshot(of index: RoomIndex, for seat: Seat?) -> Snapshot {
        let room = self.rooms[index]
        var race: Race?
        switch room.match.phase {
        case .active(let current): race = current
        case .done(let ending): race = ending.race
        case .waitingForMatch, .waitingForRandomNumber, .waitingForStart: break
        }
        let hasTurns = room.state == .active && room.match.settings.rule == .turns
        return Snapshot(
            match: room.id, ownSeat: seat, settings: room.match.settings, seal: room.seal, state: room.state,
            sequence: race?.sequence ?? 0, turn: hasTurns ? race?.turn ?? 0 : 0,
            onTurn: hasTurns ? race?.onTurn : nil,
            seconds: room.clockDue.map { self.shown($0 - self.now) } ?? 0,
            runners: room.match.seats.map { runner in
                Runner(
                    seat: runner, number: room.player(at: runner), player: room.playerIDs[runner.index],
                    alias: room.alias(at: runner), position: race?.positions[runner] ?? 0,
                    presence: Self.presence(of: runner, in: room.match, viewer: seat))
            })
    }

    /// - Parameter viewer: is here, even if the match has yet to be told.
    private static func presence(of seat: Seat, in match: Match, viewer: Seat?) -> Runner.Presence {
        if match.forfeited.contains(seat) || match.departed.contains(seat) { return .out }
        return match.gone.contains(seat) && seat != viewer ? .gone : .here
    }

    // MARK: Auto

    /// Whether the server draws and begins for this player.
    func isAuto(_ player: PlayerIndex) -> Bool {
        guard let id = self.players[player].connection else { return false }
        let slot = Int(id.slot)
        return self.connections[slot].dialect == .text && self.connections[slot].auto
    }

    /// Does now what auto would have done by now.
    mutating func catchUpAuto(_ slot: Int) {
        guard let player = self.connections[slot].player, self.isAuto(player),
            let room = self.players[player].room
        else { return }
        let seat = self.players[player].seat
        switch self.rooms[room].match.phase {
        case .waitingForRandomNumber(let draw):
            if draw.drawing.contains(seat), !draw.received.contains(seat) {
                self.run(.drewNumber(seat, round: 0, number: nil), in: room)
            }
        case .waitingForStart(let lineup):
            if lineup.player(at: seat) == PlayerNumber(1) { self.run(.began(seat), in: room) }
        case .waitingForMatch, .active, .done: break
        }
    }
}
