import ClientCore
import RaceModel
import Records
import WireProtocol

/// Races as all their players see them: when each move had reached everybody, and whether all were told the
/// same.
extension LoadFleet {
    mutating func joinRace(_ found: MatchFound, at player: Int, now: Instant) {
        var slot = self.racesByMatch[found.match] ?? -1
        if slot < 0 {
            var members = InlineArray<8, Int32>(repeating: -1)
            for entry in found.seats where entry.seat.index < 8 {
                members[entry.seat.index] = self.playersByID[entry.player] ?? -1
                if members[entry.seat.index] < 0 { self.figures.strangers += 1 }
            }
            var race = LoadRace(match: found.match, members: members, now: now)
            self.racesFound += 1
            let isChecked = self.racesFound % LoadPlan.checkedOneIn == 0
            race.witnessMember = isChecked ? Int32(player) : -1
            if let free = self.freeRaces.popLast() {
                slot = free
                self.races[Int(slot)] = race
            } else {
                slot = Int32(self.races.count)
                self.races.append(race)
                self.witnesses.append(nil)
            }
            if isChecked { self.witnesses[Int(slot)] = RaceWitness(found: found) }
            self.racesByMatch[found.match] = slot
        }
        self.players[player].race = slot
        if self.plan.racesPerSecond != nil {
            let due = self.players[player].dueAt
            self.races[Int(slot)].due = min(self.races[Int(slot)].due, due)
        }
        self.races[Int(slot)].heard = now
    }

    /// Each race's own events are numbered without gaps.
    mutating func follow(_ sequence: UInt32, at player: Int, now: Instant) {
        let last = self.players[player].sequence
        if sequence != last &+ 1 {
            self.note(Fault(.protocolFault, "an event is missing"), "event \(sequence) came behind \(last)")
        }
        self.players[player].sequence = sequence
        let race = Int(self.players[player].race)
        if race >= 0 { self.races[race].heard = now }
    }

    mutating func takeMoved(_ moved: Moved, at player: Int, now: Instant) {
        self.follow(moved.sequence, at: player, now: now)
        let race = Int(self.players[player].race)
        guard race >= 0, (0..<8).contains(moved.player.index) else { return self.noteNoRace() }
        if moved.automatic, !self.races[race].isDisturbed {
            self.note(Fault(.race, "the server rolled for a player"))
        }
        self.deliver(moved, to: player, in: race, now: now)
        guard moved.player.value == self.players[player].number else { return }
        self.players[player].isOnTurn = false
        if self.comesBack { self.comebacks[player].hasRepeated = false }
        if self.plan.settings.rule == .dash, moved.position < self.plan.settings.finish {
            self.takeOwnTurn(moved.position &+ 1, of: player, now: now)
        }
    }

    private mutating func deliver(_ moved: Moved, to player: Int, in race: Int, now: Instant) {
        let seat = Seat(self.players[player].seat)
        var agrees = true
        var delivery = self.races[race].deliver(
            moved.sequence, position: moved.position, to: seat, agrees: &agrees)
        if case .first = delivery {
            guard let flight = self.takeOff(moved, at: player, in: race) else { return }
            self.races[race].flights.append(flight)
            delivery = self.races[race].deliver(
                moved.sequence, position: moved.position, to: seat, agrees: &agrees)
        }
        if !agrees { self.note(Fault(.disagreement, "where a move led")) }
        if case .landed(let flight) = delivery, !flight.isLost { self.land(flight, in: race, now: now) }
    }

    /// The first that anyone hears of a move; nil for those that none of us sent.
    private mutating func takeOff(_ moved: Moved, at player: Int, in race: Int) -> LoadRace.Flight? {
        let seat = self.races[race].order[moved.player.index]
        guard seat > 0, !moved.automatic else { return nil }
        let mover = Int(self.races[race].members[Int(seat) - 1])
        guard mover >= 0 else { return nil }
        if self.races[race].isDisturbed, mover != player, Int(self.players[mover].race) == race,
            self.players[mover].sequence >= moved.sequence
        {
            // The mover knows it from a snapshot, and may be on its way with the next one.
            return nil
        }
        guard self.players[mover].isMoving else {
            if self.races[race].isDisturbed, Int(self.players[mover].race) == race {
                self.note(Fault(.race, "a move was played that was not sent, or played twice"))
            }
            return nil
        }
        self.players[mover].isMoving = false
        var missing = self.races[race].present
        if self.races[race].isDisturbed {
            self.excludeInformed(of: moved, but: player, in: race, from: &missing)
        }
        return LoadRace.Flight(
            sequence: moved.sequence, position: moved.position, planned: self.players[mover].plannedAt,
            sent: self.players[mover].sentAt, missing: missing,
            isLost: self.players[mover].isMoveLost)
    }

