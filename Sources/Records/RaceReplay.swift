import RaceModel
import WireProtocol

/// Runs a race again, event by event, by the rules alone: whose move it is, where it leads, what the clock could
/// decide, and who has won. It is told what happened, and knows no times.
struct RaceReplay {
    struct Fault: Error, Hashable {
        let text: String
    }

    private let settings: RaceSettings
    /// Which players have no connection that could go.
    private let isBot: [Bool]
    private var positions: [UInt32]
    private var isOut: [Bool]
    /// Whether the server rolled when it was last this player's turn.
    private var hasMissed: [Bool]
    /// The event that took each player where they are: of several on one field, who came first is in front.
    private var arrivals: [UInt32]
    /// Index of the player in front.
    private var leader: Int?
    private var onTurn = 0
    private var turn: UInt32 = 0
    private var isTurnOpen = false
    /// The last numbered event.
    private var sequence: UInt32 = 0
    private var endedByForfeit = false
    private var finisher: Int?

    /// Nil for an order that names a seat nobody has.
    init?(_ found: MatchFound, order: [Seat]) {
        guard !order.isEmpty, order.allSatisfy({ found.seats.indices.contains($0.index) }) else { return nil }
        self.settings = found.settings
        self.isBot = order.map { found.seats[$0.index].player.value == 0 }
        self.positions = [UInt32](repeating: 0, count: order.count)
        self.isOut = [Bool](repeating: false, count: order.count)
        self.hasMissed = self.isOut
        self.arrivals = self.positions
    }

    private var racing: [Int] { self.isOut.indices.filter { !self.isOut[$0] } }

    /// The next event. Behind a fault nothing more can be said.
    mutating func take(_ event: RaceWitness.Event) throws(Fault) {
        if let finisher {
            throw Fault(text: "player \(finisher + 1) had reached the finish, and the race was over")
        }
        if self.racing.isEmpty { throw Fault(text: "everybody was out, and the race was over") }
        if self.settings.rule == .turns, !self.isTurnOpen {
            self.isTurnOpen = true
            self.turn &+= 1
            self.sequence &+= 1
        }
        self.sequence &+= 1
        guard event.sequence == self.sequence else {
            throw Fault(text: "event \(self.sequence) was due, and this is event \(event.sequence)")
        }
        guard self.positions.indices.contains(event.player.index), !self.isOut[event.player.index] else {
            throw Fault(text: "player \(event.player.value) was not in the race")
        }
        switch event {
        case .moved(let moved): try self.move(moved)
        case .forfeited(let forfeited): try self.forfeit(forfeited)
        }
    }

    // MARK: Events

    private mutating func move(_ moved: Moved) throws(Fault) {
        let player = moved.player.index
        if self.settings.rule == .turns {
            guard player == self.onTurn else {
                throw Fault(
                    text:
                        "turn \(self.turn) was player \(self.onTurn + 1)'s, and player \(moved.player.value) moved"
                )
            }
        }
        guard moved.turn == self.turn else {
            throw Fault(text: "turn \(self.turn) was due, and this is turn \(moved.turn)")
        }
        try self.checkClock(moved)
        let (position, isTooFar) = self.positions[player].addingReportingOverflow(UInt32(moved.steps))
        guard !isTooFar, position == moved.position else {
            throw Fault(
                text:
                    "player \(moved.player.value) stood on \(self.positions[player]) and went \(moved.steps): "
                    + "that is \(position), not \(moved.position)")
        }
        self.positions[player] = position
        self.arrivals[player] = moved.sequence
        self.endedByForfeit = false
        if self.leader.map({ self.positions[$0] < position }) ?? true { self.leader = player }
        if position >= self.settings.finish { self.finisher = player }
        if self.settings.rule == .turns { self.passOn() }
    }

    /// Who rolled: the player, or the server when their time was over.
    private mutating func checkClock(_ moved: Moved) throws(Fault) {
        let player = moved.player.index
        if self.settings.rule == .dash, moved.automatic {
            throw Fault(text: "in a dash the server moves for nobody (auto=no was due)")
        }
        if moved.automatic, self.hasMissed[player] {
            throw Fault(
                text: "player \(moved.player.value) missed a second turn in a row: "
                    + "a forfeit was due, and the server rolled again")
        }
        // Whoever is left alone and there has won: they move no more.
        if !moved.automatic, self.racing.count == 1 {
            throw Fault(text: "player \(moved.player.value) was alone in the race, and had won")
        }
        self.hasMissed[player] = moved.automatic
    }

