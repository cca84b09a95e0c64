import MatchRules
import RaceModel

/// A whole match from one seed: any events by any seats, until it is closed or the deadlines close it.
struct RandomPlay {
    /// Chance that follows from the seed; numbers are small, so that ties are common.
    struct SeededChance: Chance {
        var generator: SeededGenerator
        let seed: UInt64

        mutating func roll() -> UInt8 { UInt8(1 + self.generator.below(6)) }
        func number(round: UInt8, seat: Seat) -> UInt32 { self.draw(round, seat, 1, below: 6) }
        func mask(round: UInt8, seat: Seat) -> UInt32 { self.draw(round, seat, 2, below: 8) }

        private func draw(_ round: UInt8, _ seat: Seat, _ kind: UInt64, below bound: UInt64) -> UInt32 {
            var generator = SeededGenerator(
                seed: self.seed &* 31 &+ UInt64(round) << 16 &+ UInt64(seat.value) << 8 &+ kind)
            return UInt32(generator.below(bound))
        }
    }

    let seed: UInt64
    private(set) var node: Explorer.Node
    /// All that was told, refusals too.
    private(set) var effects: [Match.Effect] = []
    private(set) var broken: [String] = []
    private var generator: SeededGenerator
    private var chance: SeededChance
    private let configuration: Configuration
    /// One in so many events that end things is let through.
    private let patience: UInt64

    init(seed: UInt64) {
        self.seed = seed
        self.generator = SeededGenerator(seed: seed)
        let size = 2 + Int(self.generator.below(7))
        let settings = RaceSettings(
            rule: self.generator.below(2) == 0 ? .turns : .dash,
            draw: self.generator.below(2) == 0 ? .highest : .sealed,
            finish: UInt32(1 + self.generator.below(25)))
        self.patience = [1, 10, 100, 1000][Int(self.generator.below(4))]
        self.configuration = Configuration(
            name: "seed \(seed)", settings: settings, size: size, hasStranger: true, expected: .init())
        self.node = Explorer.Node(match: Match(settings: settings, size: size))
        self.chance = SeededChance(generator: SeededGenerator(seed: ~seed), seed: seed)
    }

    mutating func run() {
        for _ in 0..<400 where !self.node.match.isClosed { self.apply(self.pick()) }
        // The faults stop; the clocks alone go on.
        for _ in 0..<200 where !self.node.match.isClosed {
            let held = Array(self.node.held)
            let isGrace = !held.isEmpty && self.generator.below(2) == 0
            self.apply(isGrace ? .graceExpired(held[0]) : .deadlinePassed)
        }
    }

    private mutating func pick() -> Match.Event {
        let events = EventSource.events(for: self.node.match, in: self.configuration)
        while true {
            let event = events[Int(self.generator.below(UInt64(events.count)))]
            switch event {
            case .left, .graceExpired, .deadlinePassed:
                if self.generator.below(self.patience) == 0 { return event }
            default:
                return event
            }
        }
    }

    private mutating func apply(_ event: Match.Event) {
        var match = self.node.match
        var effects: [Match.Effect] = []
        match.apply(event, chance: &self.chance, into: &effects)
        var check = EdgeCheck(before: self.node, event: event, match: match, effects: effects)
        if !check.run() { self.broken.append("\(event): \(check.broken)") }
        self.effects += effects
        self.node = check.after
    }
}
