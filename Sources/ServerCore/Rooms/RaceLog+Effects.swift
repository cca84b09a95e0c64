import MatchRules
import RaceModel
import Records

extension RaceLog {
    /// Only numbered events are written down.
    /// - Returns: how many are here.
    mutating func note(_ effect: Match.Effect) -> Int {
        switch effect {
        case .turnStarted(_, _, let player): return self.noteTurn(of: player)
        case .moved(_, _, let player, let steps, _, let automatic):
            return self.noteMove(of: player, steps: steps, automatic: automatic)
        case .forfeited(_, let player, let reason): return self.noteForfeit(of: player, reason)
        case .refused, .startClock, .stopClock, .holdSeat, .releaseSeat, .gone, .back, .matched, .roundOpened,
            .revealed, .ordered, .began, .over, .cancelled, .rematchOffered, .rematchWithdrawn, .departed,
            .rematchAgreed, .closed:
            return self.count
        }
    }
}
