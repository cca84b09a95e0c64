import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// `why`: whom we wait for, since when, until when, and what happens then.
extension RaceServer {
    mutating func explainWait(to slot: Int) {
        let connection = self.connections[slot]
        guard let player = connection.player else {
            return self.send(
                .reason(
                    WaitReason(
                        waitingFor: "you", what: .nothing, since: self.seconds(since: connection.accepted),
                        left: self.seconds(until: connection.lastMessage + Limits.unnamed),
                        then: "the server closes a connection that has no name")), to: connection.id)
        }
        if let room = self.players[player].room ?? self.players[player].watching, self.rooms.contains(room) {
            return self.send(.reason(self.wait(of: room)), to: connection.id)
        }
        self.send(.reason(self.lobbyWait(of: player)), to: connection.id)
    }

    private func seconds(since instant: Instant) -> UInt32 { UInt32(clamping: (self.now - instant).seconds) }
    private func seconds(until instant: Instant) -> UInt32 {
        UInt32(clamping: max(0, (instant - self.now).seconds))
    }

    private func lobbyWait(of player: PlayerIndex) -> WaitReason {
        let id = self.players[player].id
        if let status = self.tickets.status(of: id), let ticket = self.tickets.ticket(of: id) {
            return WaitReason(
                waitingFor: "anyone", what: .players, since: self.seconds(since: ticket.since),
                left: status.startsAt.map { self.seconds(until: $0) },
                then: status.startsAt == nil
                    ? "the race starts once there are enough players" : "the race starts with who is there")
        }
        if let race = self.privateRaces.race(of: id),
            let ticket = race.tickets.first(where: { $0.player == id })
        {
            return WaitReason(
                waitingFor: "anyone", what: .players, since: self.seconds(since: ticket.since),
                left: self.seconds(until: race.starts ?? race.expires),
                then: race.starts == nil
                    ? "the code \(race.code) expires" : "the race starts with who is there")
        }
        return WaitReason(
            waitingFor: "you", what: .nothing, since: self.seconds(since: self.players[player].lastMessage),
            left: nil,
            then: "nothing: play finds a race")
    }

    private func wait(of index: RoomIndex) -> WaitReason {
        let room = self.rooms[index]
        func reason(_ what: WaitKind, _ seats: some Sequence<Seat>, _ then: String) -> WaitReason {
            let names = seats.map { room.alias(at: $0).text }
            return WaitReason(
                waitingFor: names.isEmpty ? "anyone" : names.joined(separator: ","), what: what,
                since: self.seconds(since: room.clockStarted),
                left: room.clockDue.map { self.seconds(until: $0) }, then: then)
        }
        switch room.match.phase {
        case .waitingForMatch(let gathering):
            let missing = room.match.seats.subtracting(gathering.named)
            return reason(.aliases, missing, "the race goes on with player numbers for names")
        case .waitingForRandomNumber(let draw):
            let silent = draw.drawing.subtracting(draw.received)
            return reason(.number, silent, "the server draws for \(self.names(silent, room))")
        case .waitingForStart(let lineup):
            return reason(.begin, [lineup.seat(of: PlayerNumber(1))], "the server begins the race")
        case .active(let race):
            guard room.match.settings.rule == .turns else {
                return reason(
                    .move, [],
                    race.leader.map { "\(room.alias(at: $0)) wins" } ?? "the race ends without a result")
            }
            let seat = race.lineup.seat(of: race.onTurn)
            let then =
                race.missed.contains(seat)
                ? "\(room.alias(at: seat)) forfeits" : "the server rolls for \(room.alias(at: seat))"
            return reason(.move, [seat], then)
        case .done(let ending):
            return reason(.rematch, room.match.members.subtracting(ending.agreed), "the match is closed")
        }
    }

    private func names(_ seats: SeatSet, _ room: Room) -> String {
        seats.map { room.alias(at: $0).text }.joined(separator: ",")
    }
}
