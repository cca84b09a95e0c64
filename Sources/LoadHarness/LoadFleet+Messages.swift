import RaceModel
import WireProtocol

/// What each message of the server makes a player do.
extension LoadFleet {
    mutating func take(_ received: ServerMessage, at player: Int, now: Instant) {
        let message = self.plan.isFloor ? self.numbered(received, at: player) : received
        if self.phase == .measuring { self.figures.messagesReceived += 1 }
        if self.takeNewsOfResult(message) { return }
        if self.players[player].state == .leaving || self.players[player].state == .gone {
            // Whatever was on its way is of no interest any more.
            if case .bye(let reason, let text) = message, reason != .quit, !self.isOfRestart(message) {
                self.note(Fault(.bye, reason.name), text)
            }
            return
        }
        if self.isOfRestart(message) {
            if case .error = message, self.players[player].state == .queued {
                self.seekLater(player, now: now)
            }
            return
        }
        self.observe(message, at: player)
        if self.players[player].state == .returning, self.takeReturning(message, at: player, now: now) {
            return
        }
        switch message {
        case .moved(let moved): self.takeMoved(moved, at: player, now: now)
        case .turnStarted(let turn):
            self.follow(turn.sequence, at: player, now: now)
            if turn.player.value == self.players[player].number {
                self.takeOwnTurn(turn.turn, of: player, now: now)
            }
        case .gameBegin: self.takeBegin(at: player, now: now)
        case .gameOver(let over): self.takeOver(over, at: player, now: now)
        case .matchFound(let found): self.takeFound(found, at: player, now: now)
        case .drawAgain(let round, let seats):
            if round <= Limits.playerDrawRounds, seats.contains(Seat(self.players[player].seat)) {
                self.sendNumber(round: round, of: player)
            }
        case .playerOrder(let seats): self.takeOrder(seats, at: player)
        case .forfeited(let forfeited):
            self.follow(forfeited.sequence, at: player, now: now)
            if self.comesBack, forfeited.reason == .gone {
                self.noteSeatLost("forfeited while away", "player \(forfeited.player.value)")
            } else {
                self.note(Fault(.race, "a player forfeited (\(forfeited.reason))"))
            }
        case .matchCancelled(let cancelled): self.takeCancelled(cancelled, at: player, now: now)
        case .welcome(let id, _, let key): self.takeWelcome(id, key, at: player, now: now)
        case .queued: if self.players[player].state == .idle { self.players[player].state = .queued }
        case .stopped(let activity):
            if activity == .queue, self.players[player].state == .queued { self.leaveQueue(player, now: now) }
        case .error(let reply): self.takeError(reply, at: player, now: now)
        case .bye(let reason, let text):
            self.note(Fault(.bye, reason.name), text)
        case .notice(let code, _, let text): self.note(Fault(.notice, code.name), text)
        case .playerGone:
            if !self.mayHearOfGoing(player) { self.note(Fault(.race, "a player's connection was lost")) }
        case .snapshot: self.note(Fault(.protocolFault, "a snapshot that nothing asked for"))
        case .randomNumber(let revealed):
            if revealed.drawnByServer, revealed.round <= Limits.playerDrawRounds,
                !self.isDisturbed(player)
            {
                self.note(Fault(.race, "the server drew for a player"))
            }
        case .playerBack, .rematchOffered: break
        case .reason(let reason): self.takeReason(reason, at: player, now: now)
        case .aliases, .players, .matches, .invited, .inviteClosed, .privateCode, .pong, .leaderboard,
            .record, .history:
            self.note(Fault(.protocolFault, "an answer that nothing asked for"))
        }
    }

    /// How the server's store is doing says nothing of how the races went, and may come to whoever has left.
    ///
    /// - Returns: whether the message was this and nothing else.
    private mutating func takeNewsOfResult(_ message: ServerMessage) -> Bool {
        guard case .notice(let code, _, _) = message else { return false }
        switch code {
        case .notKept: self.figures.resultsNotKept += 1
        case .kept: self.figures.resultsKeptLater += 1
        case .`operator`, .suddenEnd: break
        case .draining, .slowDown, .halfClosed, .breakOff: return false
        }
        return true
    }

    /// The relay's answers are always the same; what a server would have written into them, the harness knows: events
    /// come one after the other, and players take turns.
    private func numbered(_ message: ServerMessage, at player: Int) -> ServerMessage {
        let event = self.players[player].sequence &+ 1
        switch message {
        case .moved(var moved):
            // Odd events are begun turns, even ones moves: event 2 is the move of turn 1.
            moved.sequence = event
            moved.turn = event / 2
            moved.player = Self.relayPlayer(turn: moved.turn)
            return .moved(moved)
        case .turnStarted(var turn):
            turn.sequence = event
            turn.turn = event / 2 &+ 1
            turn.player = Self.relayPlayer(turn: turn.turn)
            return .turnStarted(turn)
        default: return message
        }
    }

    private static func relayPlayer(turn: UInt32) -> PlayerNumber { PlayerNumber(turn % 2 == 1 ? 1 : 2) }

    // MARK: Into a race