    mutating func land(_ flight: LoadRace.Flight, in race: Int, now: Instant) {
        self.figures.movesDeliveredInAll += 1
        if self.phase == .measuring { self.figures.movesDelivered += 1 }
        // It took as long as somebody stayed away, which says nothing about the server.
        if self.races[race].wasSomeoneAway(since: flight.planned) {
            self.figures.drops.movesAround += 1
            return
        }
        // Each move belongs to the window it was due in, however late it came.
        guard self.phase != .ramp, flight.planned >= self.windowStart, flight.planned < self.windowEnd else {
            return
        }
        self.figures.latency.add(now - flight.planned)
        if self.plan.isOpen { self.figures.fromSending.add(now - flight.sent) }
    }

    mutating func takeOver(_ over: GameOver, at player: Int, now: Instant) {
        self.follow(over.sequence, at: player, now: now)
        let race = Int(self.players[player].race)
        guard race >= 0 else { return self.noteNoRace() }
        let winner = over.outcome.winner?.value ?? 0
        if let told = self.races[race].winner {
            if told != winner { self.note(Fault(.disagreement, "who has won")) }
        } else {
            self.races[race].winner = winner
            self.figures.racesFinishedInAll += 1
            if self.phase == .measuring { self.figures.racesFinished += 1 }
            if over.outcome.reason != .finish, self.figures.drops.seatsLost == 0 {
                self.note(Fault(.race, "ended without a finish (\(over.outcome.reason))"))
            }
        }
        if self.players[player].state == .returning { self.noteReturn(player, into: .done, now: now) }
        self.players[player].isOvertaken = self.players[player].isMoving
        self.players[player].isMoving = false
        self.leaveRace(player)
        self.becomeIdle(player, now: now)
        self.advance(now: now)
    }

    /// The race is forgotten with the last of its players.
    mutating func leaveRace(_ player: Int) {
        let slot = Int(self.players[player].race)
        self.players[player].race = -1
        self.players[player].isMoving = false
        self.players[player].stamp &+= 1
        guard slot >= 0 else { return }
        self.races[slot].remove(Seat(self.players[player].seat))
        if self.races[slot].witnessMember == Int32(player) {
            self.races[slot].witnessMember = -1
            self.witnesses[slot] = nil
        }
        if self.races[slot].isForgotten {
            self.racesByMatch[self.races[slot].match] = nil
            self.freeRaces.append(Int32(slot))
        }
    }

    // MARK: Checks

    /// Keeps what the checks of a race need, at the one of its players who is its witness.
    mutating func observe(_ message: ServerMessage, at player: Int) {
        let slot = Int(self.players[player].race)
        guard slot >= 0, self.races[slot].witnessMember == Int32(player) else { return }
        self.witnesses[slot]?.observe(message)
        guard case .gameOver(let over) = message, let witness = self.witnesses[slot] else { return }
        self.witnesses[slot] = nil
        self.figures.racesChecked += 1
        let report = RaceCheck(witness: witness, over: over).report()
        for line in report.lines {
            switch line.verdict {
            case .passed: break
            case .failed: self.note(Fault(.verification, line.subject.name), report.summary)
            case .notPossible:
                self.note(Fault(.verification, "\(line.subject.name) not possible"), report.summary)
            }
        }
    }

    /// Whether somebody is away, or was until a moment ago: what is missing since then comes with the return.
    private func isExcused(_ sent: Instant, in race: Int, now: Instant) -> Bool {
        guard race >= 0, self.races[race].wasSomeoneAway(since: sent) else { return false }
        return !self.races[race].away.isEmpty || now - self.races[race].lastBack <= LoadPlan.lostAfter
    }

    /// Finds what never came.
    mutating func sweep(now: Instant) {
        if self.comesBack { self.sweepReturns(now: now) }
        for index in self.players.indices where self.players[index].isMoving {
            guard !self.players[index].isMoveLost,
                now - self.players[index].sentAt > LoadPlan.lostAfter,
                !self.isExcused(self.players[index].sentAt, in: Int(self.players[index].race), now: now)
            else { continue }
            self.players[index].isMoveLost = true
            self.note(Fault(.lostDelivery, "a move that nobody was told of within 5 s"))
        }
        for slot in self.races.indices where !self.races[slot].isForgotten {
            for index in self.races[slot].flights.indices {
                let flight = self.races[slot].flights[index]
                guard !flight.isLost, now - flight.sent > LoadPlan.lostAfter,
                    !self.isExcused(flight.sent, in: slot, now: now)
                else { continue }
                self.races[slot].flights[index].isLost = true
                self.note(Fault(.lostDelivery, "a move that not everybody was told of within 5 s"))
            }
            // Endless races in the open model wait for the window.
            if self.plan.movesPerSecond != nil, self.phase == .ramp { continue }
            if !self.races[slot].isStalled, self.races[slot].away.isEmpty,
                now - self.races[slot].heard > LoadPlan.stalledAfter
            {
                self.races[slot].isStalled = true
                let match = self.races[slot].match.value
                self.note(Fault(.race, "nothing heard of it for 10 s"), "match \(match)")
            }
        }
    }
}
