import MatchRules

/// What an exploration saw, by state and event: where it led, what refused it, and what was told.
struct Observations: Equatable, Sendable {
    struct Cell: Equatable, Sendable {
        // A bit for each raw value.
        private var states: UInt32 = 0
        private var refusals: UInt32 = 0
        private var words: UInt32 = 0
        /// It can close the match.
        private(set) var closes = false

        var isAccepted: Bool { self.states != 0 || self.closes }
        /// Where it can lead, short of closed.
        var next: [StateName] { StateName.allCases.filter { self.states & 1 << UInt32($0.rawValue) != 0 } }
        var refused: [Refusal] { Refusal.allCases.filter { self.refusals & 1 << UInt32($0.rawValue) != 0 } }
        var told: [Told] { Told.allCases.filter { self.words & 1 << $0.rawValue != 0 } }

        mutating func note(_ after: Match, _ effects: [Match.Effect]) {
            if case .refused(let refusal)? = effects.first {
                self.refusals |= 1 << UInt32(refusal.rawValue)
                return
            }
            if after.isClosed {
                self.closes = true
            } else {
                self.states |= 1 << UInt32(after.stateName.rawValue)
            }
            for effect in effects {
                if let told = effect.told { self.words |= 1 << told.rawValue }
            }
        }

        mutating func merge(_ other: Cell) {
            self.states |= other.states
            self.refusals |= other.refusals
            self.words |= other.words
            self.closes = self.closes || other.closes
        }
    }

    private var cells = [Cell](repeating: Cell(), count: StateName.allCases.count * EventName.allCases.count)
    /// Which clock ran, by state.
    private(set) var clocks = [Set<Match.Clock>](repeating: [], count: StateName.allCases.count)

    subscript(state: StateName, event: EventName) -> Cell { self.cells[Self.index(state, event)] }

    private static func index(_ state: StateName, _ event: EventName) -> Int {
        state.rawValue * EventName.allCases.count + event.rawValue
    }

    mutating func note(
        _ before: Explorer.Node, _ event: Match.Event, _ after: Match, _ effects: [Match.Effect]
    ) {
        self.cells[Self.index(before.match.stateName, event.name)].note(after, effects)
    }

    mutating func note(_ clock: Match.Clock, in state: StateName) {
        self.clocks[state.rawValue].insert(clock)
    }

    mutating func merge(_ other: Observations) {
        for index in self.cells.indices { self.cells[index].merge(other.cells[index]) }
        for index in self.clocks.indices { self.clocks[index].formUnion(other.clocks[index]) }
    }
}
