import MatchRules
package import RaceModel
package import WireProtocol

/// What has happened since the start, in numbers: plain additions, since some stand in the way of a request.
package struct Figures: Hashable, Sendable {
    /// From the beginning of the search to the match that was made.
    package var queueWait = Histogram()
    /// How late deadlines were met.
    package var lag = Histogram()
    /// By the code's number.
    private var refusals = [UInt64](repeating: 0, count: Self.codes)
    /// By what the door calls its reason.
    package private(set) var turnedAway: [String: UInt64] = ["banned": 0, "full": 0, "too-fast": 0]

    package init() {}

    private static let codes = Int(ErrorCode.allCases.map(\.rawValue).max() ?? 0) + 1

    mutating func countRefusal(_ code: ErrorCode) { self.refusals[Int(code.rawValue)] &+= 1 }
    mutating func countTurnedAway(_ reason: String) { self.turnedAway[reason, default: 0] &+= 1 }

    /// Errors of this code that were sent.
    package func refusals(_ code: ErrorCode) -> UInt64 { self.refusals[Int(code.rawValue)] }
}

/// Who is connected and what is played, by kind.
package struct Population: Hashable, Sendable {
    /// `text`, `binary` and, as long as nobody has said what they speak, `unknown`.
    package var connections = ["binary": 0, "text": 0, "unknown": 0]
    package var matches: [Kind: Int] = [:]

    package struct Kind: Hashable, Sendable {
        package var state: MatchState
        package var rule: RaceSettings.Rule
        package init(state: MatchState, rule: RaceSettings.Rule) {
            self.state = state
            self.rule = rule
        }
    }

    package init() {}
}

extension RaceServer {
    /// Looks at everybody: for those who ask now and then.
    package var population: Population {
        var population = Population()
        for slot in self.connections.indices where self.connections[slot].isOpen {
            population.connections[self.connections[slot].dialect.name, default: 0] += 1
        }
        for index in self.rooms.indices {
            let kind = Population.Kind(
                state: self.rooms[index].state, rule: self.rooms[index].match.settings.rule)
            population.matches[kind, default: 0] += 1
        }
        return population
    }
}

extension Connection.Dialect {
    /// For operators.
    var name: String {
        switch self {
        case .unknown, .preface: "unknown"
        case .binary: "binary"
        case .text: "text"
        }
    }
}
