import ClientCore
import RaceModel
import WireProtocol

/// What a match waits for from a program, done after a while: by its strategy, or for text programs here.
extension World {
    /// Whether a player sits a match out is settled when they are told of it.
    mutating func lapse(_ index: Int) {
        let isLapsed = self.phase == .racing && self.chance.chance(self.weather.lapse)
        self.programs[index].isLapsed = isLapsed
        guard self.programs[index].binary != nil else { return }
        self.programs[index].binary!.strategy?.drawsNumber = !isLapsed
        self.programs[index].binary!.strategy?.begins = !isLapsed
        let pace = self.programs[index].pace
        self.programs[index].binary!.strategy?.pace = isLapsed ? nil : pace
    }

    mutating func planProgram(_ index: Int) {
        guard let due = self.programs[index].binary?.nextDeadline else { return }
        self.plan(index, at: max(due, self.now))
    }

    private mutating func plan(_ index: Int, at due: Instant) {
        if let planned = self.programs[index].due, planned <= due { return }
        self.programs[index].due = due
        self.queue.plan(.program(index), at: due)
    }

    mutating func planDuty(of index: Int) {
        guard self.programs[index].text != nil, !self.programs[index].isLapsed,
            let duty = self.programs[index].outlook.duty, duty != self.programs[index].duty
        else { return }
        if self.programs[index].isAuto {
            switch duty {
            case .number, .begin: return
            case .move, .step: break
            }
        }
        self.programs[index].duty = duty
        self.plan(index, at: self.now + self.programs[index].pace)
    }

    mutating func passDeadline(of index: Int, planned due: Instant) {
        guard self.programs[index].due == due else { return }
        self.programs[index].due = nil
        guard self.programs[index].link != nil else { return }
        if self.programs[index].binary != nil { return self.tell(index, .deadlinePassed) }
        guard let duty = self.programs[index].duty, self.programs[index].outlook.duty == duty else { return }
        switch duty {
        case .number(_, let round):
            self.send(
                .randomNumber(round: round, number: UInt32(truncatingIfNeeded: self.chance.next() >> 61)),
                from: index)
        case .begin: self.send(.gameBegin, from: index)
        case .move(_, let turn): self.send(.move(turn: turn), from: index)
        case .step: self.send(.move(turn: 0), from: index)
        }
    }
}
