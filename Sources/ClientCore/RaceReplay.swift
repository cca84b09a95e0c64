import RaceModel
import WireProtocol

/// Runs a race again, event by event, by the rules alone: whose move it is, where it leads, and who has won.
struct RaceReplay {
    private(set) var moves: RaceReport.Verdict
    private var positions: [UInt32]
    private var isOut: [Bool]
    /// Index of the player who was the first on the foremost field.
    private var leader: Int?
    private var onTurn = 0
    private var turn: UInt32 = 1
    private var finisher: Int?
    private let settings: RaceSettings

    init(_ witness: RaceWitness) {
        let count = witness.order.count
        self.settings = witness.found.settings
        self.positions = [UInt32](repeating: 0, count: count)
        self.isOut = [Bool](repeating: false, count: count)
        self.moves = .passed("")
        guard count > 0 else {
            self.moves = .failed("the order of play was never told")
            return
        }
        for event in witness.events {
            if let fault = self.apply(event) {
                self.moves = .failed(fault)
                return
            }
        }
        self.moves = .passed("\(witness.events.count) events by the rules")
    }

    private mutating func apply(_ event: RaceWitness.Event) -> String? {
        if self.finisher != nil { return "the race went on behind its finish (event \(event.sequence))" }
        switch event {
        case .moved(let moved):
            guard self.positions.indices.contains(moved.player.index), !self.isOut[moved.player.index] else {
                return "player \(moved.player.value) was not in the race (event \(moved.sequence))"
            }
            return self.move(moved)
        case .forfeited(let forfeited):
            let player = forfeited.player.index
            guard self.positions.indices.contains(player), !self.isOut[player] else {
                return "player \(forfeited.player.value) was not in the race (event \(forfeited.sequence))"
            }
            self.isOut[player] = true
            if self.leader == player { self.leader = self.foremost }
            if self.settings.rule == .turns, player == self.onTurn { self.passOn() }
            return nil
        }
    }

    private mutating func move(_ moved: Moved) -> String? {
        let player = moved.player.index
        if self.settings.rule == .turns {
            guard player == self.onTurn else {
                return
                    "turn \(moved.turn) was player \(self.onTurn + 1)'s, and player \(moved.player.value) moved"
            }
            guard moved.turn == self.turn else {
                return "turn \(self.turn) was due, and it was turn \(moved.turn)"
            }
        }
        self.positions[player] &+= UInt32(moved.steps)
        guard self.positions[player] == moved.position else {
            return "player \(moved.player.value) stands on \(self.positions[player]), "
                + "and was told to be on \(moved.position) (event \(moved.sequence))"
        }
        if self.leader.map({ self.positions[$0] < self.positions[player] }) ?? true { self.leader = player }
        if moved.position >= self.settings.finish { self.finisher = player }
        if self.settings.rule == .turns { self.passOn() }
        return nil
    }

    private mutating func passOn() {
        self.turn &+= 1
        for _ in self.positions.indices {
            self.onTurn = (self.onTurn + 1) % self.positions.count
            if !self.isOut[self.onTurn] { return }
        }
    }

    private var foremost: Int? {
        var foremost: Int?
        for player in self.positions.indices where !self.isOut[player] && self.positions[player] > 0 {
            if self.positions[player] > (foremost.map { self.positions[$0] } ?? 0) { foremost = player }
        }
        return foremost
    }

    // MARK: The end

    /// Whether the race could end as it is said to have ended.
    func result(_ over: GameOver) -> RaceReport.Verdict {
        if case .failed = self.moves { return .notPossible("the moves do not fit") }
        let racing = self.isOut.indices.filter { !self.isOut[$0] }
        let winner: Int?
        switch over.outcome.reason {
        case .finish:
            guard let finisher else { return .failed("nobody reached the finish") }
            winner = finisher
        case .forfeit:
            guard racing.count == 1 else { return .failed("\(racing.count) players were still in the race") }
            winner = racing[0]
        case .idle:
            guard self.settings.rule == .dash, let leader else { return .failed("nobody was in front") }
            winner = leader
        case .noMoves:
            guard self.leader == nil else { return .failed("there were moves") }
            winner = nil
        case .abandoned:
            guard racing.isEmpty else { return .failed("\(racing.count) players were still in the race") }
            winner = nil
        }
        if over.outcome.reason != .finish, self.finisher != nil {
            return .failed("player \((self.finisher ?? 0) + 1) had reached the finish")
        }
        guard over.outcome.winner?.index == winner else {
            return .failed(winner.map { "player \($0 + 1) has won" } ?? "nobody has won")
        }
        return self.standings(over, winner)
    }

    /// The winner first, then by field, then by player number; those who forfeited behind all others.
    private func standings(_ over: GameOver, _ winner: Int?) -> RaceReport.Verdict {
        func key(_ player: Int) -> (Int, Int, Int64, Int) {
            (player == winner ? 0 : 1, self.isOut[player] ? 1 : 0, -Int64(self.positions[player]), player)
        }
        let due = self.positions.indices.sorted { key($0) < key($1) }.enumerated().map { index, player in
            Standing(
                rank: UInt8(index + 1), player: PlayerNumber(index: player), position: self.positions[player])
        }
        return due == over.standings
            ? .passed(winner.map { "player \($0 + 1) has won" } ?? "no winner")
            : .failed("the places are not in order")
    }
}
