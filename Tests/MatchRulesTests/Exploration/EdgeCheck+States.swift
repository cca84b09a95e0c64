import MatchRules
import RaceModel

/// Compares the states, with each other and with what was told.
extension EdgeCheck {
    func checkClock() {
        let expected: Match.Clock? =
            switch self.match.phase {
            case .waitingForMatch(let gathering): gathering.joined.isEmpty ? nil : .aliasLookUp
            case .waitingForRandomNumber: .number
            case .waitingForStart: .start
            case .active: self.match.settings.rule == .turns ? .turn : .idle
            case .done(let ending): ending.isClosed ? nil : .rematch
            }
        let running = self.after.clock
        self.require(
            running == expected, .clockRuns, "\(String(describing: running)) runs in \(self.match.stateName)")
        let isFirstJoin = self.before.clock == nil && self.event.name == .joined
        // Once the time for a rematch is over, held seats are waited for.
        let waitsOn = self.before.match.ending != nil && self.event.name == .deadlinePassed
        let mayStart = self.opensSomething || isFirstJoin || waitsOn
        self.require(
            mayStart == self.startsClock || self.match.isClosed, .clockRuns, "started: \(self.startsClock)")
    }

    func checkSeats() {
        let gone = self.match.gone
        self.require(
            gone == self.after.held, .goneSeatsAreHeld, "gone \(gone.bits), held \(self.after.held.bits)")
        let departures = self.match.departed.subtracting(self.before.match.departed)
        self.require(
            departures == self.departed, .departedIsFinal,
            "\(departures.bits) depart, \(self.departed.bits) are told")
        self.require(
            self.match.departed.isSuperset(of: self.before.match.departed), .departedIsFinal, "one came back")
        self.require(
            self.match.forfeited.isSuperset(of: self.before.match.forfeited), .oneOnTurn, "one races again")
        if let seat = self.event.seat, self.before.match.departed.contains(seat) {
            self.fail(.departedIsFinal, "\(seat) acts")
        }
        let isForward = self.before.match.stateName.rawValue <= self.match.stateName.rawValue
        self.require(isForward, .noWayBack, "\(self.before.match.stateName) → \(self.match.stateName)")
    }

    func checkRace() {
        self.require(
            self.sequence == self.match.race?.sequence ?? 0, .sequenceRises, "\(self.sequence) was told last")
        guard case .active(let race) = self.match.phase else { return }
        self.require(race.turn == self.turn, .sequenceRises, "turn \(race.turn), \(self.turn) was told")
        if self.match.settings.rule == .turns {
            let isPlayer = race.onTurn.value >= 1 && race.onTurn.value <= race.lineup.count
            self.require(isPlayer, .oneOnTurn, "\(race.onTurn) is nobody")
            let isOut = isPlayer && self.match.forfeited.contains(race.lineup.seat(of: race.onTurn))
            self.require(!isOut, .oneOnTurn, "\(race.onTurn) is on turn and out")
        }
        let racing = self.match.racing
        let isOpen = racing.count >= 2 || (racing.count == 1 && self.match.gone.isSuperset(of: racing))
        self.require(isOpen, .raceCanBeWon, "\(racing.map(\.value)) race on")
        self.require(
            self.match.members.isSuperset(of: racing), .departedIsFinal, "a seat races that has departed")
        for seat in self.match.seats where race.positions[seat] >= self.match.settings.finish {
            self.fail(.raceCanBeWon, "\(seat) is at the finish")
        }
    }

    func checkPositions() {
        guard let race = self.match.race else { return }
        var expected = SeatTable<UInt32>(repeating: 0)
        if let earlier = self.before.match.race { expected = earlier.positions }
        for (player, steps, position) in self.moves {
            let seat = race.lineup.seat(of: player)
            expected[seat] += steps
            self.require(
                expected[seat] == position && steps > 0, .positionsNeverFall,
                "\(player) is told at \(position)")
        }
        for seat in self.match.seats where expected[seat] != race.positions[seat] {
            self.fail(
                .positionsNeverFall, "\(seat) stands at \(race.positions[seat]), not \(expected[seat])")
        }
    }

    /// Closing is told once, when it happens, and a rematch is what all who are still there want.
    func checkClosing() {
        let expected = self.match.isClosed && !self.before.match.isClosed ? 1 : 0
        self.require(self.closings == expected, .closedIsTold, "told \(self.closings) times")
        let members = self.match.members
        let allAgree = self.match.ending?.agreed == members && members.count >= 2
        let isRight = self.again == (allAgree ? members : nil)
        self.require(isRight, .rematchNeedsAll, "\(members.map(\.value)) are there")
    }

    func checkEnd() {
        guard let ending = self.match.ending else { return }
        self.require(self.after.hasEnded, .oneOutcome, "nobody was told that it ended")
        self.require(
            ending.isClosed || self.match.members.count >= 2 || !self.match.gone.isEmpty, .raceCanBeWon,
            "nobody is left for a rematch, and no seat is held")
        self.require(
            self.match.members.isSuperset(of: ending.agreed), .departedIsFinal, "a seat agrees that departed")
        if let earlier = self.before.match.ending {
            let isSame = earlier.race == ending.race && earlier.outcome == ending.outcome
            self.require(isSame, .doneIsFinal, "the race or its outcome changed")
            self.require(self.moves.isEmpty, .doneIsFinal, "a move")
            self.require(self.before.match.forfeited == self.match.forfeited, .doneIsFinal, "a forfeit")
            self.require(!earlier.isClosed, .doneIsFinal, "\(self.event) counts in a closed match")
        } else if let outcome = ending.outcome, let race = ending.race {
            self.checkOutcome(outcome, race)
        }
    }

    private func checkOutcome(_ outcome: Outcome, _ race: Race) {
        let finish = self.match.settings.finish
        let winner = outcome.winner.map { race.lineup.seat(of: $0) }
        let isFair: Bool
        switch outcome.reason {
        case .finish:
            let arrived = self.match.seats.filter { race.positions[$0] >= finish }
            isFair = arrived == winner.map { [$0] } ?? []
        case .forfeit:
            isFair =
                winner.map { self.match.racing == SeatSet([$0]) && !self.match.gone.contains($0) } ?? false
        case .idle:
            isFair = winner != nil && winner == self.after.leader
        case .noMoves:
            isFair = winner == nil && self.match.racing.allSatisfy { race.positions[$0] == 0 }
        case .abandoned:
            isFair = winner == nil && self.match.racing.isEmpty
        }
        let isRacing = winner.map(self.match.racing.contains) ?? true
        self.require(isFair && isRacing, .oneOutcome, "\(outcome) at \(self.match.positions)")
    }
}
