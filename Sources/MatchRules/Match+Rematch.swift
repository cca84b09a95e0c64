import RaceModel

/// Done.
extension Match {
    mutating func offerRematch(_ seat: Seat, _ ending: Ending, into effects: inout [Effect]) {
        guard !ending.isClosed else { return effects.append(.refused(.closed)) }
        guard self.members.contains(seat) else { return effects.append(.refused(.notSeated)) }
        guard !ending.agreed.contains(seat) else { return effects.append(.refused(.alreadyAgreed)) }
        var ending = ending
        ending.agreed.insert(seat)
        self.phase = .done(ending)
        effects.append(.rematchOffered(seat))
        self.agreeIfAll(ending, into: &effects)
    }

    mutating func withdrawRematch(_ seat: Seat, _ ending: Ending, into effects: inout [Effect]) {
        guard !ending.isClosed else { return effects.append(.refused(.closed)) }
        guard ending.agreed.contains(seat) else { return effects.append(.refused(.notAgreed)) }
        var ending = ending
        ending.agreed.remove(seat)
        self.phase = .done(ending)
        effects.append(.rematchWithdrawn(seat))
    }

    mutating func departDone(_ seat: Seat, _ ending: Ending, into effects: inout [Effect]) {
        guard !ending.isClosed else { return effects.append(.refused(.closed)) }
        guard self.members.contains(seat) else { return effects.append(.refused(.notSeated)) }
        self.depart(seat, into: &effects)
        effects.append(.departed(seat))
        var ending = ending
        if ending.agreed.contains(seat) {
            ending.agreed.remove(seat)
            effects.append(.rematchWithdrawn(seat))
        }
        self.phase = .done(ending)
        if !self.closeIfDeserted(ending, into: &effects) { self.agreeIfAll(ending, into: &effects) }
    }

    private mutating func agreeIfAll(_ ending: Ending, into effects: inout [Effect]) {
        guard ending.agreed == self.members, ending.agreed.count >= 2 else { return }
        effects.append(.rematchAgreed(ending.agreed))
        self.close(ending, into: &effects)
    }

    /// The time for a rematch is over. Who is here is free; a held seat stays, for its player has yet to be told
    /// how the race ended.
    mutating func endRematchTime(_ ending: Ending, into effects: inout [Effect]) {
        guard !ending.isClosed else { return effects.append(.refused(.closed)) }
        let here = self.members.subtracting(self.gone)
        if self.gone.isEmpty || here.isEmpty { return self.close(ending, into: &effects) }
        var ending = ending
        ending.agreed = SeatSet()
        self.phase = .done(ending)
        for seat in here {
            self.departed.insert(seat)
            effects.append(.departed(seat))
        }
        effects.append(.startClock(.rematch))
    }

    /// With fewer than two members nobody is left to race again with; but one whose seat is held must hear how it
    /// ended.
    @discardableResult
    mutating func closeIfDeserted(_ ending: Ending, into effects: inout [Effect]) -> Bool {
        guard self.members.count < 2, self.gone.isEmpty else { return false }
        self.close(ending, into: &effects)
        return true
    }

    mutating func close(_ ending: Ending, into effects: inout [Effect]) {
        guard !ending.isClosed else { return effects.append(.refused(.closed)) }
        for seat in self.gone { effects.append(.releaseSeat(seat)) }
        self.gone = SeatSet()
        var ending = ending
        ending.isClosed = true
        self.phase = .done(ending)
        effects.append(.stopClock)
        effects.append(.closed)
    }
}
