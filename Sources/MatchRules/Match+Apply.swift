import RaceModel

extension Match {
    /// Decides every (state, event) pair by name. What is refused leaves the match as it was.
    /// - Parameter effects: appended to, in the order in which they are to be carried out.
    package mutating func apply(
        _ event: Event, chance: inout some Chance, into effects: inout [Effect]
    ) {
        // transition switch: no default, so that a new event or state does not compile until each pair is decided
        switch (self.phase, event) {
        case (.waitingForMatch(let gathering), .joined(let seat)):
            self.join(seat, gathering, chance: chance, into: &effects)
        case (.waitingForMatch(let gathering), .namesKnown(let seat)):
            self.name(seat, gathering, chance: chance, into: &effects)
        case (.waitingForMatch(let gathering), .deadlinePassed):
            self.closeGathering(gathering, chance: chance, into: &effects)
        case (.waitingForMatch(let gathering), .drewNumber(let seat, let round, let number)):
            guard gathering.joined.contains(seat) else { return effects.append(.refused(.notSeated)) }
            self.draw(seat, round, number, in: gathering.draw, chance: chance, into: &effects)

        case (.waitingForRandomNumber(let draw), .drewNumber(let seat, let round, let number)):
            self.draw(seat, round, number, in: draw, chance: chance, into: &effects)
        case (.waitingForRandomNumber(let draw), .deadlinePassed):
            self.drawForSilent(in: draw, chance: chance, into: &effects)

        case (.waitingForStart(let lineup), .began(let seat)):
            guard self.seats.contains(seat) else { return effects.append(.refused(.notSeated)) }
            guard lineup.player(at: seat) == PlayerNumber(1) else {
                return effects.append(.refused(.notPlayerOne))
            }
            self.begin(lineup, byServer: false, into: &effects)
        case (.waitingForStart(let lineup), .deadlinePassed):
            self.begin(lineup, byServer: true, into: &effects)

        case (.active(let race), .moved(let seat, let turn)):
            self.move(seat, turn: turn, in: race, chance: &chance, into: &effects)
        case (.active(let race), .deadlinePassed):
            self.expire(race, chance: &chance, into: &effects)
        case (.active(let race), .left(let seat)):
            self.leaveRace(seat, race, reason: .left, into: &effects)
        case (.active(let race), .graceExpired(let seat)):
            guard self.gone.contains(seat) else { return effects.append(.refused(.notGone)) }
            self.leaveRace(seat, race, reason: .gone, into: &effects)
        case (.active(let race), .returned(let seat)):
            self.returnToRace(seat, race, into: &effects)

        case (.waitingForMatch, .left(let seat)), (.waitingForRandomNumber, .left(let seat)),
            (.waitingForStart, .left(let seat)):
            self.cancel(by: seat, .left, into: &effects)
        case (.waitingForMatch, .graceExpired(let seat)),
            (.waitingForRandomNumber, .graceExpired(let seat)), (.waitingForStart, .graceExpired(let seat)):
            guard self.gone.contains(seat) else { return effects.append(.refused(.notGone)) }
            self.cancel(by: seat, .gone, into: &effects)

        case (.waitingForMatch, .dropped(let seat)), (.waitingForRandomNumber, .dropped(let seat)),
            (.waitingForStart, .dropped(let seat)), (.active, .dropped(let seat)):
            self.drop(seat, into: &effects)
        case (.waitingForMatch, .returned(let seat)), (.waitingForRandomNumber, .returned(let seat)),
            (.waitingForStart, .returned(let seat)):
            self.comeBack(seat, into: &effects)

        case (.done(let ending), .dropped(let seat)):
            guard !ending.isClosed else { return effects.append(.refused(.closed)) }
            self.drop(seat, into: &effects)
        case (.done(let ending), .returned(let seat)):
            guard !ending.isClosed else { return effects.append(.refused(.closed)) }
            self.comeBack(seat, into: &effects)
            self.closeIfDeserted(ending, into: &effects)
        case (.done(let ending), .left(let seat)):
            self.departDone(seat, ending, into: &effects)
        case (.done(let ending), .graceExpired(let seat)):
            guard self.gone.contains(seat) else { return effects.append(.refused(.notGone)) }
            self.departDone(seat, ending, into: &effects)
        case (.done(let ending), .offeredRematch(let seat)):
            self.offerRematch(seat, ending, into: &effects)
        case (.done(let ending), .withdrewRematch(let seat)):
            self.withdrawRematch(seat, ending, into: &effects)
        case (.done(let ending), .deadlinePassed):
            self.endRematchTime(ending, into: &effects)

        case (.waitingForMatch, .began), (.waitingForMatch, .moved),
            (.waitingForMatch, .offeredRematch), (.waitingForMatch, .withdrewRematch),
            (.waitingForRandomNumber, .joined), (.waitingForRandomNumber, .namesKnown),
            (.waitingForRandomNumber, .began), (.waitingForRandomNumber, .moved),
            (.waitingForRandomNumber, .offeredRematch), (.waitingForRandomNumber, .withdrewRematch),
            (.waitingForStart, .joined), (.waitingForStart, .namesKnown),
            (.waitingForStart, .drewNumber), (.waitingForStart, .moved),
            (.waitingForStart, .offeredRematch), (.waitingForStart, .withdrewRematch),
            (.active, .joined), (.active, .namesKnown), (.active, .drewNumber), (.active, .began),
            (.active, .offeredRematch), (.active, .withdrewRematch),
            (.done, .joined), (.done, .namesKnown), (.done, .drewNumber), (.done, .began), (.done, .moved):
            effects.append(.refused(.wrongState))
        }
    }
}
