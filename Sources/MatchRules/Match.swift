package import RaceModel

/// One match as a value: five states, and one verb, `apply`. It knows seats, not players or connections; time
/// and chance come from outside.
package struct Match: Hashable, Sendable {
    /// Each state says which states it can go to.
    package enum Phase: Hashable, Sendable {
        /// Seats join and their aliases are looked up → waiting for random number, done (cancelled).
        case waitingForMatch(Gathering)
        /// Seats draw, hidden until all of a round are in → the next round, waiting for start, done
        /// (cancelled).
        case waitingForRandomNumber(DrawRounds)
        /// Player 1 begins → active, done (cancelled).
        case waitingForStart(Lineup)
        /// They race → done.
        case active(Race)
        /// Final: only wishes for a rematch and departures count → closed.
        case done(Ending)
    }

    package struct Gathering: Hashable, Sendable {
        package internal(set) var joined = SeatSet()
        package internal(set) var named = SeatSet()
        /// Numbers that came early are kept here.
        package internal(set) var draw: DrawRounds
    }

    package struct Ending: Hashable, Sendable {
        /// The race as it ended; nil when the match was cancelled before it was active.
        package internal(set) var race: Race?
        /// Nil when the match was cancelled.
        package internal(set) var outcome: Outcome?
        /// Who wants a rematch.
        package internal(set) var agreed = SeatSet()
        package internal(set) var isClosed = false
    }

    package let settings: RaceSettings
    /// 2...8
    package let size: UInt8
    package internal(set) var phase: Phase
    /// Seats whose connection is gone; they are held.
    package internal(set) var gone = SeatSet()
    /// Seats that are out of the race.
    package internal(set) var forfeited = SeatSet()
    /// Seats that left or were given up: no longer part of the match.
    package internal(set) var departed = SeatSet()

    /// - Parameter size: seats, 2...`Limits.playersPerMatch`.
    package init(settings: RaceSettings, size: Int) {
        precondition(size >= 2 && size <= Limits.playersPerMatch)
        precondition(settings.finish >= 1 && settings.finish <= Limits.finish)
        self.settings = settings
        self.size = UInt8(size)
        self.phase = .waitingForMatch(Gathering(draw: DrawRounds(count: UInt8(size))))
    }

    package var seats: SeatSet { .first(Int(self.size)) }
    /// Seats still part of the match, here or held.
    package var members: SeatSet { self.seats.subtracting(self.departed) }
    /// Seats still in the race.
    package var racing: SeatSet { self.seats.subtracting(self.forfeited) }
}
