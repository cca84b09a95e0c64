import MatchRules
import RaceModel

/// Reads the effects as those who carry them out do.
extension EdgeCheck {
    mutating func read(_ effect: Match.Effect) {
        switch effect {
        case .refused, .gone, .back, .matched, .rematchOffered, .rematchWithdrawn:
            break
        case .rematchAgreed(let seats):
            self.again = seats
        case .closed:
            self.closings += 1
        case .startClock(let clock):
            self.after.clock = clock
            self.startsClock = true
        case .stopClock:
            self.after.clock = nil
        case .holdSeat(let seat):
            self.require(!self.after.held.contains(seat), .goneSeatsAreHeld, "\(seat) is held twice")
            self.after.held.insert(seat)
        case .releaseSeat(let seat):
            self.require(self.after.held.contains(seat), .goneSeatsAreHeld, "\(seat) is released unheld")
            self.after.held.remove(seat)
        case .roundOpened(_, let drawing):
            self.closeRound()
            self.after.open = drawing
            self.opensSomething = true
        case .revealed(let round, let seat, let number, let byServer):
            self.reveal(seat, round: round, number: number, byServer: byServer)
        case .ordered:
            self.closeRound()
            self.opensSomething = true
        case .began:
            self.opensSomething = true
        case .turnStarted(let sequence, let turn, let player):
            self.count(sequence)
            self.require(player == self.nextPlayer, .turnsGoRound, "it is \(player)'s turn")
            self.turn += 1
            self.require(turn == self.turn, .sequenceRises, "turn \(turn) follows \(self.turn - 1)")
            self.opensSomething = true
        case .moved(let sequence, let turn, let player, let steps, let position, let automatic):
            self.count(sequence)
            self.require(turn == self.turn, .sequenceRises, "a move in turn \(turn), not \(self.turn)")
            self.moves.append((player, UInt32(steps), position))
            self.opensSomething = true
            if let seat = self.match.race?.lineup.seat(of: player) { self.note(seat, automatic: automatic) }
        case .forfeited(let sequence, let player, let reason):
            self.count(sequence)
            guard let seat = self.match.race?.lineup.seat(of: player) else { break }
            self.require(self.match.forfeited.contains(seat), .oneOutcome, "\(player) is not out")
            let missedBoth = self.event == .deadlinePassed && self.before.rolledFor.contains(seat)
            self.require((reason == .missedTurns) == missedBoth, .missedTwiceIsOut, "\(player) is out")
        case .over(let sequence, let outcome):
            self.count(sequence)
            self.end()
            self.require(self.match.ending?.outcome == outcome, .oneOutcome, "\(outcome) is not how it ended")
            self.opensSomething = true
        case .cancelled:
            self.end()
        case .departed(let seat):
            self.require(!self.departed.contains(seat), .departedIsFinal, "\(seat) is told twice")
            self.departed.insert(seat)
        }
    }

    private mutating func note(_ seat: Seat, automatic: Bool) {
        let isDash = self.match.settings.rule == .dash
        self.require(
            automatic == (self.event == .deadlinePassed) && !(automatic && isDash), .missedTwiceIsOut,
            "automatic: \(automatic)")
        let missedBoth = automatic && self.before.rolledFor.contains(seat)
        self.require(!missedBoth, .missedTwiceIsOut, "the server rolls for \(seat) again")
        if automatic { self.after.rolledFor.insert(seat) } else { self.after.rolledFor.remove(seat) }
        guard isDash else { return }
        self.after.arrivals.removeAll { $0 == seat }
        self.after.arrivals.append(seat)
    }

    /// Behind the one on turn, of those who are not out; player 1 in the first turn.
    private var nextPlayer: PlayerNumber {
        guard let race = self.before.match.race else { return PlayerNumber(1) }
        let count = Int(race.lineup.count)
        let others = (1...count).map { PlayerNumber(index: (race.onTurn.index + $0) % count) }
        return others.first { !self.match.forfeited.contains(race.lineup.seat(of: $0)) } ?? race.onTurn
    }

    private mutating func end() {
        self.require(!self.after.hasEnded, .oneOutcome, "it ends a second time")
        self.after.hasEnded = true
    }

    private mutating func count(_ sequence: UInt32) {
        self.require(sequence == self.sequence + 1, .sequenceRises, "\(sequence) follows \(self.sequence)")
        self.sequence = sequence
    }

    private mutating func reveal(_ seat: Seat, round: UInt8, number: UInt32, byServer: Bool) {
        self.revealed.append(seat)
        let draw = self.before.match.draw
        if let draw, draw.round == round, draw.received.contains(seat) {
            let isSame = draw.number(of: seat) == number && draw.byServer.contains(seat) == byServer
            self.require(isSame, .numbersHidden, "\(seat) drew another number than is shown")
            return
        }
        switch self.event {
        case .drewNumber(seat, _, let sent):
            self.require(byServer == (sent == nil), .numbersHidden, "\(seat) did not draw this itself")
            if let sent { self.require(number == sent, .numbersHidden, "\(seat) drew \(sent)") }
        default:
            self.require(byServer, .numbersHidden, "\(seat) has not drawn")
        }
    }

    /// All of the round together, in order of seats, or none.
    mutating func closeRound() {
        guard !self.revealed.isEmpty else { return }
        self.require(
            self.revealed == Array(self.after.open), .numbersHidden,
            "\(self.revealed.map(\.value)) are shown of \(self.after.open.map(\.value))")
        self.revealed = []
    }
}
