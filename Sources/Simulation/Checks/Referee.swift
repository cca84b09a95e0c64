import RaceModel
import WireProtocol

/// Compares what all clients are told. It never looks into the server.
struct Referee: Sendable {
    /// Only looked up, never walked through.
    private var matches: [MatchID: MatchTruth] = [:]
    private(set) var matchesSeen = 0
    private(set) var racesFinished = 0
    private(set) var checksPassed = 0
    private(set) var racesUnchecked = 0
    /// Each once, in order; more than a few tell nothing new.
    private(set) var violations: [String] = []
    /// The newest match, for those who like to watch.
    private(set) var newest: MatchID?
    /// Who is being judged, for the report.
    var witness = ""
    var time = Instant.zero

    mutating func report(_ violation: String) {
        guard self.violations.count < 20 else { return }
        let seconds = self.time.nanoseconds / 1_000_000_000
        let witness = self.witness.isEmpty ? "" : " \(self.witness):"
        self.violations.append("at \(seconds) s\(witness) \(violation)")
    }

    mutating func notePassedCheck() { self.checksPassed += 1 }
    mutating func noteUncheckedRace() { self.racesUnchecked += 1 }

    /// One message as one client gets it; the client's outlook changes by it.
    mutating func judge(_ message: ServerMessage, _ outlook: inout Outlook) {
        switch message {
        case .welcome(let player, _, _):
            outlook.isNamed = true
            outlook.player = player
            outlook.isInDoubt = outlook.isPlaying
        case .queued:
            if outlook.isPlaying, !outlook.isInDoubt { self.report("queued while in a match") }
            outlook.isQueued = true
        case .privateCode(let code, _): outlook.code = code
        case .matchFound(let found): self.begin(found, &outlook)
        case .snapshot(let snapshot): self.begin(snapshot, &outlook)
        case .matchCancelled(let cancelled): self.cancel(cancelled, &outlook)
        case .stopped(let activity): self.stop(activity, &outlook)
        case .invited(let invite, _, _): outlook.invites.append(invite)
        case .inviteClosed(let invite, _, _): outlook.invites.removeAll { $0 == invite }
        case .reason(let reason):
            // The answer to what a returned client asks: whether its match goes on. Aliases are waited for
            // in a match
            // that nobody has been told of yet, so the old one is over.
            if outlook.isInDoubt, [.nothing, .players, .aliases].contains(reason.what) {
                outlook.match = nil
            }
            outlook.isInDoubt = false
        case .randomNumber, .drawAgain, .playerOrder, .gameBegin, .turnStarted, .moved, .forfeited, .gameOver,
            .playerGone, .playerBack, .rematchOffered:
            self.follow(message, &outlook)
        case .notice(.suddenEnd, _, _):
            if outlook.isPlaying, !outlook.isInDoubt { self.report("its match is lost, and goes on") }
            if outlook.isPlaying { outlook.match = nil }
            outlook.isInDoubt = false
        case .error, .bye, .aliases, .players, .matches, .pong, .notice, .leaderboard, .record, .history:
            break
        }
    }

    // MARK: Beginnings and ends

    private mutating func enter(_ id: MatchID, ownSeat: Seat?, _ outlook: inout Outlook) {
        if outlook.isPlaying, let current = outlook.match, current.id != id, current.state != .done,
            !outlook.isInDoubt
        {
            self.report("in match \(id.value) while in match \(current.id.value)")
        }
        outlook.isInDoubt = false
        if ownSeat != nil {
            outlook.isQueued = false
            outlook.code = nil
        }
    }

    private mutating func register(
        _ id: MatchID, _ settings: RaceSettings, _ seal: Bytes32, _ seats: [PlayerID], _ aliases: [Alias],
        own: Seat?, _ outlook: Outlook
    ) {
        if let known = self.matches[id] {
            if known.settings != settings || known.seal != seal || known.seats != seats {
                self.report("match \(id.value) was another match for others")
            }
            if known.aliases != aliases { self.report("match \(id.value) has other aliases for others") }
        } else {
            self.matchesSeen += 1
            self.matches[id] = MatchTruth(settings: settings, seal: seal, seats: seats, aliases: aliases)
            if id > (self.newest ?? MatchID(0)) { self.newest = id }
            let people = seats.filter { $0.value > 0 }
            if Set(people).count != people.count { self.report("match \(id.value) has a player twice") }
        }
        if let own, own.index >= seats.count || seats[own.index] != outlook.player {
            self.report("match \(id.value) seats somebody else on \(own.value)")
        }
    }

    private mutating func begin(_ found: MatchFound, _ outlook: inout Outlook) {
        self.enter(found.match, ownSeat: found.ownSeat, &outlook)
        self.register(
            found.match, found.settings, found.seal, found.seats.map(\.player), found.seats.map(\.alias),
            own: found.ownSeat, outlook)
        outlook.match = Outlook.MatchView(
            id: found.match, ownSeat: found.ownSeat, settings: found.settings, state: .waitingForRandomNumber)
    }

