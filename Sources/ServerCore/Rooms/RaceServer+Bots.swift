import MatchRules
import RaceModel
import WireProtocol

/// Computer opponents: seats that the server plays, at a pace that people can follow.
extension RaceServer {
    /// A bot has something to do soon.
    mutating func wakeBot(in room: RoomIndex) {
        guard self.rooms[room].botDue == nil else { return }
        // Well within a turn, however short turns are: a bot is never silent.
        let longest = min(
            Limits.botThinks.upperBound.nanoseconds, self.configuration.deadlines.turn.nanoseconds / 2)
        let shortest = min(Limits.botThinks.lowerBound.nanoseconds, longest / 2)
        // The spread is far below 2^64: the bias of a remainder is not to be seen in a pause.
        let extra = Int64(self.entropy.next() % UInt64(longest - shortest))
        self.rooms[room].botDue = self.now + Instant.Span(nanoseconds: shortest + extra)
    }

    mutating func actForBot(in room: RoomIndex) {
        switch self.rooms[room].match.phase {
        case .waitingForStart(let lineup):
            let first = lineup.seat(of: PlayerNumber(1))
            if self.rooms[room].occupants[first] == .bot { self.run(.began(first), in: room) }
        case .active(let race):
            switch self.rooms[room].match.settings.rule {
            case .turns:
                let seat = race.lineup.seat(of: race.onTurn)
                if self.rooms[room].occupants[seat] == .bot { self.run(.moved(seat, turn: 0), in: room) }
            case .dash: self.dashWithBots(race, in: room)
            }
        case .waitingForMatch, .waitingForRandomNumber, .done: break
        }
    }

    /// Each bot takes a step with even odds, so that they do not run abreast.
    private mutating func dashWithBots(_ race: Race, in room: RoomIndex) {
        let coins = self.entropy.next()
        for bot in self.rooms[room].botSeats where coins >> UInt64(bot.index) & 1 == 1 {
            self.run(.moved(bot, turn: 0), in: room)
            guard self.rooms.contains(room), self.rooms[room].state == .active else { return }
        }
        self.wakeBot(in: room)
        self.schedule(room: room)
    }
}
