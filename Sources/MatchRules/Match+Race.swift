import RaceModel

/// Waiting for start and active.
extension Match {
    mutating func begin(_ lineup: Lineup, byServer: Bool, into effects: inout [Effect]) {
        effects.append(.began(byServer: byServer))
        var race = Race(lineup: lineup)
        switch self.settings.rule {
        case .turns:
            race.onTurn = PlayerNumber(1)
            self.startTurn(&race, into: &effects)
        case .dash:
            effects.append(.startClock(.idle))
        }
        self.phase = .active(race)
    }

    mutating func move(
        _ seat: Seat, turn: UInt32, in race: Race, chance: inout some Chance, into effects: inout [Effect]
    ) {
        guard self.members.contains(seat) else { return effects.append(.refused(.notSeated)) }
        guard !self.forfeited.contains(seat) else { return effects.append(.refused(.outOfRace)) }
        guard turn == 0 || turn == race.turn else { return effects.append(.refused(.staleTurn)) }
        var race = race
        switch self.settings.rule {
        case .turns:
            guard race.lineup.seat(of: race.onTurn) == seat else {
                return effects.append(.refused(.notYourTurn))
            }
            race.missed.remove(seat)
            self.step(seat, chance.roll(), automatic: false, in: &race, into: &effects)
        case .dash:
            self.step(seat, 1, automatic: false, in: &race, into: &effects)
        }
    }

    /// The turn, or in dash the idle time, has run out.
    mutating func expire(_ race: Race, chance: inout some Chance, into effects: inout [Effect]) {
        switch self.settings.rule {
        case .turns:
            let seat = race.lineup.seat(of: race.onTurn)
            if race.missed.contains(seat) {
                self.forfeit(seat, race, reason: .missedTurns, into: &effects)
            } else {
                var race = race
                race.missed.insert(seat)
                self.step(seat, chance.roll(), automatic: true, in: &race, into: &effects)
            }
        case .dash:
            let winner = race.leader.map { race.lineup.player(at: $0) }
            self.finish(
                race, Outcome(winner: winner, reason: winner == nil ? .noMoves : .idle), into: &effects)
        }
    }

    private mutating func step(
        _ seat: Seat, _ steps: UInt8, automatic: Bool, in race: inout Race, into effects: inout [Effect]
    ) {
        let player = race.lineup.player(at: seat)
        race.positions[seat] += UInt32(steps)
        let position = race.positions[seat]
        if race.leader.map({ race.positions[$0] < position }) ?? true { race.leader = seat }
        effects.append(
            .moved(
                sequence: race.nextSequence(), turn: race.turn, player: player, steps: steps,
                position: position, automatic: automatic))
        race.arrivals[seat] = race.sequence
        if position >= self.settings.finish {
            return self.finish(race, Outcome(winner: player, reason: .finish), into: &effects)
        }
        self.passOn(&race, into: &effects)
    }

    /// The next turn, or in dash the next idle time.
    private mutating func passOn(_ race: inout Race, into effects: inout [Effect]) {
        switch self.settings.rule {
        case .turns:
            repeat {
                race.onTurn = PlayerNumber(race.onTurn.value % race.lineup.count + 1)
            } while self.forfeited.contains(race.lineup.seat(of: race.onTurn))
            self.startTurn(&race, into: &effects)
        case .dash:
            effects.append(.startClock(.idle))
        }
        self.phase = .active(race)
    }

    private func startTurn(_ race: inout Race, into effects: inout [Effect]) {
        race.turn += 1
        effects.append(
            .turnStarted(sequence: race.nextSequence(), turn: race.turn, player: race.onTurn))
        effects.append(.startClock(.turn))
    }

    /// Takes a seat out of the race; the last one left wins, once they are there.
    mutating func forfeit(
        _ seat: Seat, _ race: Race, reason: ForfeitReason, into effects: inout [Effect]
    ) {
        var race = race
        self.forfeited.insert(seat)
        effects.append(
            .forfeited(
                sequence: race.nextSequence(), player: race.lineup.player(at: seat), reason: reason))
        if race.leader == seat { race.leader = self.foremost(in: race) }
        let leaver = self.departed.contains(seat) ? seat : nil
        if self.finishIfAlone(race, leaver: leaver, into: &effects) { return }
        if let leaver { effects.append(.departed(leaver)) }
        if self.settings.rule == .turns, race.lineup.seat(of: race.onTurn) == seat {
            self.passOn(&race, into: &effects)
        } else {
            self.phase = .active(race)
        }
    }

    /// A seat alone in the race wins when it is here; while it is held the race waits for it, and when there
    /// is none it is abandoned.
    /// - Parameter leaver: who ended the race by leaving: they are told how it ended, and are gone then.
    mutating func finishIfAlone(
        _ race: Race, leaver: Seat? = nil, into effects: inout [Effect]
    ) -> Bool {
        var racing = self.racing.makeIterator()
        guard let last = racing.next() else {
            self.finish(race, Outcome(winner: nil, reason: .abandoned), leaver: leaver, into: &effects)
            return true
        }
        guard racing.next() == nil, !self.gone.contains(last) else { return false }
        let winner = race.lineup.player(at: last)
        self.finish(race, Outcome(winner: winner, reason: .forfeit), leaver: leaver, into: &effects)
        return true
    }

    /// Of those who race and have moved: who is furthest on, and of several there who came first.
    private func foremost(in race: Race) -> Seat? {
        self.racing.filter { race.positions[$0] > 0 }.max { left, right in
            if race.positions[left] != race.positions[right] {
                return race.positions[left] < race.positions[right]
            }
            return race.arrivals[left] > race.arrivals[right]
        }
    }

    private mutating func finish(
        _ race: Race, _ outcome: Outcome, leaver: Seat? = nil, into effects: inout [Effect]
    ) {
        var race = race
        effects.append(.over(sequence: race.nextSequence(), outcome))
        if let leaver { effects.append(.departed(leaver)) }
        let ending = Ending(race: race, outcome: outcome)
        self.phase = .done(ending)
        effects.append(.startClock(.rematch))
        self.closeIfDeserted(ending, into: &effects)
    }
}
