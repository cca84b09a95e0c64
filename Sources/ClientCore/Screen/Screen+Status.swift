package import RaceModel
import WireProtocol

extension Screen {
    /// What goes on now, in one row: whose turn it is and how long it has.
    func status(now: Instant) -> ScreenRow {
        if let linkStatus { return ScreenRow(DisplayText.harmless(linkStatus), .warning) }
        guard let match = self.view.match else { return self.queueStatus(now: now) }
        switch match.state {
        case .waitingForMatch: return ScreenRow("the match is being made")
        case .waitingForRandomNumber:
            if self.isManual, match.duty != nil {
                return ScreenRow("draw your number: press n", .onTurn)
            }
            let round = match.round > 1 ? ", round \(match.round)" : ""
            return ScreenRow("numbers are drawn\(round); the highest is player 1")
        case .waitingForStart:
            if match.duty == .begin, self.isManual {
                return ScreenRow("you are player 1: press b to begin", .onTurn)
            }
            let first = DisplayText.harmless(match.name(of: PlayerNumber(1)))
            return ScreenRow(
                "\(match.duty == .begin ? "you are" : "\(first) is") player 1 and begins the race")
        case .active: return self.raceStatus(match, now: now)
        case .done: return Self.endStatus(match)
        }
    }

    private func queueStatus(now: Instant) -> ScreenRow {
        guard let queued = self.view.queued else {
            return ScreenRow(self.view.identity == nil ? "saying hello" : "no race: press p to look for one")
        }
        let wanted =
            queued.minimum == queued.maximum ? "\(queued.minimum)" : "\(queued.minimum) to \(queued.maximum)"
        var text = "waiting for players: \(queued.waiting) here, \(wanted) wanted"
        if let starts = self.view.queueStarts { text += "; starts in \(Self.seconds(until: starts, now)) s" }
        return ScreenRow(text)
    }

    private func raceStatus(_ match: MatchView, now: Instant) -> ScreenRow {
        let left = match.deadline.map { Self.seconds(until: $0, now) } ?? 0
        let isOut = match.ownRunner.map { if case .out = $0.presence { true } else { false } } ?? false
        guard match.settings.rule == .turns else {
            if match.isSpectating { return ScreenRow("they run: each move is one step", .onTurn) }
            return isOut
                ? ScreenRow("you are out of this race")
                : ScreenRow("run! each press of space is a step", .onTurn)
        }
        guard let player = match.onTurn else { return ScreenRow("the die is rolled") }
        if player == match.ownNumber, !isOut {
            return ScreenRow("your turn: press space to roll (\(left) s)", .onTurn)
        }
        // What is past has no time left.
        let time = self.replay == nil ? " (\(left) s)" : ""
        return ScreenRow("\(DisplayText.harmless(match.name(of: player)))'s turn\(time)")
    }

    private static func endStatus(_ match: MatchView) -> ScreenRow {
        guard let over = match.over else { return ScreenRow("the race is over") }
        var row = ScreenRow(DisplayText.harmless(Narrator.ending(over, match)), .strong)
        if match.rematchOf > 0, match.rematchAgreed > 0 {
            row.append("  rematch: \(match.rematchAgreed) of \(match.rematchOf)")
        }
        return row
    }

    /// Whole seconds, never below 0, rounded up: 0 only once it has passed.
    package static func seconds(until instant: Instant, _ now: Instant) -> Int {
        max(0, Int((instant - now).nanoseconds &+ 999_999_999) / 1_000_000_000)
    }
}
