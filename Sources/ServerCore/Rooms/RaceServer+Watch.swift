import RaceModel
import WireProtocol

/// Spectators see what players see, and can do nothing else.
extension RaceServer {
    mutating func watch(_ match: MatchID, _ who: Requester) {
        if self.players[who.player].room != nil {
            return self.refuse(
                .alreadyInMatch, "you are in a match yourself: leave it to watch another",
                request: who.request,
                to: who.connection)
        }
        guard let room = self.roomsByMatch[match], self.rooms[room].state != .waitingForMatch else {
            return self.refuse(
                .noSuchMatch, "there is no match \(match.value) now: matches lists those there are",
                request: who.request, to: who.connection)
        }
        guard
            self.players[who.player].watching == room
                || self.rooms[room].spectators.count < Limits.spectatorsPerMatch
        else {
            return self.refuse(
                .full,
                "match \(match.value) has \(Limits.spectatorsPerMatch) spectators, which is all it can have",
                request: who.request, to: who.connection)
        }
        self.stopWatching(who.player)
        self.rooms[room].spectators.append(who.player)
        self.players[who.player].watching = room
        self.waitForResult(of: room, who.player)
        self.sendSnapshot(of: room, for: nil, to: who.player)
    }

    mutating func unwatch(_ who: Requester) {
        guard self.players[who.player].watching != nil else {
            return self.refuse(
                .notInMatch, "you watch no match: watch 7 begins", request: who.request, to: who.connection)
        }
        self.stopWatching(who.player)
        self.send(.stopped(.watch), to: who.player)
    }

    /// Quietly; nobody in the match notices.
    mutating func stopWatching(_ player: PlayerIndex) {
        guard let room = self.players[player].watching else { return }
        self.players[player].watching = nil
        if self.rooms.contains(room) { self.rooms[room].spectators.removeAll { $0 == player } }
    }

    /// The match is gone.
    mutating func dismissSpectators(of room: RoomIndex) {
        let spectators = self.rooms[room].spectators
        self.rooms[room].spectators = []
        for spectator in spectators {
            self.players[spectator].watching = nil
            self.send(.stopped(.watch), to: spectator)
        }
    }
}