    private mutating func begin(_ snapshot: Snapshot, _ outlook: inout Outlook) {
        self.enter(snapshot.match, ownSeat: snapshot.ownSeat, &outlook)
        self.register(
            snapshot.match, snapshot.settings, snapshot.seal, snapshot.runners.map(\.player),
            snapshot.runners.map(\.alias), own: snapshot.ownSeat, outlook)
        let known = outlook.match
        var match = Outlook.MatchView(
            id: snapshot.match, ownSeat: snapshot.ownSeat, settings: snapshot.settings, state: snapshot.state)
        match.sequence = snapshot.sequence
        match.isFreshSnapshot = true
        match.round = 0
        match.turn = snapshot.turn
        match.onTurn = snapshot.onTurn
        for runner in snapshot.runners {
            guard let number = runner.number, number.index < 8 else { continue }
            match.positions[number] = runner.position
            if runner.seat == snapshot.ownSeat {
                match.ownNumber = number
                match.isOut = runner.presence == .out
            }
        }
        if let known, known.id == match.id {
            if match.sequence < known.sequence { self.report("a snapshot takes events back") }
            for index in 0..<snapshot.runners.count
            where match.positions[PlayerNumber(index: index)] < known.positions[PlayerNumber(index: index)] {
                self.report("a snapshot takes fields back")
            }
            match.wantsRematch = known.wantsRematch
        }
        outlook.match = match
    }

    private mutating func cancel(_ cancelled: MatchCancelled, _ outlook: inout Outlook) {
        guard let match = outlook.match, match.id == cancelled.match else {
            // It was called off while it was being made, and nobody had been told of it.
            if self.matches[cancelled.match] == nil { return }
            return self.report("match \(cancelled.match.value) was cancelled, which it is not in")
        }
        if match.state == .active || match.state == .done { self.report("a begun match was cancelled") }
        self.check(self.matches[match.id]?.add(cancelled), match.id)
        outlook.match = nil
        outlook.isInDoubt = false
    }

    private mutating func stop(_ activity: Activity, _ outlook: inout Outlook) {
        switch activity {
        case .queue: outlook.isQueued = false
        case .host:
            outlook.code = nil
            outlook.isQueued = false
        case .watch: if outlook.isSpectating { outlook.match = nil }
        case .match:
            // Also of a match that was being made, of which nobody had been told.
            if outlook.isPlaying { outlook.match = nil }
            outlook.isInDoubt = false
        case .rematch: outlook.match?.wantsRematch = false
        }
    }

    // MARK: The course of a match

    private mutating func check(_ fault: String?, _ match: MatchID) {
        if let fault { self.report("match \(match.value): \(fault)") }
    }

    private mutating func follow(_ message: ServerMessage, _ outlook: inout Outlook) {
        guard var match = outlook.match else {
            return self.report("told of a match it is not in: \(message)")
        }
        let id = match.id
        switch message {
        case .randomNumber(let number): self.check(self.matches[id]?.add(number), id)
        case .drawAgain(let round, let seats):
            self.check(self.matches[id]?.add(round: round, seats: seats), id)
            match.round = round
            match.tied = seats
        case .playerOrder(let order):
            self.check(self.matches[id]?.add(order: order), id)
            match.state = .waitingForStart
            match.ownNumber = match.ownSeat.flatMap { order.firstIndex(of: $0) }.map {
                PlayerNumber(index: $0)
            }
        case .gameBegin: match.state = .active
        case .turnStarted(let turn):
            self.advance(&match, turn.sequence, .turn(turn.turn, turn.player))
            match.turn = turn.turn
            match.onTurn = turn.player
        case .moved(let moved):
            self.advance(&match, moved.sequence, .moved(moved))
            if moved.player.index < 8, moved.player.index >= 0 {
                if moved.position != match.positions[moved.player] &+ UInt32(moved.steps) {
                    self.report(
                        "player \(moved.player.value) jumps to \(moved.position) in match \(id.value)")
                }
                match.positions[moved.player] = moved.position
            }
            match.turn = 0
        case .forfeited(let forfeit):
            self.advance(&match, forfeit.sequence, .forfeited(forfeit.player, forfeit.reason))
            if forfeit.player == match.ownNumber { match.isOut = true }
            if forfeit.player == match.onTurn { match.turn = 0 }
        case .gameOver(let over): self.end(&match, over)
        case .rematchOffered(let offer):
            if match.state != .done { self.report("a rematch before the end") }
            if offer.player == match.ownNumber { match.wantsRematch = offer.wants }
        default: break
        }
        // Between a snapshot and the end that is told again come the numbers.
        if case .randomNumber = message {} else { match.isFreshSnapshot = false }
        if case .turnStarted = message { outlook.isInDoubt = false }
        if case .moved = message { outlook.isInDoubt = false }
        outlook.match = match
    }

    private mutating func advance(
        _ match: inout Outlook.MatchView, _ sequence: UInt32, _ event: MatchTruth.Event
    ) {
        if match.state != .active {
            self.report("event \(sequence) of match \(match.id.value) while \(match.state)")
        }
        if sequence != match.sequence &+ 1 {
            self.report("event \(sequence) of match \(match.id.value) follows \(match.sequence)")
        }
        match.sequence = sequence
        self.check(self.matches[match.id]?.add(event, sequence: sequence), match.id)
    }

    private mutating func end(_ match: inout Outlook.MatchView, _ over: GameOver) {
        let isRepeated = match.isFreshSnapshot && match.state == .done && match.sequence == over.sequence
        if !isRepeated { self.advance(&match, over.sequence, .over) }
        match.state = .done
        match.turn = 0
        var isFirst = false
        self.check(self.matches[match.id]?.add(over, isFirst: &isFirst), match.id)
        if isFirst { self.racesFinished += 1 }
        for standing in over.standings
        where standing.player.index < 8 && match.positions[standing.player] != standing.position {
            self.report("the result of match \(match.id.value) moves player \(standing.player.value)")
        }
    }

    /// The outcome of a match that came to its end, for the digest.
    func outcome(of match: MatchID) -> (winner: UInt8, reason: UInt8)? {
        guard let over = self.matches[match]?.over else { return nil }
        return (over.outcome.winner?.value ?? 0, over.outcome.reason.rawValue)
    }
}
