import MatchRules
import RaceModel

/// When two states are the same for the exploration.
///
/// Left out, because no rule looks at it: the numbers of events; of turns, which rules only compare for
/// equality with the open one; who leads in rule `turns`; and, once a race is over, where everybody stood.
/// Everything else counts. That a finished race never changes is checked on every edge, not here.
struct StateKey: Hashable {
    private var common: UInt64
    private var phase: UInt64 = 0
    private var positions: UInt64 = 0
    /// Dash: of those who have moved, who is before whom, on one field in the order of arrival.
    private var ranking: UInt64 = 0
    private var draw: DrawRounds?

    init(_ node: Explorer.Node) {
        let match = node.match
        self.common =
            UInt64(match.gone.bits) | UInt64(match.forfeited.bits) << 8 | UInt64(match.departed.bits) << 16
            | UInt64(node.held.bits) << 24 | UInt64(node.open.bits) << 32
            | UInt64(node.clock.map { $0.rawValue + 1 } ?? 0) << 40 | UInt64(match.stateName.rawValue) << 44
            | (node.hasEnded ? 1 << 48 : 0) | UInt64(node.rolledFor.bits) << 52
        switch match.phase {
        case .waitingForMatch(let gathering):
            self.phase = UInt64(gathering.joined.bits) | UInt64(gathering.named.bits) << 8
            self.draw = gathering.draw
        case .waitingForRandomNumber(let draw):
            self.draw = draw
        case .waitingForStart(let lineup):
            self.phase = Self.pack(lineup)
        case .active(let race):
            self.phase = Self.pack(race.lineup) << 24
            if match.settings.rule == .turns {
                self.phase |= UInt64(race.onTurn.value) | UInt64(race.missed.bits) << 8
            } else {
                self.phase |= UInt64(race.leader?.value ?? 0) << 16
                self.ranking = Self.rank(node.arrivals, by: race.positions)
            }
            for seat in match.seats { self.positions = self.positions << 8 | UInt64(race.positions[seat]) }
        case .done(let ending):
            self.phase = UInt64(ending.agreed.bits) | (ending.isClosed ? 1 << 8 : 0)
            if let outcome = ending.outcome {
                self.phase |=
                    UInt64(outcome.winner?.value ?? 0) << 16 | UInt64(outcome.reason.rawValue + 1) << 24
            }
        }
    }

    private static func rank(_ arrivals: [Seat], by positions: SeatTable<UInt32>) -> UInt64 {
        guard !arrivals.isEmpty else { return 0 }
        var ranking: UInt64 = 0
        for field in Set(arrivals.map { positions[$0] }).sorted() {
            for seat in arrivals where positions[seat] == field {
                ranking = ranking << 4 | UInt64(seat.value)
            }
        }
        return ranking
    }

    /// A digit a place.
    private static func pack(_ lineup: Lineup) -> UInt64 {
        lineup.order.reduce(0) { $0 << 4 | UInt64($1.value) }
    }
}
