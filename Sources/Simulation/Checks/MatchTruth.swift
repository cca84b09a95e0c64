import RaceModel
import WireProtocol

/// What was told of one match, to whomever first: all others must be told the same.
struct MatchTruth: Sendable {
    /// A numbered event without what is only told to some.
    enum Event: Hashable, Sendable {
        case turn(UInt32, PlayerNumber)
        case moved(Moved)
        case forfeited(PlayerNumber, ForfeitReason)
        case over
    }

    let settings: RaceSettings
    let seal: Bytes32
    let seats: [PlayerID]
    var aliases: [Alias]
    private var numbers: [RevealedNumber] = []
    private(set) var order: [Seat] = []
    private var rounds: [(round: UInt8, seats: [Seat])] = []
    private var events: [Event?] = []
    private(set) var over: GameOver?
    private(set) var cancelled: MatchCancelled?

    init(settings: RaceSettings, seal: Bytes32, seats: [PlayerID], aliases: [Alias]) {
        self.settings = settings
        self.seal = seal
        self.seats = seats
        self.aliases = aliases
    }

    // Each says what does not fit, if something does not.

    mutating func add(_ number: RevealedNumber) -> String? {
        if let known = self.numbers.first(where: { $0.round == number.round && $0.seat == number.seat }) {
            return known == number ? nil : "number \(number) was \(known)"
        }
        guard number.seat.index < self.seats.count else { return "a number of seat \(number.seat.value)" }
        self.numbers.append(number)
        return self.order.isEmpty ? nil : "a number behind the order"
    }

    mutating func add(round: UInt8, seats: [Seat]) -> String? {
        if let known = self.rounds.first(where: { $0.round == round }) {
            return known.seats == seats ? nil : "round \(round) was for others"
        }
        self.rounds.append((round, seats))
        return nil
    }

    mutating func add(order: [Seat]) -> String? {
        if self.order.isEmpty {
            self.order = order
            return order.sorted() == (0..<self.seats.count).map { Seat(index: $0) }
                ? nil : "the order does not name each seat once"
        }
        return self.order == order ? nil : "the order was \(self.order)"
    }

    mutating func add(_ event: Event, sequence: UInt32) -> String? {
        guard sequence >= 1, sequence < 1_000_000 else { return "event \(sequence)" }
        if self.cancelled != nil { return "event \(sequence) of a cancelled match" }
        let index = Int(sequence) - 1
        while self.events.count <= index { self.events.append(nil) }
        if let known = self.events[index] { return known == event ? nil : "event \(sequence) was \(known)" }
        self.events[index] = event
        if let over = self.over, over.sequence < sequence { return "event \(sequence) behind the end" }
        return nil
    }

    /// - Parameter isFirst: set when nobody was told before.
    mutating func add(_ over: GameOver, isFirst: inout Bool) -> String? {
        if let known = self.over { return known == over ? nil : "the result was \(known.outcome)" }
        isFirst = true
        self.over = over
        if let winner = over.outcome.winner, winner.index < 0 || winner.index >= self.seats.count {
            return "the winner is player \(winner.value)"
        }
        return nil
    }

    mutating func add(_ cancelled: MatchCancelled) -> String? {
        if !self.events.isEmpty { return "a race that had begun was cancelled" }
        if let known = self.cancelled {
            return known.alias == cancelled.alias && known.reason == cancelled.reason
                ? nil : "it was cancelled by another"
        }
        self.cancelled = cancelled
        return nil
    }
}
