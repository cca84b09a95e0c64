import MatchRules
import RaceModel

/// Breadth first through every state a match can reach, by every event of every seat in every order, and
/// every way chance can fall; `EdgeCheck` looks at each edge.
///
/// Abstracted: numbers are 1 or 2, ties come in the first `tiedRounds` rounds only, the die has few faces,
/// the track is short, and states that differ only in what `StateKey` leaves out are one. Nothing else is:
/// seats drop, return, leave and send what does not count wherever they can.
struct Explorer {
    typealias Step = (inout Match, Match.Event, inout BranchingChance, inout [Match.Effect]) -> Void

    /// A match, and what those who carry out its effects know.
    struct Node {
        var match: Match
        var clock: Match.Clock?
        var held = SeatSet()
        /// Who draws in the round that was opened last.
        var open = SeatSet()
        /// The race is over, or was cancelled.
        var hasEnded = false
        /// Whose latest move the server made.
        var rolledFor = SeatSet()
        /// Dash: who has moved, in the order of their latest moves.
        var arrivals: [Seat] = []

        /// Once a race is over nothing depends on how it went.
        mutating func forgetRace() {
            self.rolledFor = SeatSet()
            self.arrivals = []
        }

        /// Who leads by what was told: furthest on, and of those who came there first.
        var leader: Seat? {
            guard let race = self.match.race else { return nil }
            let racing = self.arrivals.filter { self.match.racing.contains($0) }
            let foremost = racing.map { race.positions[$0] }.max()
            return racing.first { race.positions[$0] == foremost }
        }
    }

    struct Report: Sendable {
        var counts = Configuration.Counts()
        /// At most one for each invariant, the one that is found first.
        var violations: [Violation] = []
        var observations = Observations()
    }

    private struct Origin {
        var parent: Int
        var event: Match.Event
        var depth: Int
    }

    let configuration: Configuration
    let step: Step
    private var nodes: [Node] = []
    private var origins: [Origin] = []
    /// For each state, where a deadline can lead from it.
    private var afterDeadline: [[Int32]] = []
    private var indices: [StateKey: Int32] = [:]
    private var broken = Set<Invariant>()
    private var report = Report()

    init(_ configuration: Configuration, step: @escaping Step = Self.rules) {
        self.configuration = configuration
        self.step = step
    }

    /// The real thing.
    static func rules(
        _ match: inout Match, _ event: Match.Event, _ chance: inout BranchingChance,
        _ effects: inout [Match.Effect]
    ) {
        match.apply(event, chance: &chance, into: &effects)
    }

    mutating func run() -> Report {
        let start = Node(match: Match(settings: self.configuration.settings, size: self.configuration.size))
        _ = self.index(of: start, from: Origin(parent: -1, event: .deadlinePassed, depth: 0))
        var index = 0
        while index < self.nodes.count {
            if self.isFollowed(self.nodes[index].match) { self.expand(index) }
            index += 1
        }
        self.report.counts.states = self.nodes.count
        self.report.counts.depth = self.origins.last?.depth ?? 0
        self.checkDeadlines()
        return self.report
    }

    private func isFollowed(_ match: Match) -> Bool {
        guard let order = self.configuration.followedOrder, case .waitingForStart(let lineup) = match.phase
        else { return true }
        return lineup.order == order
    }

    private mutating func expand(_ index: Int) {
        let before = self.nodes[index]
        if let clock = before.clock { self.report.observations.note(clock, in: before.match.stateName) }
        let choices = Choices()
        var chance = BranchingChance(
            choices: choices, faces: self.configuration.faces, tiedRounds: self.configuration.tiedRounds)
        var effects: [Match.Effect] = []
        for event in EventSource.events(for: before.match, in: self.configuration) {
            repeat {
                effects.removeAll(keepingCapacity: true)
                var match = before.match
                self.step(&match, event, &chance, &effects)
                self.follow(index, event, before, match, effects)
            } while choices.advance()
        }
    }

    private mutating func follow(
        _ index: Int, _ event: Match.Event, _ before: Node, _ match: Match, _ effects: [Match.Effect]
    ) {
        self.report.observations.note(before, event, match, effects)
        if EdgeCheck.isCleanRefusal(effects, before.match, match) {
            self.report.counts.refusals += 1
            return
        }
        var check = EdgeCheck(before: before, event: event, match: match, effects: effects)
        guard check.run() else {
            for (invariant, detail) in check.broken { self.report(invariant, detail, at: index, event) }
            return
        }
        self.report.counts.edges += 1
        let origin = Origin(parent: index, event: event, depth: self.origins[index].depth + 1)
        let next = self.index(of: check.after, from: origin)
        switch event {
        case .deadlinePassed, .graceExpired: self.afterDeadline[index].append(next)
        default: break
        }
    }

    private mutating func index(of node: Node, from origin: Origin) -> Int32 {
        let key = StateKey(node)
        if let known = self.indices[key] { return known }
        let index = Int32(self.nodes.count)
        self.indices[key] = index
        self.nodes.append(node)
        self.origins.append(origin)
        self.afterDeadline.append([])
        return index
    }

    /// The longest chain of deadlines from each state; a chain that comes back to itself, or stops before the
    /// match is closed, is a fault.
    private mutating func checkDeadlines() {
        let unknown = -1
        let underway = -2
        var lengths = [Int](repeating: unknown, count: self.nodes.count)
        for start in self.nodes.indices where lengths[start] == unknown && self.isFollowed(start) {
            var stack = [start]
            while let top = stack.last {
                let isNew = lengths[top] == unknown
                lengths[top] = lengths[top] == unknown ? underway : lengths[top]
                let next = self.afterDeadline[top].map(Int.init).filter { self.isFollowed($0) }
                if isNew {
                    if next.contains(where: { lengths[$0] == underway }) {
                        self.report(.deadlinesEnd, "they go in a circle", at: top, .deadlinePassed)
                    }
                    stack.append(contentsOf: next.filter { lengths[$0] == unknown })
                    if stack.last != top { continue }
                }
                stack.removeLast()
                guard lengths[top] == underway else { continue }
                if self.afterDeadline[top].isEmpty && !self.nodes[top].match.isClosed {
                    self.report(.deadlinesEnd, "no deadline leads on", at: top, .deadlinePassed)
                }
                lengths[top] = next.map { max(lengths[$0], 0) + 1 }.max() ?? 0
            }
        }
        self.report.counts.deadlines = lengths.max() ?? 0
    }

    private func isFollowed(_ index: Int) -> Bool { self.isFollowed(self.nodes[index].match) }

    private mutating func report(
        _ invariant: Invariant, _ detail: String, at index: Int, _ event: Match.Event
    ) {
        guard self.broken.insert(invariant).inserted else { return }
        var trace = [event]
        var index = index
        while self.origins[index].parent >= 0 {
            trace.append(self.origins[index].event)
            index = self.origins[index].parent
        }
        self.report.violations.append(
            Violation(invariant: invariant, detail: detail, trace: trace.reversed()))
    }
}
