import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// What operators see of players and matches.
extension RaceServer {
    func playerRows(_ prefix: String) -> OperatorAnswer {
        var rows: [PlayerRow] = []
        var more = 0
        for index in self.players.indices {
            guard prefix.isEmpty || self.players[index].aliasKey.text.hasPrefix(prefix) else { continue }
            guard rows.count < OperatorAnswer.rows else {
                more += 1
                continue
            }
            rows.append(self.row(of: index))
        }
        return .players(rows, more: more)
    }

    private func row(of index: PlayerIndex) -> PlayerRow {
        let player = self.players[index]
        let slot = player.connection.flatMap { self.slot(of: $0) }
        let room = player.room ?? player.watching
        return PlayerRow(
            id: player.id, alias: player.alias, state: self.state(of: index),
            match: room.flatMap { self.rooms.contains($0) ? self.rooms[$0].id : nil },
            address: slot.map { self.connections[$0].address },
            dialect: slot.map { self.connections[$0].dialect.name },
            idle: (self.now - player.lastMessage).seconds)
    }

    func matchRows() -> OperatorAnswer {
        let rows = self.rooms.indices.prefix(OperatorAnswer.rows).map { self.row(of: $0) }
        return .matches(Array(rows), more: self.rooms.count - rows.count)
    }

    private func row(of index: RoomIndex) -> MatchRow {
        let room = self.rooms[index]
        return MatchRow(
            id: room.id, state: room.state, settings: room.match.settings, aliases: room.aliases,
            spectators: room.spectators.count, age: (self.now - room.made).seconds)
    }

    func seatRows(_ match: MatchID) -> OperatorAnswer {
        guard let index = self.roomsByMatch[match] else {
            return .refused(
                "there is no match \(match.value) now: matches lists those there are", code: .noSuchMatch)
        }
        let room = self.rooms[index]
        let race: Race? =
            switch room.match.phase {
            case .active(let race): race
            case .done(let ending): ending.race
            case .waitingForMatch, .waitingForRandomNumber, .waitingForStart: nil
            }
        let rows = room.seats.map { seat in
            let occupant: SeatRow.Occupant =
                switch room.occupants[seat] {
                case .bot: .bot
                case .nobody: .left
                case .player(let player): self.players[player].connection == nil ? .gone : .here
                }
            return SeatRow(
                seat: seat, player: room.playerIDs[seat.index], alias: room.alias(at: seat),
                occupant: occupant, number: room.player(at: seat), position: race?.positions[seat])
        }
        return .match(self.row(of: index), rows)
    }
}
