import ClientCore
import RaceModel
import Records
import WireProtocol

/// How players whose connection was cut come back into their seats.
extension LoadFleet {
    mutating func reconnect(_ player: Int, now: Instant) {
        self.players[player].state = .returning
        self.comebacks[player].askedAt = now
        self.comebacks[player].snapshotState = nil
        self.comebacks[player].lastRound = 0
        self.comebacks[player].numbers = []
        self.comebacks[player].ownNumber = nil
        self.connects.append(player)
    }

    /// Behind the greeting, on the new connection.
    mutating func sayHelloAgain(_ player: Int) {
        self.send(
            .hello(
                Hello(
                    name: "\(self.aliasPrefix)\(player)", key: self.comebacks[player].key,
                    lastSeen: self.players[player].sequence)), from: player)
        // Answered behind all that the return brings: whoever is not back by then has no seat any more.
        self.comebacks[player].awaitsReason = true
        self.send(.why, from: player)
    }

    /// What a player is sent on the way back, before being back; false: to be taken like any other message.
    mutating func takeReturning(_ message: ServerMessage, at player: Int, now: Instant) -> Bool {
        switch message {
        case .welcome(let id, _, _):
            if id != self.players[player].id { self.note(Fault(.protocolFault, "back as somebody else")) }
            return true
        case .snapshot(let snapshot):
            self.takeSnapshot(snapshot, at: player, now: now)
            return true
        case .randomNumber(let revealed):
            self.comebacks[player].note(revealed, ownSeat: self.players[player].seat)
            return false
        case .playerBack(let presence) where presence.seat.value == self.players[player].seat:
            self.settle(player, now: now)
            return true
        default: return false
        }
    }

    /// It replaces what this player knew.
    private mutating func takeSnapshot(_ snapshot: Snapshot, at player: Int, now: Instant) {
        self.joinUnseenRace(snapshot, at: player, now: now)
        if self.plan.bearsRestarts { self.players[player].state = .returning }
        let race = Int(self.players[player].race)
        guard race >= 0, self.races[race].match == snapshot.match,
            snapshot.ownSeat?.value == self.players[player].seat
        else { return self.note(Fault(.protocolFault, "a snapshot of another match or seat")) }
        let known = self.players[player].sequence
        if snapshot.sequence < known {
            self.note(
                Fault(.protocolFault, "a snapshot older than what was seen"),
                "event \(snapshot.sequence), and \(known) was seen")
        }
        self.comebacks[player].snapshotState = snapshot.state
        // The end of a race is told behind its snapshot, with the number the snapshot ends with.
        self.players[player].sequence =
            snapshot.state == .done ? snapshot.sequence &- 1 : snapshot.sequence
        for runner in snapshot.runners where runner.seat.index < 8 {
            guard let number = runner.number, (0..<8).contains(number.index) else { continue }
            let known = self.races[race].order[number.index]
            if known != 0, known != runner.seat.value { self.note(Fault(.disagreement, "the order")) }
            self.races[race].order[number.index] = runner.seat.value
            guard runner.seat.value == self.players[player].seat else { continue }
            self.players[player].number = number.value
            if self.plan.settings.rule == .dash {
                if runner.position >= self.players[player].turn { self.players[player].isMoving = false }
                self.players[player].turn = runner.position &+ 1
            }
        }
        if self.plan.settings.rule == .turns, snapshot.turn > 0 {
            let isOwn = snapshot.onTurn?.value == self.players[player].number
            self.players[player].isOnTurn = isOwn
            // Another turn than the one that was answered: the answer counted.
            if !isOwn || snapshot.turn != self.players[player].turn { self.players[player].isMoving = false }
            if isOwn { self.players[player].turn = snapshot.turn }
        }
        // The moves it shows need not be told one by one.
        let landed = self.races[race].absorb(
            upTo: snapshot.sequence, at: Seat(self.players[player].seat))
        for flight in landed where !flight.isLost { self.land(flight, in: race, now: now) }
        if self.races[race].witnessMember == Int32(player),
            self.witnesses[race]?.continues(with: snapshot) == false
        {
            self.races[race].witnessMember = -1
            self.witnesses[race] = nil
            self.figures.drops.racesUnwitnessed += 1
        }
    }

