import Fairness
import MatchRules
import RaceModel
import Records
import WireProtocol

/// What another process needs to go on with the races of this one.
extension RaceServer {
    /// Every match whose players know of it and which is not over; not those that are too long for their log.
    func savedMatches() -> [SavedMatch] { self.rooms.indices.compactMap { self.saved($0) } }

    private func saved(_ index: RoomIndex) -> SavedMatch? {
        let room = self.rooms[index]
        guard room.recordDigest == nil else { return nil }
        var saved = SavedMatch(
            found: self.found(index, for: nil), request: room.request, nonce: room.chance.nonce.nonce,
            holders: [], numbers: room.numbers, hidden: [], hasBegun: false, events: room.log)
        switch room.match.phase {
        case .waitingForMatch, .done: return nil
        case .waitingForRandomNumber(let draw):
            saved.hidden = draw.received.map { seat in
                RevealedNumber(
                    round: draw.round, seat: seat, number: draw.number(of: seat),
                    drawnByServer: draw.byServer.contains(seat))
            }
        case .waitingForStart: break
        case .active: saved.hasBegun = true
        }
        saved.holders = room.match.seats.map { seat in
            guard case .player(let player) = room.occupants[seat] else { return nil }
            return SavedMatch.Holder(
                keyDigest: self.players[player].keyDigest, hasRaced: self.players[player].hasRaced)
        }
        return saved
    }
}
