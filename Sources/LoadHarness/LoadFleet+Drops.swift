package import RaceModel
import WireProtocol

/// Connections that the run cuts itself, and what is no fault for it.
extension LoadFleet {
    /// Whether this run cuts connections at all.
    var cuts: Bool { self.plan.dropsPerSecond != nil }
    /// Whether players come back, after a cut or a restart.
    var comesBack: Bool { self.cuts || self.plan.bearsRestarts }

    // MARK: Going

    /// When cut number `index` is due. Evenly spread over the window.
    func cutDue(_ index: Int) -> Instant {
        let rate = self.plan.dropsPerSecond ?? 1
        return self.windowStart + Instant.Span(nanoseconds: Int64(Double(index + 1) / rate * 1e9))
    }

    mutating func cutDueConnections(now: Instant) {
        while self.cutDue(self.cutsDue) <= now, self.cutDue(self.cutsDue) < self.windowEnd {
            self.cutsDue += 1
            guard let player = self.someoneRacing() else {
                self.figures.drops.skipped += 1
                continue
            }
            self.cut(player, now: now)
        }
    }

    private mutating func someoneRacing() -> Int? {
        let count = UInt64(self.players.count)
        var place = 0
        // Most are in a race, as a rule; where few are, the next one from anywhere will do.
        for _ in 0..<32 {
            place = Int(self.dropGenerator.below(count))
            if self.players[place].state == .racing { return place }
        }
        let last = place
        return self.players.indices.lazy.map { (last + $0) % Int(count) }
            .first { self.players[$0].state == .racing }
    }

    /// Cuts the connection of a player in a race with a reset; they come back after the pause.
    package mutating func cut(_ player: Int, now: Instant) {
        guard self.cuts, self.players[player].state == .racing else { return }
        self.figures.drops.cut += 1
        self.closes.append(player)
        self.inputs[player] = LoadInput()
        self.players[player].isPrefaceRead = false
        self.players[player].state = .away
        let race = Int(self.players[player].race)
        if race >= 0 {
            self.races[race].isDisturbed = true
            self.races[race].away.insert(Seat(self.players[player].seat))
        }
        // What was planned is void: what is to be done is seen on return.
        self.players[player].stamp &+= 1
        self.heap.add(
            DueHeap.Entry(
                due: now + self.plan.away, player: Int32(player), stamp: self.players[player].stamp))
    }

    // MARK: What others are told meanwhile

    mutating func noteSeatLost(_ kind: String, _ example: String) {
        self.figures.drops.seatsLost += 1
        self.note(Fault(.seatLost, kind), example)
    }

    /// Whether one of this player's race was cut off on purpose, so that the server may have to act for them.
    func isDisturbed(_ player: Int) -> Bool {
        let race = Int(self.players[player].race)
        return race >= 0 && self.races[race].isDisturbed
    }

    /// A snapshot may have told somebody of a move before anyone else heard of it.
    func excludeInformed(of moved: Moved, but player: Int, in race: Int, from missing: inout SeatSet) {
        for index in 0..<8 {
            let member = Int(self.races[race].members[index])
            guard member >= 0, member != player, Int(self.players[member].race) == race,
                self.players[member].sequence >= moved.sequence
            else { continue }
            missing.remove(Seat(index: index))
        }
    }

    /// Whether somebody this player raced with was cut off on purpose; behind the race, too, for the server may
    /// know of its end before the one who was cut off does.
    func mayHearOfGoing(_ player: Int) -> Bool {
        // A server that stops closes one connection after the other.
        self.plan.bearsRestarts || self.isDisturbed(player) || (self.cuts && self.players[player].race < 0)
    }

    /// Whether a refusal only says that the same request counted before the connection was cut.
    mutating func isRefusedRepeat(
        _ request: ClientMessageNumber?, _ code: ErrorCode, at player: Int
    ) -> Bool {
        guard self.comesBack, self.comebacks[player].hasRepeated else { return false }
        switch (request, code) {
        case (.randomNumber, .alreadyDrew), (.randomNumber, .wrongRound), (.randomNumber, .wrongState),
            (.gameBegin, .wrongState), (.move, .staleTurn):
            self.figures.drops.repeatsRefused += 1
            if request == .move { self.players[player].isMoving = false }
            return true
        default: return false
        }
    }
}
