import ClientCore
import Fairness
import RaceModel
import Records
import WireProtocol

/// All that a server sends of one race, made by the rules from a seed: numbers are few, so that there are
/// ties.
struct HonestRace {
    var messages: [ServerMessage] = []
    let nonce: SealedNonce
    let found: MatchFound
    private(set) var order: [Seat] = []
    private var final: [UInt32]
    private var numbers: [RevealedNumber] = []
    private var events: [ServerMessage] = []
    private var generator: SeededGenerator
    private var sequence: UInt32 = 0

    private static let names = ["ann", "bob", "eve", "Мия", "kim", "leo", "猫", "zoe"]

    init(
        seed: UInt64, players: Int, settings: RaceSettings, forfeits: Bool = false, ownSeat: UInt8? = 1
    ) {
        self.generator = SeededGenerator(seed: seed)
        let words = (generator.next(), generator.next(), generator.next(), generator.next())
        self.nonce = SealedNonce(nonce: Bytes32(words: words))
        self.found = MatchFound(
            match: MatchID(7), ownSeat: ownSeat.map { Seat($0) }, settings: settings, seal: self.nonce.seal,
            seats: (0..<players).compactMap { index in
                Alias(Self.names[index]).map {
                    SeatEntry(seat: Seat(index: index), player: PlayerID(UInt64(index + 17)), alias: $0)
                }
            })
        self.final = [UInt32](repeating: 0, count: players)
        self.messages.append(.matchFound(self.found))
        self.draw()
        self.messages.append(.playerOrder(self.order))
        self.messages.append(.gameBegin(seconds: 20))
        self.run(forfeits: forfeits)
    }

    private mutating func draw() {
        var places = [Int](repeating: 0, count: self.found.seats.count)
        var drawing = self.found.seats.map(\.seat)
        var round: UInt8 = 1
        while true {
            if round > 1 { self.messages.append(.drawAgain(round: round, seats: drawing)) }
            var ranks: [Seat: UInt32] = [:]
            for seat in drawing {
                let byServer = round > 3 || self.generator.below(4) == 0
                let number =
                    byServer
                    ? self.nonce.drawnNumber(round: round, seat: seat)
                    : UInt32(self.generator.below(3)) &* 0x4000_0000
                self.final[seat.index] = number
                ranks[seat] = self.nonce.rank(
                    of: number, round: round, seat: seat, draw: self.found.settings.draw)
                let revealed = RevealedNumber(
                    round: round, seat: seat, number: number, drawnByServer: byServer)
                self.numbers.append(revealed)
                self.messages.append(.randomNumber(revealed))
            }
            let before = places
            for seat in drawing {
                for other in drawing where before[other.index] == before[seat.index] {
                    if (ranks[other] ?? 0) > (ranks[seat] ?? 0) { places[seat.index] += 1 }
                }
            }
            drawing = drawing.filter { seat in
                drawing.contains { $0 != seat && places[$0.index] == places[seat.index] }
            }
            if drawing.isEmpty { break }
            round += 1
        }
        self.order = self.found.seats.map(\.seat).sorted { places[$0.index] < places[$1.index] }
    }

    private mutating func next() -> UInt32 {
        self.sequence += 1
        return self.sequence
    }

    private mutating func add(_ event: ServerMessage) {
        self.messages.append(event)
        self.events.append(event)
    }

    private mutating func run(forfeits: Bool) {
        let isTurns = self.found.settings.rule == .turns
        var dice = self.nonce.dice(numbers: self.final)
        var positions = [UInt32](repeating: 0, count: self.order.count)
        var racing = Array(self.order.indices)
        var player = 0
        var turn: UInt32 = 0
        var outcome: Outcome?
        while outcome == nil {
            if isTurns {
                turn += 1
                self.messages.append(
                    .turnStarted(
                        TurnStarted(
                            sequence: self.next(), turn: turn, player: PlayerNumber(index: player),
                            seconds: 20)))
            } else {
                player = racing[Int(self.generator.below(UInt64(racing.count)))]
            }
            if forfeits, self.generator.below(6) == 0 {
                self.add(
                    .forfeited(
                        Forfeited(sequence: self.next(), player: PlayerNumber(index: player), reason: .left)))
                racing.removeAll { $0 == player }
                if racing.count == 1 {
                    outcome = Outcome(winner: PlayerNumber(index: racing[0]), reason: .forfeit)
                }
            } else {
                let steps = isTurns ? dice.roll() : 1
                positions[player] += UInt32(steps)
                self.add(
                    .moved(
                        Moved(
                            sequence: self.next(), turn: turn, player: PlayerNumber(index: player),
                            steps: steps,
                            position: positions[player], automatic: false)))
                if positions[player] >= self.found.settings.finish {
                    outcome = Outcome(winner: PlayerNumber(index: player), reason: .finish)
                }
            }
            repeat { player = (player + 1) % positions.count } while !racing.contains(player)
        }
        if let outcome { self.finish(outcome, positions, racing) }
    }

    private mutating func finish(_ outcome: Outcome, _ positions: [UInt32], _ racing: [Int]) {
        let places = positions.indices.sorted { left, right in
            let isLeftWinner = outcome.winner?.index == left
            if isLeftWinner != (outcome.winner?.index == right) { return isLeftWinner }
            if racing.contains(left) != racing.contains(right) { return racing.contains(left) }
            return (positions[right], left) < (positions[left], right)
        }
        var record = RaceRecord(found: self.found)
        for revealed in self.numbers { record.append(.randomNumber(revealed)) }
        record.append(.playerOrder(self.order))
        for event in self.events { record.append(event) }
        let sequence = self.next()
        record.end(sequence, outcome)
        self.messages.append(
            .gameOver(
                GameOver(
                    sequence: sequence, outcome: outcome, nonce: self.nonce.nonce,
                    digest: Digest.sha256(record.text),
                    standings: places.enumerated().map { index, player in
                        Standing(
                            rank: UInt8(index + 1), player: PlayerNumber(index: player),
                            position: positions[player])
                    })))
    }

    // MARK: For falsifications

    func firstIndex(where body: (ServerMessage) -> Bool) -> Int { self.messages.firstIndex(where: body) ?? 0 }

    var over: GameOver {
        get {
            guard case .gameOver(let over) = self.messages.last else { preconditionFailure("no end") }
            return over
        }
        set { self.messages[self.messages.count - 1] = .gameOver(newValue) }
    }

    /// What a client that sees these messages reports.
    func report() -> RaceReport? { Self.report(of: self.messages) }

    static func report(of messages: [ServerMessage]) -> RaceReport? {
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        let events = client.feed(messages)
        for case .checked(let report) in events { return report }
        return nil
    }
}
