import RaceModel
import WireProtocol

/// A server that is restarted under the run: who loses a connection comes back, and nothing may be lost by it.
extension LoadFleet {
    private static let firstPause = Instant.Span.milliseconds(250)
    private static let longestPause = Instant.Span.seconds(4)
    /// For an answer on a connection that stands: whoever holds the server's socket may start it only then.
    static let restartPatience = Instant.Span.seconds(20)

    /// A connection is gone, or never stood.
    ///
    /// - Returns: false when this run bears no restarts, or the player has no key to come back with.
    mutating func bearLoss(of player: Int, _ end: End, now: Instant) -> Bool {
        guard self.plan.bearsRestarts, self.phase != .leaving, self.phase != .ended,
            self.comebacks[player].key != nil
        else { return false }
        switch self.players[player].state {
        case .idle, .queued, .racing: break
        case .returning: break
        case .absent, .connecting, .naming, .away, .leaving, .gone: return false
        }
        if case .notConnected(let fault) = end {
            if fault.group == .clientLimit { self.note(fault) }
            self.figures.restarts.connectsRefused += 1
        } else {
            self.figures.restarts.connectionsLost += 1
        }
        self.goAway(player, now: now)
        return true
    }

    private mutating func goAway(_ player: Int, now: Instant) {
        if self.comebacks[player].lostAt == nil {
            if self.figures.restarts.away == 0 { self.figures.restarts.seen += 1 }
            self.figures.restarts.away += 1
            self.comebacks[player].lostAt = now
            self.comebacks[player].attempts = 0
        }
        if self.players[player].state == .idle { self.idle.removeAll { $0 == Int32(player) } }
        self.inputs[player] = LoadInput()
        self.players[player].isPrefaceRead = false
        self.players[player].state = .away
        let race = Int(self.players[player].race)
        if race >= 0 {
            self.races[race].isDisturbed = true
            self.races[race].away.insert(Seat(self.players[player].seat))
        }
        self.players[player].stamp &+= 1
        self.heap.add(
            DueHeap.Entry(
                due: now + self.nextPause(of: player), player: Int32(player),
                stamp: self.players[player].stamp))
    }

    /// Doubles with every attempt, and is spread from half of it to all of it, so that not all come at once.
    private mutating func nextPause(of player: Int) -> Instant.Span {
        let attempts = self.comebacks[player].attempts
        self.comebacks[player].attempts = min(attempts + 1, 10)
        let whole = min(Self.firstPause.nanoseconds << Int64(attempts), Self.longestPause.nanoseconds)
        let spread = Int64(self.dropGenerator.below(UInt64(whole / 2)))
        return Instant.Span(nanoseconds: whole / 2 + spread)
    }

    /// In the seat again, or free as before.
    mutating func noteBack(_ player: Int, now: Instant) {
        guard self.plan.bearsRestarts, let lost = self.comebacks[player].lostAt.take() else { return }
        self.comebacks[player].attempts = 0
        self.figures.restarts.away -= 1
        self.figures.restarts.backAfter.add(now - lost)
        if self.players[player].race >= 0 {
            self.figures.restarts.returnedToRace += 1
        } else {
            self.figures.restarts.returnedFree += 1
        }
    }

    /// The seat is not there any more.
    mutating func noteLostInRestart(_ player: Int) {
        guard self.plan.bearsRestarts else { return }
        if self.comebacks[player].lostAt.take() != nil { self.figures.restarts.away -= 1 }
        self.figures.restarts.seatsLost += 1
        let race = Int(self.players[player].race)
        guard race >= 0, !self.races[race].isLost else { return }
        self.races[race].isLost = true
        self.figures.restarts.racesLost += 1
    }

    /// Whoever is still away when the run is over.
    mutating func noteNeverBack(_ player: Int) {
        guard self.plan.bearsRestarts, self.comebacks[player].lostAt != nil else { return }
        self.figures.restarts.neverBack += 1
        self.note(Fault(.seatLost, "not back when the run was over"))
    }

    /// A race that began while the player was losing the connection: the first that is heard of it.
    mutating func joinUnseenRace(_ snapshot: Snapshot, at player: Int, now: Instant) {
        guard self.plan.bearsRestarts, self.players[player].race < 0, let seat = snapshot.ownSeat else {
            return
        }
        self.takeSeat(seat, player)
        self.joinRace(
            MatchFound(
                match: snapshot.match, ownSeat: seat, settings: snapshot.settings, seal: snapshot.seal,
                seats: snapshot.runners.map {
                    SeatEntry(seat: $0.seat, player: $0.player, alias: $0.alias)
                }), at: player, now: now)
        let race = Int(self.players[player].race)
        self.races[race].isDisturbed = true
        guard self.races[race].witnessMember == Int32(player) else { return }
        self.races[race].witnessMember = -1
        self.witnesses[race] = nil
        self.figures.drops.racesUnwitnessed += 1
    }

    /// What a server says on its way to a restart, and what it may refuse then.
    func isOfRestart(_ message: ServerMessage) -> Bool {
        guard self.plan.bearsRestarts else { return false }
        switch message {
        case .notice(.draining, _, _), .bye(.shutdown, _): return true
        case .error(let reply): return reply.code == .draining
        default: return false
        }
    }

    mutating func takeNewsOfRestart(_ message: ServerMessage, at player: Int, now: Instant) {
        if case .error = message, self.players[player].state == .queued { self.seekLater(player, now: now) }
    }

    /// Out of the queue: of their own will at the end of a run, and before that because the server drains.
    mutating func leaveQueue(_ player: Int, now: Instant) {
        let isDraining = self.plan.bearsRestarts && self.phase != .finishing
        if isDraining { self.seekLater(player, now: now) } else { self.quit(player) }
    }

    /// Looks for a race again a little later.
    mutating func seekLater(_ player: Int, now: Instant) {
        self.players[player].stamp &+= 1
        self.heap.add(
            DueHeap.Entry(
                due: now + LoadPlan.retryAfter, player: Int32(player), stamp: self.players[player].stamp))
    }
}