    private mutating func forfeit(_ forfeited: Forfeited) throws(Fault) {
        let player = forfeited.player.index
        switch forfeited.reason {
        case .left: break
        case .missedTurns:
            guard self.settings.rule == .turns else { throw Fault(text: "a dash has no turns to miss") }
            guard player == self.onTurn else {
                throw Fault(
                    text: "turn \(self.turn) was player \(self.onTurn + 1)'s, and cannot be missed by another"
                )
            }
            guard self.hasMissed[player] else {
                throw Fault(
                    text: "player \(forfeited.player.value) had not missed the turn before: the server rolls "
                        + "the first time")
            }
        case .gone:
            if self.isBot[player] {
                throw Fault(
                    text: "the server plays for player \(forfeited.player.value), and cannot lose itself")
            }
        }
        self.isOut[player] = true
        self.endedByForfeit = true
        if self.leader == player { self.leader = self.foremost }
        if self.settings.rule == .turns, player == self.onTurn { self.passOn() }
    }

    private mutating func passOn() {
        self.isTurnOpen = false
        for _ in self.positions.indices {
            self.onTurn = (self.onTurn + 1) % self.positions.count
            if !self.isOut[self.onTurn] { return }
        }
    }

    private var foremost: Int? {
        self.racing.filter { self.positions[$0] > 0 }.min { left, right in
            (self.positions[right], self.arrivals[left]) < (self.positions[left], self.arrivals[right])
        }
    }

    // MARK: The end

    /// Whether the race could end now as it is said to have ended: its number, why, and who has won.
    func end(_ over: GameOver) throws(Fault) {
        let winner = try self.winner(by: over.outcome.reason)
        if over.outcome.reason != .finish, let finisher {
            throw Fault(text: "player \(finisher + 1) had reached the finish")
        }
        guard over.outcome.winner?.index == winner else {
            throw Fault(text: winner.map { "player \($0 + 1) has won" } ?? "nobody has won")
        }
        let due = self.endings(by: over.outcome.reason)
        guard due.contains(over.sequence) else {
            throw Fault(
                text:
                    "the end was event \(due.map { "\($0)" }.joined(separator: " or ")), not \(over.sequence)"
            )
        }
    }

    private func winner(by reason: Outcome.Reason) throws(Fault) -> Int? {
        let racing = self.racing
        switch reason {
        case .finish:
            guard let finisher else { throw Fault(text: "nobody reached the finish") }
            return finisher
        case .forfeit:
            guard racing.count == 1 else {
                throw Fault(text: "\(racing.count) players were still in the race")
            }
            return racing[0]
        case .idle:
            guard self.settings.rule == .dash else { throw Fault(text: "only a dash ends when nobody moves") }
            guard let leader else { throw Fault(text: "nobody was in front") }
            return leader
        case .noMoves:
            guard self.settings.rule == .dash else { throw Fault(text: "only a dash ends when nobody moves") }
            guard !racing.isEmpty else { throw Fault(text: "nobody was left: the race was abandoned") }
            guard self.leader == nil else { throw Fault(text: "there were moves") }
            return nil
        case .abandoned:
            guard racing.isEmpty else { throw Fault(text: "\(racing.count) players were still in the race") }
            return nil
        }
    }

    /// Which number the end can have: a turn that was opened before it has one too.
    private func endings(by reason: Outcome.Reason) -> [UInt32] {
        let next = self.sequence &+ 1
        guard self.settings.rule == .turns, !self.isTurnOpen, reason == .forfeit else { return [next] }
        // Whoever was left alone was there, or came back while it was their turn.
        return self.endedByForfeit ? [next, next &+ 1] : [next &+ 1]
    }

    /// The winner first, then by field, then by player number; those who forfeited behind all others.
    func standings(winner: PlayerNumber?) -> [Standing] {
        func key(_ player: Int) -> (Int, Int, Int64, Int) {
            (
                player == winner?.index ? 0 : 1, self.isOut[player] ? 1 : 0, -Int64(self.positions[player]),
                player
            )
        }
        return self.positions.indices.sorted { key($0) < key($1) }.enumerated().map { index, player in
            Standing(
                rank: UInt8(index + 1), player: PlayerNumber(index: player), position: self.positions[player])
        }
    }
}
