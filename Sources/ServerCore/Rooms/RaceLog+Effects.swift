import MatchRules
import RaceModel
import Records

extension RaceLog {
    /// Only numbered events are written down.
    mutating func note(_ effect: Match.Effect) {
        switch effect {
        case .turnStarted(_, _, let player): self.noteTurn(of: player)
        case .moved(_, _, let player, let steps, _, let automatic):
            self.noteMove(of: player, steps: steps, automatic: automatic)
        case .forfeited(_, let player, let reason): self.noteForfeit(of: player, reason)
        case .refused, .startClock, .stopClock, .holdSeat, .releaseSeat, .gone, .back, .matched, .roundOpened,
            .revealed, .ordered, .began, .over, .cancelled, .rematchOffered, .rematchWithdrawn, .departed,
            .rematchAgreed, .closed:
            break
        }
    }
}
