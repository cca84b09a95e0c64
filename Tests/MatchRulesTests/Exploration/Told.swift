import MatchRules

/// What those in a match are told of an effect, by the verb of the line.
enum Told: UInt32, CaseIterable, Sendable {
    case number = 0
    case again, order, begin, turn, moved, forfeit, over, cancelled, gone, back, rematch, newMatch
}

extension Match.Effect {
    /// Nil for what is done without a word.
    var told: Told? {
        switch self {
        case .refused, .startClock, .stopClock, .holdSeat, .releaseSeat, .matched, .departed, .closed: nil
        case .roundOpened(let round, _): round > 1 ? .again : nil
        case .revealed: .number
        case .ordered: .order
        case .began: .begin
        case .turnStarted: .turn
        case .moved: .moved
        case .forfeited: .forfeit
        case .over: .over
        case .cancelled: .cancelled
        case .gone: .gone
        case .back: .back
        case .rematchOffered, .rematchWithdrawn: .rematch
        case .rematchAgreed: .newMatch
        }
    }
}
