import RaceModel

/// Waiting for match and waiting for random number.
extension Match {
    mutating func join(
        _ seat: Seat, _ gathering: Gathering, chance: some Chance, into effects: inout [Effect]
    ) {
        guard !gathering.joined.contains(seat) else { return effects.append(.refused(.alreadyJoined)) }
        guard seat.index == gathering.joined.count, self.seats.contains(seat) else {
            return effects.append(.refused(.notSeated))
        }
        var gathering = gathering
        if gathering.joined.isEmpty { effects.append(.startClock(.aliasLookUp)) }
        gathering.joined.insert(seat)
        self.phase = .waitingForMatch(gathering)
        self.openDrawIfReady(gathering, chance: chance, into: &effects)
    }

    mutating func name(
        _ seat: Seat, _ gathering: Gathering, chance: some Chance, into effects: inout [Effect]
    ) {
        guard gathering.joined.contains(seat) else { return effects.append(.refused(.notSeated)) }
        guard !gathering.named.contains(seat) else { return effects.append(.refused(.alreadyJoined)) }
        var gathering = gathering
        gathering.named.insert(seat)
        self.phase = .waitingForMatch(gathering)
        self.openDrawIfReady(gathering, chance: chance, into: &effects)
    }

    /// The look-up time is over: aliases that did not come are done without; a seat that never joined ends
    /// the match.
    mutating func closeGathering(
        _ gathering: Gathering, chance: some Chance, into effects: inout [Effect]
    ) {
        var missing = self.seats.subtracting(gathering.joined).makeIterator()
        if let absent = missing.next() {
            effects.append(.cancelled(by: absent, .gone))
            return self.close(Ending(), into: &effects)
        }
        var gathering = gathering
        gathering.named = gathering.joined
        self.openDrawIfReady(gathering, chance: chance, into: &effects)
    }

    private mutating func openDrawIfReady(
        _ gathering: Gathering, chance: some Chance, into effects: inout [Effect]
    ) {
        guard gathering.joined == self.seats, gathering.named == self.seats else { return }
        effects.append(.matched)
        effects.append(.roundOpened(1, gathering.draw.drawing))
        effects.append(.startClock(.number))
        self.phase = .waitingForRandomNumber(gathering.draw)
        self.settleIfComplete(gathering.draw, chance: chance, into: &effects)
    }

    mutating func draw(
        _ seat: Seat, _ round: UInt8, _ number: UInt32?, in draw: DrawRounds, chance: some Chance,
        into effects: inout [Effect]
    ) {
        guard self.seats.contains(seat) else { return effects.append(.refused(.notSeated)) }
        guard round == 0 || round == draw.round else { return effects.append(.refused(.wrongRound)) }
        guard draw.drawing.contains(seat) else { return effects.append(.refused(.notTied)) }
        guard !draw.received.contains(seat) else { return effects.append(.refused(.alreadyDrew)) }
        var draw = draw
        draw.take(
            number ?? chance.number(round: draw.round, seat: seat), of: seat, byServer: number == nil)
        if case .waitingForMatch(var gathering) = self.phase {
            gathering.draw = draw
            self.phase = .waitingForMatch(gathering)
        } else {
            self.phase = .waitingForRandomNumber(draw)
            self.settleIfComplete(draw, chance: chance, into: &effects)
        }
    }

    mutating func drawForSilent(
        in draw: DrawRounds, chance: some Chance, into effects: inout [Effect]
    ) {
        var draw = draw
        for seat in draw.drawing.subtracting(draw.received) {
            draw.take(chance.number(round: draw.round, seat: seat), of: seat, byServer: true)
        }
        self.settleIfComplete(draw, chance: chance, into: &effects)
    }

    private mutating func settleIfComplete(
        _ draw: DrawRounds, chance: some Chance, into effects: inout [Effect]
    ) {
        var draw = draw
        while draw.isComplete {
            let closing = draw
            for seat in closing.drawing {
                effects.append(
                    .revealed(
                        round: closing.round, seat: seat, number: closing.number(of: seat),
                        byServer: closing.byServer.contains(seat)))
            }
            let isSealed = self.settings.draw == .sealed
            let lineup = draw.settle { number, seat in
                isSealed ? number ^ chance.mask(round: closing.round, seat: seat) : number
            }
            if let lineup {
                self.phase = .waitingForStart(lineup)
                effects.append(.ordered(lineup))
                effects.append(.startClock(.start))
                return
            }
            effects.append(.roundOpened(draw.round, draw.drawing))
            effects.append(.startClock(.number))
            if draw.round > Limits.playerDrawRounds {
                for seat in draw.drawing {
                    draw.take(chance.number(round: draw.round, seat: seat), of: seat, byServer: true)
                }
            }
        }
        self.phase = .waitingForRandomNumber(draw)
    }
}
