import MatchRules
import RaceModel

/// The five states, without what is in them.
enum StateName: Int, CaseIterable, Hashable, Sendable {
    case waitingForMatch = 0
    case waitingForRandomNumber, waitingForStart, active, done
}

extension Match {
    var stateName: StateName {
        switch self.phase {
        case .waitingForMatch: .waitingForMatch
        case .waitingForRandomNumber: .waitingForRandomNumber
        case .waitingForStart: .waitingForStart
        case .active: .active
        case .done: .done
        }
    }

    var ending: Ending? {
        if case .done(let ending) = self.phase { ending } else { nil }
    }

    var isClosed: Bool { self.ending?.isClosed ?? false }

    /// The race that is on, or that was.
    var race: Race? {
        switch self.phase {
        case .active(let race): race
        case .done(let ending): ending.race
        case .waitingForMatch, .waitingForRandomNumber, .waitingForStart: nil
        }
    }

    /// The open round, or the one that waits for the match to be complete.
    var draw: DrawRounds? {
        switch self.phase {
        case .waitingForMatch(let gathering): gathering.draw
        case .waitingForRandomNumber(let draw): draw
        case .waitingForStart, .active, .done: nil
        }
    }

    /// Where each seat stands, in order of seats; empty before the race.
    var positions: [UInt32] {
        guard let race = self.race else { return [] }
        return self.seats.map { race.positions[$0] }
    }
}