    private mutating func takeWelcome(_ id: PlayerID, _ key: PlayerKey?, at player: Int, now: Instant) {
        guard self.players[player].state == .naming else {
            return self.note(Fault(.protocolFault, "welcome twice"))
        }
        self.figures.naming.add(now - self.players[player].dueAt)
        self.figures.named += 1
        self.unsettled -= 1
        self.players[player].id = id
        self.playersByID[id] = Int32(player)
        if self.comesBack { self.comebacks[player].key = key }
        self.becomeIdle(player, now: now)
        self.advance(now: now)
    }

    /// Free for another race, or to go.
    mutating func becomeIdle(_ player: Int, now: Instant) {
        self.players[player].state = .idle
        guard self.phase == .ramp || self.phase == .measuring else { return self.quit(player) }
        if self.plan.racesPerSecond != nil {
            self.idle.append(Int32(player))
            self.launchDueRaces(now: now)
        } else {
            self.players[player].dueAt = now
            self.findRace(player)
        }
    }

    mutating func findRace(_ player: Int) {
        self.players[player].state = .queued
        self.send(
            .findMatch(
                RaceRequest(
                    minimum: UInt8(self.plan.raceSize), maximum: UInt8(self.plan.raceSize),
                    settings: self.plan.settings, group: self.group)), from: player)
    }

    private mutating func takeFound(_ found: MatchFound, at player: Int, now: Instant) {
        guard let seat = found.ownSeat, found.seats.count <= Limits.playersPerMatch,
            self.players[player].race < 0
        else { return self.note(Fault(.protocolFault, "found, in a race already")) }
        self.takeSeat(seat, player)
        self.noteBack(player, now: now)
        self.joinRace(found, at: player, now: now)
        self.sendNumber(round: 1, of: player)
    }

    mutating func takeSeat(_ seat: Seat, _ player: Int) {
        self.players[player].state = .racing
        self.players[player].stamp &+= 1
        self.players[player].seat = seat.value
        self.players[player].number = 0
        self.players[player].sequence = 0
        self.players[player].turn = 0
        self.players[player].isMoving = false
        self.players[player].isOvertaken = false
        self.players[player].isOnTurn = false
        self.players[player].awaitsWindow = false
        if self.comesBack { self.comebacks[player].hasRepeated = false }
    }

    mutating func sendNumber(round: UInt8, of player: Int) {
        let number = UInt32(truncatingIfNeeded: self.generator.next() >> 32)
        self.send(.randomNumber(round: round, number: number), from: player)
    }

    private mutating func takeOrder(_ seats: [Seat], at player: Int) {
        let race = Int(self.players[player].race)
        guard race >= 0, seats.count <= Limits.playersPerMatch else { return self.noteNoRace() }
        for (index, seat) in seats.enumerated() {
            self.races[race].order[index] = seat.value
            if seat.value == self.players[player].seat { self.players[player].number = UInt8(index + 1) }
        }
        if self.players[player].number == 1 { self.send(.gameBegin, from: player) }
    }

    private mutating func takeBegin(at player: Int, now: Instant) {
        let race = Int(self.players[player].race)
        guard race >= 0 else { return self.noteNoRace() }
        let due = self.races[race].due
        if due >= self.windowStart, self.phase == .measuring, !self.races[race].isDisturbed {
            self.figures.starting.add(now - due)
        }
        if self.plan.settings.rule == .dash { self.planMove(turn: 1, of: player, now: now) }
    }

    private mutating func takeCancelled(_ cancelled: MatchCancelled, at player: Int, now: Instant) {
        if self.comesBack, cancelled.reason == .gone {
            self.noteSeatLost("cancelled while away", "by \(cancelled.alias)")
        } else {
            self.note(Fault(.race, "cancelled before it began"))
        }
        self.leaveRace(player)
        self.players[player].state = .queued
        if !cancelled.queuedAgain {
            self.becomeIdle(player, now: now)
        } else if self.phase == .finishing {
            self.send(.cancelFind, from: player)
        }
    }

    mutating func quit(_ player: Int) {
        self.players[player].state = .leaving
        self.players[player].stamp &+= 1
        // The relay says no goodbye.
        if self.plan.isFloor { return self.drop(player, now: self.windowEnd) }
        self.send(.quit, from: player)
    }

    // MARK: Refusals

    private mutating func takeError(_ reply: ErrorReply, at player: Int, now: Instant) {
        let request = reply.request.flatMap(ClientMessageNumber.init(rawValue:))
        switch request {
        case .move where self.players[player].isOvertaken:
            self.players[player].isOvertaken = false
            self.figures.movesOvertaken += 1
            return
        case .cancelFind where reply.code == .notQueued && self.players[player].state == .racing:
            // A race was found while the wish to look no more was on its way.
            return
        default: break
        }
        if self.isRefusedRepeat(request, reply.code, at: player) { return }
        self.note(.error(reply), reply.text)
        switch request {
        case .hello: self.drop(player, now: now)
        case .findMatch where reply.code != .alreadyQueued && self.players[player].state == .queued:
            self.seekLater(player, now: now)
        case .cancelFind where self.players[player].state == .queued: self.quit(player)
        case .move: self.players[player].isMoving = false
        default: break
        }
    }

    mutating func noteNoRace() { self.note(Fault(.protocolFault, "a message about no race")) }
}