    /// Everything that was missed is known: plays on from there.
    private mutating func settle(_ player: Int, now: Instant) {
        guard self.players[player].race >= 0 else { return self.noteNoRace() }
        self.noteReturn(player, into: self.comebacks[player].snapshotState ?? .active, now: now)
        self.players[player].state = .racing
        switch self.comebacks[player].snapshotState {
        case .waitingForRandomNumber:
            if let round = self.comebacks[player].openRound {
                self.comebacks[player].hasRepeated = true
                self.sendNumber(round: round, of: player)
            }
        case .waitingForStart:
            if self.players[player].number == 1 {
                self.comebacks[player].hasRepeated = true
                self.send(.gameBegin, from: player)
            }
        case .active, nil: self.playOn(player, now: now)
        case .waitingForMatch, .done:
            self.note(Fault(.protocolFault, "back in a match whose state was not told"))
        }
    }

    /// The move that is still to be made. One that was on its way with the cut connection did not count, or
    /// the events would have told of it.
    private mutating func playOn(_ player: Int, now: Instant) {
        switch self.plan.settings.rule {
        case .turns: guard self.players[player].isOnTurn else { return }
        case .dash: guard self.players[player].turn <= self.plan.settings.finish else { return }
        }
        if self.players[player].isMoving {
            self.figures.drops.movesSentAgain += 1
            self.players[player].isMoving = false
        }
        self.comebacks[player].hasRepeated = true
        self.planMove(turn: self.players[player].turn, of: player, now: now)
    }

    /// The player is told of everything, in the seat or by the end of the race.
    mutating func noteReturn(_ player: Int, into state: MatchState, now: Instant) {
        self.figures.drops.returnsByState[Int(state.rawValue)] += 1
        if self.comebacks[player].snapshotState == nil {
            self.figures.drops.returnedByEvents += 1
        } else {
            self.figures.drops.returnedBySnapshot += 1
        }
        self.figures.drops.comingBack.add(now - self.comebacks[player].askedAt)
        self.noteBack(player, now: now)
        self.endAbsence(player, now: now)
    }

    private mutating func endAbsence(_ player: Int, now: Instant) {
        let race = Int(self.players[player].race)
        guard race >= 0 else { return }
        self.races[race].away.remove(Seat(self.players[player].seat))
        self.races[race].lastBack = now
        self.races[race].heard = now
    }

    /// The answer to `why`. A player who was not let into the seat until now has none any more.
    mutating func takeReason(_ reason: WaitReason, at player: Int, now: Instant) {
        guard self.comesBack, self.comebacks[player].awaitsReason else {
            return self.note(Fault(.protocolFault, "an answer that nothing asked for"))
        }
        self.comebacks[player].awaitsReason = false
        guard self.players[player].state == .returning else { return }
        let race = Int(self.players[player].race)
        if race < 0, self.plan.bearsRestarts {
            // There was none before.
            self.noteBack(player, now: now)
        } else if race >= 0, self.races[race].winner != nil {
            self.noteBack(player, now: now)
            self.figures.drops.endedWhileAway += 1
            self.figures.drops.comingBack.add(now - self.comebacks[player].askedAt)
        } else {
            self.noteLostInRestart(player)
            self.noteSeatLost("not in the match after the return", "waits for \(reason.what)")
        }
        self.endAbsence(player, now: now)
        if race >= 0, self.races[race].witnessMember == Int32(player) {
            self.figures.drops.racesUnwitnessed += 1
        }
        self.leaveRace(player)
        self.becomeIdle(player, now: now)
        self.advance(now: now)
    }

    /// Finds returns that came to nothing.
    mutating func sweepReturns(now: Instant) {
        let patience = self.plan.bearsRestarts ? Self.restartPatience : LoadPlan.lostAfter
        for player in self.players.indices where self.players[player].state == .returning {
            guard now - self.comebacks[player].askedAt > patience else { continue }
            self.note(
                Fault(.late, "a player who came back was not let in within \(patience.seconds) s"))
            self.noteLostInRestart(player)
            self.drop(player, now: now)
        }
    }
}
