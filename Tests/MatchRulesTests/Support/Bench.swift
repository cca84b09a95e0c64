import MatchRules
import RaceModel
import Testing

// Who plays in these tests, in order of seats.
let ann = Seat(1)
let bob = Seat(2)
let fay = Seat(3)
let dan = Seat(4)

let player1 = PlayerNumber(1)
let player2 = PlayerNumber(2)
let player3 = PlayerNumber(3)

/// A match and its scripted chance, with short ways to where a test begins.
struct Bench {
    var match: Match
    var chance = ScriptedChance()

    init(
        _ size: Int = 2, _ rule: RaceSettings.Rule = .turns, draw: RaceSettings.Draw = .highest,
        finish: UInt32 = 25,
        rolls: [UInt8] = []
    ) {
        self.match = Match(settings: RaceSettings(rule: rule, draw: draw, finish: finish), size: size)
        self.chance.rolls = rolls
    }

    mutating func apply(_ event: Match.Event) -> [Match.Effect] {
        var effects: [Match.Effect] = []
        self.match.apply(event, chance: &self.chance, into: &effects)
        return effects
    }

    /// Events that all have to count. What they caused.
    @discardableResult
    mutating func play(
        _ events: Match.Event..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Match.Effect] {
        var all: [Match.Effect] = []
        for event in events {
            let effects = self.apply(event)
            if case .refused(let refusal)? = effects.first {
                Issue.record("\(event) is refused: \(refusal)", sourceLocation: sourceLocation)
            }
            all += effects
        }
        return all
    }

    /// An event that must not count, and leaves the match as it was.
    mutating func refuse(
        _ event: Match.Event, _ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = self.match
        #expect(self.apply(event) == [.refused(refusal)], "\(event)", sourceLocation: sourceLocation)
        #expect(self.match == before, "\(event)", sourceLocation: sourceLocation)
    }

    /// All seats joined and named: the first round is open.
    static func drawing(
        _ size: Int = 2, _ rule: RaceSettings.Rule = .turns, draw: RaceSettings.Draw = .highest,
        finish: UInt32 = 25,
        rolls: [UInt8] = []
    ) -> Bench {
        var bench = Bench(size, rule, draw: draw, finish: finish, rolls: rolls)
        for seat in bench.match.seats { bench.play(.joined(seat)) }
        for seat in bench.match.seats { bench.play(.namesKnown(seat)) }
        return bench
    }

    /// The draw is over, with seat 1 as player 1, seat 2 as player 2 and so on.
    static func starting(
        _ size: Int = 2, _ rule: RaceSettings.Rule = .turns, finish: UInt32 = 25, rolls: [UInt8] = []
    ) -> Bench {
        var bench = Bench.drawing(size, rule, finish: finish, rolls: rolls)
        for seat in bench.match.seats {
            bench.play(.drewNumber(seat, round: 1, number: 100 - UInt32(seat.value)))
        }
        return bench
    }

    /// The race is on, with seat 1 as player 1, seat 2 as player 2 and so on.
    static func racing(
        _ size: Int = 2, _ rule: RaceSettings.Rule = .turns, finish: UInt32 = 25, rolls: [UInt8] = []
    ) -> Bench {
        var bench = Bench.starting(size, rule, finish: finish, rolls: rolls)
        bench.play(.began(ann))
        return bench
    }

    /// The order of play; nil before it is known.
    var order: [Seat]? {
        if case .waitingForStart(let lineup) = self.match.phase { return lineup.order }
        return self.match.race?.lineup.order
    }

    var onTurn: PlayerNumber? {
        if case .active(let race) = self.match.phase { race.onTurn } else { nil }
    }
}
