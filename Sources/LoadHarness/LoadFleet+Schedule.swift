package import RaceModel
import WireProtocol

/// When things are due: connections, races, moves, and the phases of the run.
extension LoadFleet {
    /// When `tick` is due again.
    package var nextDeadline: Instant {
        var next = self.nextSweep
        if let due = self.heap.next { next = min(next, due) }
        if let end = self.phaseEnd { next = min(next, end) }
        if self.phase == .ramp, self.nextConnect < self.plan.players,
            self.connecting < LoadPlan.connectsInFlight
        {
            next = min(next, self.connectDue(self.nextConnect))
        }
        if self.phase == .measuring {
            next = min(next, self.windowEnd)
            if self.plan.racesPerSecond != nil { next = min(next, self.raceDue(self.racesDue)) }
            if self.cuts { next = min(next, self.cutDue(self.cutsDue)) }
        }
        return next
    }

    /// Does all that is due. Early calls are harmless.
    package mutating func tick(now: Instant) {
        self.connectMore(now: now)
        while let entry = self.heap.popDue(now) { self.act(on: entry, now: now) }
        self.takeDueRaces(now: now)
        if self.cuts, self.phase == .measuring { self.cutDueConnections(now: now) }
        if self.nextSweep <= now {
            self.nextSweep = now + Self.sweepInterval
            self.sweep(now: now)
        }
        self.advance(now: now)
    }

    /// The user wants no more: as at the end of the time.
    package mutating func stop(now: Instant) {
        switch self.phase {
        case .ramp:
            self.beginMeasuring(now: now)
            self.finish(now: now)
        case .measuring: self.finish(now: now)
        case .finishing, .leaving, .ended: break
        }
        self.advance(now: now)
    }

    // MARK: Connections

    private func connectDue(_ index: Int) -> Instant {
        let share = Double(index) / Double(max(self.plan.players, 1))
        return self.start + Instant.Span(nanoseconds: Int64(share * self.plan.rampSeconds * 1e9))
    }

    mutating func connectMore(now: Instant) {
        guard self.phase == .ramp else { return }
        while self.nextConnect < self.plan.players, self.connecting < LoadPlan.connectsInFlight,
            self.connectDue(self.nextConnect) <= now
        {
            let player = self.nextConnect
            self.nextConnect += 1
            self.connecting += 1
            self.figures.connectsTried += 1
            self.players[player].state = .connecting
            self.players[player].dueAt = now
            self.connects.append(player)
            if self.nextConnect == self.plan.players { self.phaseEnd = now + LoadPlan.namingPatience }
        }
    }

    // MARK: Races and moves

    /// With a rate: when race number `index` is due. Evenly spread.
    private func raceDue(_ index: Int) -> Instant {
        let rate = self.plan.racesPerSecond ?? 1
        return self.windowStart + Instant.Span(nanoseconds: Int64(Double(index) / rate * 1e9))
    }

    /// Counts the races that have come to be due, and begins them.
    private mutating func takeDueRaces(now: Instant) {
        guard self.phase == .measuring, self.plan.racesPerSecond != nil else { return }
        while self.raceDue(self.racesDue) <= now, self.raceDue(self.racesDue) < self.windowEnd {
            self.racesDue += 1
        }
        self.figures.racesDue = self.racesDue
        self.launchDueRaces(now: now)
    }

    /// A race begun later than this had to wait.
    private static let punctual = Instant.Span.milliseconds(10)

    mutating func launchDueRaces(now: Instant) {
        guard self.phase == .measuring else { return }
        let size = self.plan.raceSize
        while self.racesLaunched < self.racesDue {
            guard self.idle.count >= size else { return }
            let due = self.raceDue(self.racesLaunched)
            if now - due > Self.punctual { self.figures.racesDelayed += 1 }
            self.racesLaunched += 1
            for _ in 0..<size {
                guard let player = self.idle.popLast() else { return }
                self.players[Int(player)].dueAt = due
                self.findRace(Int(player))
            }
        }
    }

    /// On the way back nothing is sent until everything missed is known.
    mutating func takeOwnTurn(_ turn: UInt32, of player: Int, now: Instant) {
        self.players[player].isOnTurn = true
        self.players[player].turn = turn
        if self.players[player].state != .returning { self.planMove(turn: turn, of: player, now: now) }
    }

    /// The move is this player's to make: now, or when it is planned.
    mutating func planMove(turn: UInt32, of player: Int, now: Instant) {
        let race = Int(self.players[player].race)
        guard race >= 0 else { return self.noteNoRace() }
        let due = self.races[race].due
        self.players[player].turn = turn
        if self.plan.movesPerSecond != nil, self.phase == .ramp {
            self.players[player].awaitsWindow = true
            return
        }
        let pace = self.plan.pace
        let planned =
            self.plan.isOpen
            ? due + Instant.Span(nanoseconds: pace.nanoseconds &* Int64(turn)) : now + pace
        self.players[player].plannedAt = planned
        guard planned > now else { return self.move(player, now: now) }
        self.players[player].stamp &+= 1
        self.heap.add(
            DueHeap.Entry(due: planned, player: Int32(player), stamp: self.players[player].stamp))
    }

