import Lobby
import RaceModel
import Records
import WireProtocol

/// How far the server is on its way to its end.
enum Life: Sendable {
    case running
    /// No new races; at the latest at `due`, or when no race is on, it stops.
    case draining(due: Instant, nextLook: Instant)
    /// Nothing counts any more; these races are on their way into the store, which is waited for until `due`. No
    /// look-up: it could not take them, and is asked again then.
    case saving([MatchID], LookUpID?, again: Instant?, due: Instant)
    /// Everybody has been told.
    case stopped

    var nextDeadline: Instant? {
        switch self {
        case .running, .stopped: nil
        case .draining(let due, let nextLook): min(due, nextLook)
        case .saving(_, _, let again, let due): min(again ?? due, due)
        }
    }
}

/// The end of a server, in order: drain, save, tell.
extension RaceServer {
    /// Between two looks at whether a race is still on.
    private static let drainLook = Instant.Span.milliseconds(100)
    /// Between two tries to save: another program may have the store's file for itself just then.
    private static let saveAgain = Instant.Span.milliseconds(100)

    var isDraining: Bool {
        if case .running = self.life { false } else { true }
    }

    /// What players send no longer changes anything.
    var isStopping: Bool {
        switch self.life {
        case .running, .draining: false
        case .saving, .stopped: true
        }
    }

    /// Takes no new races, tells everybody, and stops once no race is on, or after this time.
    mutating func drain(for span: Instant.Span) {
        guard !self.isDraining else { return }
        self.life = .draining(due: self.now + span, nextLook: self.now + Self.drainLook)
        self.log(.info, "draining", [("seconds", span.seconds), ("races", self.racesUnderWay)])
        for player in Array(self.players.indices) where self.players.contains(player) {
            self.tellDraining(player, due: self.now + span)
            self.withdraw(player, because: .cancelled)
        }
        if self.racesUnderWay == 0 { self.stop() }
    }

    /// For who comes meanwhile.
    mutating func tellIfDraining(_ player: PlayerIndex) {
        if case .draining(let due, _) = self.life { self.tellDraining(player, due: due) }
    }

    private mutating func tellDraining(_ player: PlayerIndex, due: Instant) {
        let waits = self.tickets.contains(self.players[player].id)
        let hosts = self.privateRaces.race(of: self.players[player].id) != nil
        self.send(
            .notice(
                .draining, seconds: self.shown(due - self.now),
                text: self.configuration.keepsMatches
                    ? "the server restarts: no new races until then; a race under way is kept, come back to it "
                        + "with your key"
                    : "the server is about to end: no new races; finish yours"), to: player)
        if waits { self.send(.stopped(.queue), to: player) }
        if hosts { self.send(.stopped(.host), to: player) }
    }

    mutating func passLifeDeadlines() {
        switch self.life {
        case .running, .stopped: break
        case .draining(let due, let nextLook):
            if due <= self.now || (nextLook <= self.now && self.racesUnderWay == 0) { return self.stop() }
            if nextLook <= self.now { self.life = .draining(due: due, nextLook: self.now + Self.drainLook) }
        case .saving(let matches, let lookUp, let again, let due):
            if due <= self.now { return self.finishStop(kept: [], inDoubt: lookUp == nil ? [] : matches) }
            if let again, again <= self.now { self.save(until: due) }
        }
    }

    /// Matches that their players know of, and that are not over.
    private var racesUnderWay: Int {
        self.rooms.indices.count { index in
            switch self.rooms[index].state {
            case .waitingForRandomNumber, .waitingForStart, .active: true
            case .waitingForMatch, .done: false
            }
        }
    }

    /// Saves the races under way, where there is a store for them; then tells everybody and closes all connections.
    /// Who waits for a result hears of it before, or that it is not kept.
    mutating func stop() {
        guard !self.isStopping else { return }
        // The rest of what was reserved is free again.
        self.reservedMatches = self.lastMatch
        self.reserveMatches(upTo: self.lastMatch)
        self.save(until: self.now + self.configuration.deadlines.keep)
    }

    private mutating func save(until due: Instant) {
        let saved = self.configuration.keepsMatches ? self.savedMatches() : []
        guard !saved.isEmpty else { return self.finishStop(kept: []) }
        let lookUp = self.nextLookUp()
        self.outbox.errands.append(.results(lookUp, .save(saved)))
        self.life = .saving(saved.map(\.found.match), lookUp, again: nil, due: due)
    }

    /// The store's answer to saving.
    /// - Returns: false when it is an answer to something else.
    mutating func takeSaved(_ answer: ResultAnswer, to lookUp: LookUpID) -> Bool {
        guard case .saving(let matches, lookUp, _, let due) = self.life else { return false }
        if case .kept = answer {
            self.finishStop(kept: matches)
        } else {
            self.life = .saving(matches, nil, again: self.now + Self.saveAgain, due: due)
        }
        return true
    }

    /// - Parameter inDoubt: the store has them, and may save them yet.
    private mutating func finishStop(kept: [MatchID], inDoubt: [MatchID] = []) {
        self.life = .stopped
        let races = self.racesUnderWay
        if races > 0 {
            self.log(
                kept.count < races ? .warning : .info, "matches-saved",
                [("count", kept.count), ("lost", races - kept.count)])
        }
        let (kept, inDoubt) = (Set(kept), Set(inDoubt))
        for connection in self.connections where connection.isOpen {
            let text =
                switch self.raceUnderWay(at: connection) {
                case nil: "the server is stopping: try again in a minute"
                case .some(let match) where kept.contains(match):
                    "the server restarts: your race is kept, come back to it with your name and key"
                case .some(let match) where inDoubt.contains(match):
                    "the server is stopping: whether your race is kept is not sure, come back with your key and see"
                case .some: "the server is stopping: your race ends without a result"
                }
            self.close(connection.id, .shutdown, text)
        }
        self.outbox.errands.append(.ended)
    }

    /// The match that somebody plays, knows of, and that is not over.
    private func raceUnderWay(at connection: Connection) -> MatchID? {
        guard let player = connection.player, let room = self.players[player].room else { return nil }
        return switch self.rooms[room].state {
        case .waitingForMatch, .done: nil
        case .waitingForRandomNumber, .waitingForStart, .active: self.rooms[room].id
        }
    }

    /// Whether a new race may come of it.
    func beginsRaces(_ message: ClientMessage) -> Bool {
        switch message {
        case .findMatch, .hostPrivate, .joinPrivate, .invite, .answerInvite(_, accept: true), .rematch: true
        default: false
        }
    }
}
