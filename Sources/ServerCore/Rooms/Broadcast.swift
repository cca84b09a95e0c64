import MatchRules
import RaceModel
import WireProtocol

/// What is being told to everybody in a room: each message is encoded once a dialect, and everybody gets the
/// same bytes.
struct Broadcast: Sendable {
    let room: RoomIndex
    /// Whether anyone in the room reads this dialect.
    var hasBinary = false
    var hasText = false
    /// One step in a dash, and nothing else: spared to who has not read those before.
    var isStep = false
    /// How the race ended is told next, behind its result: who misses steps is told all of it only there.
    var isAheadOfEnd = false
    /// Where the bytes not yet handed out begin.
    var start: Int
    /// Notes for single people, behind what everybody is told.
    var notes: [(ConnectionID, String)] = []
}

extension RaceServer {
    func openBroadcast(_ room: RoomIndex) -> Broadcast {
        var broadcast = Broadcast(room: room, start: self.outbox.bytes.count)
        self.lookAround(&broadcast)
        return broadcast
    }

    /// Everyone in a room is told, in order, before anything else goes into the outbox.
    mutating func announce(_ message: ServerMessage, _ broadcast: inout Broadcast) {
        if broadcast.hasBinary { BinaryEncoder.append(message, to: &self.outbox.bytes) }
        if broadcast.hasText {
            LineEncoder.append(message, names: self.rooms[broadcast.room].names, to: &self.textScratch)
        }
    }

    // The two of every move, without a message around them.

    mutating func announce(_ moved: Moved, _ broadcast: inout Broadcast) {
        if broadcast.hasBinary { BinaryEncoder.append(moved, to: &self.outbox.bytes) }
        if broadcast.hasText {
            LineEncoder.append(moved, names: self.rooms[broadcast.room].names, to: &self.textScratch)
        }
    }

    mutating func announce(_ turn: TurnStarted, _ broadcast: inout Broadcast) {
        if broadcast.hasBinary { BinaryEncoder.append(turn, to: &self.outbox.bytes) }
        if broadcast.hasText {
            LineEncoder.append(turn, names: self.rooms[broadcast.room].names, to: &self.textScratch)
        }
    }

    /// Hands out what was announced. Needed before anyone is told something alone, and before someone leaves
    /// the room.
    mutating func flush(_ broadcast: inout Broadcast) {
        let binary = broadcast.start..<self.outbox.bytes.count
        let textStart = self.outbox.bytes.count
        if !self.textScratch.isEmpty {
            self.outbox.bytes.append(contentsOf: self.textScratch)
            self.textScratch.removeAll(keepingCapacity: true)
        }
        let text = textStart..<self.outbox.bytes.count
        if !binary.isEmpty || !text.isEmpty {
            let occupants = self.rooms[broadcast.room].occupants
            for seat in self.rooms[broadcast.room].seats {
                guard case .player(let player) = occupants[seat] else { continue }
                if self.players[player].pace != .abreast, self.spares(player, broadcast) { continue }
                self.handOut(binary, text, to: player)
            }
            for spectator in self.rooms[broadcast.room].spectators {
                self.handOut(binary, text, to: spectator)
            }
        }
        if !broadcast.notes.isEmpty {
            for (connection, note) in broadcast.notes { self.note(note, to: connection) }
            broadcast.notes = []
        }
        broadcast.start = self.outbox.bytes.count
    }

    mutating func addNote(_ text: String, to player: PlayerIndex, _ broadcast: inout Broadcast) {
        guard broadcast.hasText, let id = self.players[player].connection else { return }
        broadcast.notes.append((id, text))
    }

    // Inlined: it is all there is to do for each of those who are told of a move.
    @inline(__always)
    private mutating func handOut(_ binary: Range<Int>, _ text: Range<Int>, to player: PlayerIndex) {
        guard let id = self.players[player].connection else { return }
        let range = self.players[player].readsText ? text : binary
        if !range.isEmpty { self.outbox.outputs.append(.send(id, range)) }
    }

    /// Behind every change of who is in the room.
    func lookAround(_ broadcast: inout Broadcast) {
        broadcast.hasBinary = false
        broadcast.hasText = false
        let occupants = self.rooms[broadcast.room].occupants
        for seat in self.rooms[broadcast.room].seats {
            if case .player(let player) = occupants[seat] { self.include(player, &broadcast) }
        }
        for spectator in self.rooms[broadcast.room].spectators { self.include(spectator, &broadcast) }
    }

    private func include(_ player: PlayerIndex, _ broadcast: inout Broadcast) {
        guard self.players[player].connection != nil else { return }
        if self.players[player].readsText {
            broadcast.hasText = true
        } else {
            broadcast.hasBinary = true
        }
    }
}