    private mutating func move(_ player: Int, now: Instant) {
        self.players[player].sentAt = now
        self.players[player].isMoving = true
        self.players[player].isMoveLost = false
        let turn = self.plan.settings.rule == .dash ? 0 : self.players[player].turn
        self.send(.move(turn: turn), from: player)
    }

    private mutating func act(on entry: DueHeap.Entry, now: Instant) {
        let player = Int(entry.player)
        guard self.players[player].stamp == entry.stamp else { return }
        switch self.players[player].state {
        case .racing: self.move(player, now: now)
        case .away: self.reconnect(player, now: now)
        case .queued:
            if self.phase == .ramp || self.phase == .measuring || self.isRaceDue {
                self.findRace(player)
            } else {
                self.quit(player)
            }
        case .absent, .connecting, .naming, .idle, .returning, .leaving, .gone: break
        }
    }

    // MARK: Phases

    /// Goes on to the next phase if this one is over.
    mutating func advance(now: Instant) {
        switch self.phase {
        case .ramp:
            let isLate = self.phaseEnd.map { $0 <= now } ?? false
            guard self.unsettled == 0 || isLate else { return }
            for player in self.players.indices where isLate {
                switch self.players[player].state {
                case .connecting, .naming:
                    self.note(Fault(.late, "a player was not named within 15 s"))
                    self.drop(player, now: now)
                case .absent, .idle, .queued, .racing, .away, .returning, .leaving, .gone: break
                }
            }
            self.beginMeasuring(now: now)
            if self.present <= 0 { self.finish(now: now) }
        case .measuring:
            if self.windowEnd <= now || self.present <= 0 { self.finish(now: now) }
        case .finishing where self.plan.isEndless: self.leave(now: now)
        case .finishing:
            if self.players.allSatisfy({ $0.state == .leaving || $0.state == .gone || $0.state == .absent }) {
                self.leave(now: now)
            } else if let end = self.phaseEnd, end <= now {
                self.figures.racesUnfinished = self.racesByMatch.count
                self.leave(now: now)
            }
        case .leaving:
            if self.players.allSatisfy({ $0.state == .gone || $0.state == .absent }) {
                self.phase = .ended
            } else if let end = self.phaseEnd, end <= now {
                for player in self.players.indices where self.players[player].state == .leaving {
                    self.note(Fault(.late, "a connection was not closed within 5 s of quit"))
                    self.drop(player, now: now)
                }
                self.phase = .ended
            }
        case .ended: break
        }
    }

    private mutating func beginMeasuring(now: Instant) {
        self.phase = .measuring
        self.phaseEnd = nil
        self.windowStart = now
        self.windowEnd = now + .seconds(self.plan.seconds)
        if self.plan.movesPerSecond != nil { self.beginPacedMoves(now: now) }
    }

    /// Endless races in the open model: their first moves are due at the beginning of the window, evenly
    /// spread over the time between two moves of a race.
    private mutating func beginPacedMoves(now: Instant) {
        let pace = self.plan.pace.nanoseconds
        for slot in self.races.indices {
            let share = Double(slot) / Double(self.races.count)
            let first = self.windowStart + Instant.Span(nanoseconds: Int64(share * Double(pace)))
            // Turn 1 is due a pace behind it.
            self.races[slot].due = Instant(nanoseconds: first.nanoseconds - pace)
            self.races[slot].heard = now
        }
        for player in self.players.indices where self.players[player].awaitsWindow {
            self.players[player].awaitsWindow = false
            self.planMove(turn: self.players[player].turn, of: player, now: now)
        }
    }

    /// Whoever is queued is so for a race that was due, and all its players are: it is played, also when it was due
    /// so shortly before the end of the window, or looked at so late, that it is found behind it.
    private var isRaceDue: Bool { self.plan.racesPerSecond != nil }

    private mutating func finish(now: Instant) {
        self.takeDueRaces(now: now)
        self.phase = .finishing
        self.phaseEnd = now + LoadPlan.finishPatience
        if self.cuts { self.phaseEnd = now + self.plan.away + LoadPlan.finishPatience }
        self.windowEnd = min(self.windowEnd, now)
        self.figures.racesNeverBegun = self.racesDue - self.racesLaunched
        // Load that was asked for and never made would otherwise be in no figure.
        for _ in 0..<self.figures.racesNeverBegun {
            self.note(Fault(.late, "a race that was due was never begun, for want of free players"))
        }
        for player in self.players.indices {
            switch self.players[player].state {
            case .idle: self.quit(player)
            case .queued: if !self.isRaceDue { self.send(.cancelFind, from: player) }
            case .connecting, .naming:
                self.drop(player, now: now)
            case .absent, .racing, .away, .returning, .leaving, .gone: break
            }
        }
    }

    private mutating func leave(now: Instant) {
        self.phase = .leaving
        self.phaseEnd = now + LoadPlan.leavePatience
        for player in self.players.indices {
            switch self.players[player].state {
            case .idle, .queued, .racing:
                if self.players[player].state == .queued, self.isRaceDue {
                    self.note(Fault(.late, "a player of a race that was due was in none by the end"))
                }
                self.leaveRace(player)
                self.quit(player)
            case .connecting, .naming, .away, .returning:
                self.noteNeverBack(player)
                self.drop(player, now: now)
            case .absent, .leaving, .gone: break
            }
        }
    }
}
