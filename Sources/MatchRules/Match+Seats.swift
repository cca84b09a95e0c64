import RaceModel

/// Seats that go, come back and leave.
extension Match {
    mutating func drop(_ seat: Seat, into effects: inout [Effect]) {
        guard self.isMember(seat) else { return effects.append(.refused(.notSeated)) }
        guard !self.gone.contains(seat) else { return effects.append(.refused(.alreadyGone)) }
        self.gone.insert(seat)
        effects.append(.holdSeat(seat))
        effects.append(.gone(seat))
    }

    mutating func comeBack(_ seat: Seat, into effects: inout [Effect]) {
        guard self.isMember(seat) else { return effects.append(.refused(.notSeated)) }
        guard self.gone.contains(seat) else { return effects.append(.refused(.notGone)) }
        self.gone.remove(seat)
        effects.append(.releaseSeat(seat))
        effects.append(.back(seat))
    }

    mutating func returnToRace(_ seat: Seat, _ race: Race, into effects: inout [Effect]) {
        self.comeBack(seat, into: &effects)
        if !self.forfeited.contains(seat), self.isMember(seat), !self.gone.contains(seat) {
            _ = self.finishIfAlone(race, into: &effects)
        }
    }

    /// Before active nobody has won or lost anything: the match is off.
    mutating func cancel(by seat: Seat, _ reason: CancelReason, into effects: inout [Effect]) {
        guard self.isMember(seat) else { return effects.append(.refused(.notSeated)) }
        self.depart(seat, into: &effects)
        effects.append(.cancelled(by: seat, reason))
        effects.append(.departed(seat))
        self.close(Ending(), into: &effects)
    }

    mutating func leaveRace(
        _ seat: Seat, _ race: Race, reason: ForfeitReason, into effects: inout [Effect]
    ) {
        guard self.isMember(seat) else { return effects.append(.refused(.notSeated)) }
        self.depart(seat, into: &effects)
        if self.forfeited.contains(seat) {
            effects.append(.departed(seat))
        } else {
            self.forfeit(seat, race, reason: reason, into: &effects)
        }
    }

    func isMember(_ seat: Seat) -> Bool {
        if case .waitingForMatch(let gathering) = self.phase { return gathering.joined.contains(seat) }
        return self.members.contains(seat)
    }

    /// Takes a seat out of the match; if it was held, it no longer is. The caller says so with `departed`,
    /// behind what the seat is still to be told.
    mutating func depart(_ seat: Seat, into effects: inout [Effect]) {
        if self.gone.contains(seat) {
            self.gone.remove(seat)
            effects.append(.releaseSeat(seat))
        }
        self.departed.insert(seat)
    }
}
