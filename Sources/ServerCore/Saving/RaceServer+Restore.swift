import Fairness
import Lobby
import MatchRules
import RaceModel
import Records
import WireProtocol

/// Going on with races that another process saved: before anybody is connected, each is played again from its draw to
/// where it stood, with all seats held. Clocks begin anew, so that down time counts against nobody.
extension RaceServer {
    mutating func restore(_ matches: [SavedMatch]) {
        var restored = 0
        for saved in matches where self.restore(saved) { restored += 1 }
        self.log(.info, "matches-restored", [("count", restored), ("left-out", matches.count - restored)])
    }

    /// - Returns: false when it is none that this server could have saved; then nothing is left of it.
    private mutating func restore(_ saved: SavedMatch) -> Bool {
        guard self.couldBeOurs(saved) else { return false }
        let room = self.insertRoom(saved)
        self.replayDraw(saved, in: room)
        if saved.hasBegun {
            self.replayRace(saved, in: room)
            self.departOthers(saved, in: room)
        }
        guard self.rooms.contains(room), self.stands(room, as: saved) else {
            if self.rooms.contains(room) { self.discard(room) }
            return false
        }
        // They were told of it by the process before.
        for seat in self.rooms[room].match.seats where saved.holders[seat.index] != nil {
            self.rooms[room].told.insert(seat)
        }
        self.wakeBots(in: room)
        self.schedule(room: room)
        return true
    }

    private func couldBeOurs(_ saved: SavedMatch) -> Bool {
        guard saved.holders.count == saved.found.seats.count, saved.found.seats.count >= 2,
            self.roomsByMatch[saved.found.match] == nil, saved.found.match.value > 0,
            // Later ones are given to races to come.
            saved.found.match.value <= self.lastMatch, saved.request.settings == saved.found.settings,
            SealedNonce(nonce: saved.nonce).seal == saved.found.seal
        else { return false }
        var players: Set<PlayerID> = []
        for (holder, seat) in zip(saved.holders, saved.found.seats) where holder != nil {
            guard seat.player.value > 0, self.playersByID[seat.player] == nil,
                players.insert(seat.player).inserted
            else { return false }
        }
        return !players.isEmpty
    }

    private mutating func insertRoom(_ saved: SavedMatch) -> RoomIndex {
        var occupants = SeatTable<Room.Occupant>(repeating: .nobody)
        for (holder, entry) in zip(saved.holders, saved.found.seats) {
            if entry.player.value == 0 {
                occupants[entry.seat] = .bot
            } else if let holder {
                let player = self.players.insert(
                    Player(
                        id: entry.player, alias: entry.alias, keyDigest: holder.keyDigest,
                        hasRaced: holder.hasRaced, now: self.now))
                self.playersByID[entry.player] = player
                self.playersByAlias[self.players[player].aliasKey] = player
                self.directory.remember(entry.player, entry.alias)
                occupants[entry.seat] = .player(player)
            }
        }
        let room = self.rooms.insert(
            Room(
                id: saved.found.match,
                match: Match(settings: saved.found.settings, size: saved.found.seats.count),
                chance: SealedChance(nonce: SealedNonce(nonce: saved.nonce)), request: saved.request,
                tickets: [Ticket?](repeating: nil, count: saved.found.seats.count), occupants: occupants,
                playerIDs: saved.found.seats.map(\.player), now: self.now))
        self.roomsByMatch[saved.found.match] = room
        for entry in saved.found.seats {
            if case .player(let player) = occupants[entry.seat] {
                self.players[player].room = room
                self.players[player].seat = entry.seat
            }
            self.run(.joined(entry.seat), in: room)
        }
        for entry in saved.found.seats where entry.player.value > 0 {
            self.run(.dropped(entry.seat), in: room)
        }
        for entry in saved.found.seats { self.name(entry.seat, entry.alias, in: room) }
        return room
    }

    /// Bots have drawn by themselves when the round opened.
    private mutating func replayDraw(_ saved: SavedMatch, in room: RoomIndex) {
        for number in saved.numbers + saved.hidden where self.rooms.contains(room) {
            self.run(
                .drewNumber(
                    number.seat, round: number.round, number: number.drawnByServer ? nil : number.number),
                in: room)
        }
    }

    private mutating func replayRace(_ saved: SavedMatch, in room: RoomIndex) {
        guard case .waitingForStart(let lineup) = self.rooms[room].match.phase else { return }
        self.run(.began(lineup.seat(of: PlayerNumber(1))), in: room)
        for message in saved.events.messages() {
            guard self.rooms.contains(room), self.rooms[room].state == .active else { return }
            switch message {
            case .moved(let moved):
                let seat = lineup.seat(of: moved.player)
                self.run(moved.automatic ? .deadlinePassed : .moved(seat, turn: moved.turn), in: room)
            case .forfeited(let forfeited):
                let seat = lineup.seat(of: forfeited.player)
                switch forfeited.reason {
                case .left: self.run(.left(seat), in: room)
                case .gone: self.run(.graceExpired(seat), in: room)
                case .missedTurns: self.run(.deadlinePassed, in: room)
                }
            default: break
            }
        }
    }

    /// Who was out of the race already when they left is in no event.
    private mutating func departOthers(_ saved: SavedMatch, in room: RoomIndex) {
        for (holder, entry) in zip(saved.holders, saved.found.seats)
        where holder == nil && entry.player.value > 0 {
            guard self.rooms.contains(room), self.rooms[room].state == .active,
                !self.rooms[room].match.departed.contains(entry.seat)
            else { continue }
            self.run(.left(entry.seat), in: room)
        }
    }

    /// Whether the replay led to where it was.
    private func stands(_ index: RoomIndex, as saved: SavedMatch) -> Bool {
        let room = self.rooms[index]
        guard room.numbers == saved.numbers, room.log == saved.events else { return false }
        return switch room.match.phase {
        case .waitingForMatch, .done: false
        case .waitingForRandomNumber(let draw): !saved.hasBegun && draw.received.count == saved.hidden.count
        case .waitingForStart: !saved.hasBegun && saved.hidden.isEmpty
        case .active: saved.hasBegun && saved.hidden.isEmpty
        }
    }

    private mutating func discard(_ room: RoomIndex) {
        for seat in self.rooms[room].match.seats {
            guard case .player(let player) = self.rooms[room].occupants[seat] else { continue }
            self.players[player].room = nil
            self.releaseIfGone(player)
        }
        self.roomsByMatch[self.rooms[room].id] = nil
        self.rooms.remove(room)
    }

    /// They were woken for what is long done.
    private mutating func wakeBots(in room: RoomIndex) {
        self.rooms[room].botDue = nil
        let isDue =
            switch self.rooms[room].match.phase {
            case .waitingForMatch, .waitingForRandomNumber, .done: false
            case .waitingForStart(let lineup):
                self.rooms[room].occupants[lineup.seat(of: PlayerNumber(1))] == .bot
            case .active(let race):
                self.rooms[room].match.settings.rule == .dash
                    ? !self.rooms[room].botSeats.isEmpty
                    : self.rooms[room].occupants[race.lineup.seat(of: race.onTurn)] == .bot
            }
        if isDue { self.wakeBot(in: room) }
    }
}
