package import RaceModel
package import WireProtocol

extension RaceView {
    /// What taking in a message showed beside the change itself.
    package struct Finding {
        /// The event follows upon another than its number says.
        package var missed: (last: UInt32, next: UInt32)?
        /// The event was seen before and changed nothing.
        package var isRepeated = false
    }

    /// Takes a message in. A client does so with its own view before anyone hears of the message; who tells
    /// messages one by one keeps a second view, which is never ahead of what is told.
    @discardableResult
    package mutating func apply(_ message: ServerMessage, now: Instant) -> Finding {
        switch message {
        case .welcome(let player, let alias, let key):
            self.link = .named
            self.identity = ClientIdentity(player: player, alias: alias, key: key ?? self.identity?.key)
        case .error(let error): self.lastError = error
        case .bye(let reason, let text): self.farewell = Farewell(reason: reason, text: text)
        case .queued(let queued):
            self.queued = queued
            self.queueStarts = queued.startsIn.map { now + .seconds(Int($0)) }
            if self.match?.state == .done { self.match = nil }
        case .notice(let code, let seconds, let text):
            self.notice = Notice(code: code, due: now + .seconds(Int(seconds)), text: text)
        case .matchFound(let found):
            self.leaveQueue()
            self.match = MatchView(found: found)
        case .snapshot(let snapshot):
            self.leaveQueue()
            let known = self.match
            self.match = MatchView(snapshot, now: now)
            if let known, known.match == snapshot.match {
                self.match?.numbers = known.numbers
                self.match?.over = known.over
            }
        case .matchCancelled(let cancelled):
            if self.match?.match == cancelled.match { self.match = nil }
        case .stopped(let activity): self.stop(activity)
        case .randomNumber, .drawAgain, .playerOrder, .gameBegin, .turnStarted, .moved, .forfeited, .gameOver,
            .playerGone, .playerBack, .rematchOffered:
            return self.match?.apply(message, now: now) ?? Finding()
        case .aliases, .players, .matches, .invited, .inviteClosed, .privateCode, .reason, .pong,
            .leaderboard, .record, .history:
            break
        }
        return Finding()
    }

    private mutating func leaveQueue() {
        self.queued = nil
        self.queueStarts = nil
    }

    private mutating func stop(_ activity: Activity) {
        switch activity {
        case .queue: self.leaveQueue()
        case .host: break
        case .watch, .match: self.match = nil
        case .rematch: self.match?.setOwnWish(false)
        }
    }
}

extension MatchView {
    mutating func apply(_ message: ServerMessage, now: Instant) -> RaceView.Finding {
        switch message {
        case .randomNumber(let revealed):
            // They are told again behind a snapshot.
            if self.numbers.contains(revealed) { break }
            self.numbers.append(revealed)
            self.numbers = self.numbers.suffix(Limits.playersPerMatch * Int(Limits.drawRounds))
        case .drawAgain(let round, let seats):
            self.round = round
            self.tied = seats
        case .playerOrder(let order): self.setOrder(order)
        case .gameBegin(let seconds):
            self.state = .active
            self.deadline = now + .seconds(Int(seconds))
        case .turnStarted(let turn):
            return self.numbered(turn.sequence) { view in
                view.state = .active
                view.turn = turn.turn
                view.onTurn = turn.player
                view.deadline = now + .seconds(Int(turn.seconds))
            }
        case .moved(let moved): return self.numbered(moved.sequence) { $0.take(moved) }
        case .forfeited(let forfeited):
            return self.numbered(forfeited.sequence) { view in
                view.change(forfeited.player) { $0.presence = .out(forfeited.reason) }
                if view.onTurn == forfeited.player { view.endTurn() }
            }
        case .gameOver(let over):
            // Told again behind the snapshot of a match that is over, with the number it already has.
            if self.over == nil, over.sequence == self.sequence { self.sequence &-= 1 }
            return self.numbered(over.sequence) { view in
                view.state = .done
                view.over = over
                view.endTurn()
                view.deadline = nil
                for standing in over.standings {
                    view.change(standing.player) { $0.position = standing.position }
                }
            }
        case .playerGone(let presence, let seconds):
            self.change(at: presence.seat) { $0.presence = .gone(until: now + .seconds(Int(seconds))) }
        case .playerBack(let presence):
            self.change(at: presence.seat) { runner in
                if case .gone = runner.presence { runner.presence = .here }
            }
        case .rematchOffered(let offer):
            self.change(offer.player) { $0.wantsRematch = offer.wants }
            self.rematchAgreed = offer.agreed
            self.rematchOf = offer.of
        default: break
        }
        return RaceView.Finding()
    }

    mutating func setOwnWish(_ wants: Bool) {
        if let seat = self.ownSeat { self.change(at: seat) { $0.wantsRematch = wants } }
    }

    private mutating func numbered(_ sequence: UInt32, _ change: (inout Self) -> Void) -> RaceView.Finding {
        guard sequence > self.sequence else { return RaceView.Finding(isRepeated: true) }
        let last = self.sequence
        self.sequence = sequence
        change(&self)
        return sequence == last &+ 1
            ? RaceView.Finding() : RaceView.Finding(missed: (last: last, next: sequence))
    }

    private mutating func setOrder(_ order: [Seat]) {
        self.order = order
        self.state = .waitingForStart
        self.deadline = nil
        for (index, seat) in order.prefix(Limits.playersPerMatch).enumerated() {
            self.change(at: seat) { $0.number = PlayerNumber(index: index) }
        }
        self.names.order = order
    }

    private mutating func take(_ moved: Moved) {
        self.change(moved.player) { runner in
            runner.position = moved.position
            runner.lastSteps = moved.steps
        }
        if self.settings.rule == .turns { self.endTurn() }
    }

    private mutating func endTurn() {
        self.turn = 0
        self.onTurn = nil
    }

    private mutating func change(_ player: PlayerNumber, _ body: (inout Runner) -> Void) {
        guard let index = self.runners.firstIndex(where: { $0.number == player }) else { return }
        body(&self.runners[index])
    }

    private mutating func change(at seat: Seat, _ body: (inout Runner) -> Void) {
        guard let index = self.runners.firstIndex(where: { $0.seat == seat }) else { return }
        body(&self.runners[index])
    }
}
