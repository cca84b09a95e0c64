import MatchRules
import RaceModel

/// Checks one edge of the exploration: what was told against what is, the state behind against the one
/// before.
///
/// It reads the effects as those who carry them out do, and knows nothing of how the rules came to them.
struct EdgeCheck {
    let before: Explorer.Node
    let event: Match.Event
    let match: Match
    let effects: [Match.Effect]
    /// The node behind the edge.
    var after: Explorer.Node
    var broken: [(Invariant, String)] { self.findings.broken }

    /// Behind a reference, so that a detail can be put into words from the very value that is being checked.
    final class Findings {
        var broken: [(Invariant, String)] = []
    }

    let findings = Findings()

    // What the effects told.
    var sequence: UInt32
    var turn: UInt32
    var revealed: [Seat] = []
    var moves: [(player: PlayerNumber, steps: UInt32, position: UInt32)] = []
    var departed = SeatSet()
    var startsClock = false
    /// Something new is waited for.
    var opensSomething = false
    var closings = 0
    /// Who is told to race again.
    var again: SeatSet?

    init(before: Explorer.Node, event: Match.Event, match: Match, effects: [Match.Effect]) {
        self.before = before
        self.event = event
        self.match = match
        self.effects = effects
        self.after = before
        self.after.match = match
        self.sequence = before.match.race?.sequence ?? 0
        self.turn = before.match.race?.turn ?? 0
    }

    /// Three edges in four are refusals, so they are looked at without the rest.
    static func isCleanRefusal(_ effects: [Match.Effect], _ before: Match, _ after: Match) -> Bool {
        guard effects.count == 1, case .refused = effects[0] else { return false }
        return before == after
    }

    /// Whether all held.
    mutating func run() -> Bool {
        guard !self.effects.contains(where: { if case .refused = $0 { true } else { false } }) else {
            if !Self.isCleanRefusal(self.effects, self.before.match, self.match) {
                self.fail(
                    .refusalChangesNothing, "\(self.effects), changed: \(self.match != self.before.match)")
            }
            return self.broken.isEmpty
        }
        for effect in self.effects { self.read(effect) }
        self.closeRound()
        self.checkClock()
        self.checkSeats()
        self.checkRace()
        self.checkPositions()
        self.checkEnd()
        self.checkClosing()
        if self.match.ending != nil { self.after.forgetRace() }
        return self.broken.isEmpty
    }

    func fail(_ invariant: Invariant, _ detail: String) {
        self.findings.broken.append((invariant, detail))
    }

    func require(_ holds: Bool, _ invariant: Invariant, _ detail: @autoclosure () -> String) {
        if !holds { self.fail(invariant, detail()) }
    }
}
