import ClientCore
import RaceModel

/// One race, as all of its players in this process see it together.
struct LoadRace: Sendable {
    /// A move that at least one player was told of and at least one was not.
    struct Flight: Sendable, BitwiseCopyable {
        var sequence: UInt32
        var position: UInt32
        var planned: Instant
        var sent: Instant
        /// Who has still to be told.
        var missing: SeatSet
        var isLost = false
    }

    var match: MatchID
    /// Indices of our players by seat; -1 is somebody else's.
    var members: InlineArray<8, Int32>
    /// Seats by player number, 1 first; 0 until it is known.
    var order = InlineArray<8, UInt8>(repeating: 0)
    /// Our players who are still in it.
    var present: SeatSet
    /// When it was due; without a rate, when it was found.
    var due: Instant
    var heard: Instant
    var flights: [Flight] = []
    /// The winner as first told: 0 for nobody.
    var winner: UInt8?
    var isStalled = false
    /// A seat of it was not there any more behind a restart.
    var isLost = false
    /// A connection of one of its players was cut on purpose.
    var isDisturbed = false
    /// Whose connections are cut, and when the last of them was back.
    var away = SeatSet()
    var lastBack = Instant.zero
    /// Who keeps the witness; -1: the race is not checked.
    var witnessMember: Int32 = -1
    /// All of our players have left it.
    var isForgotten: Bool { self.present.isEmpty }

    init(match: MatchID, members: InlineArray<8, Int32>, now: Instant) {
        self.match = match
        self.members = members
        self.present = SeatSet()
        self.due = now
        self.heard = now
        for index in 0..<8 where members[index] >= 0 { self.present.insert(Seat(index: index)) }
    }

    enum Delivery {
        /// Nobody was told of this move before.
        case first
        case waiting
        /// All have been told.
        case landed(Flight)
    }

    /// One player was told of a move.
    ///
    /// - Parameter agrees: set to false when another was told that it led elsewhere.
    mutating func deliver(
        _ sequence: UInt32, position: UInt32, to seat: Seat, agrees: inout Bool
    ) -> Delivery {
        for index in self.flights.indices where self.flights[index].sequence == sequence {
            if self.flights[index].position != position { agrees = false }
            self.flights[index].missing.remove(seat)
            return self.flights[index].missing.isEmpty ? .landed(self.flights.remove(at: index)) : .waiting
        }
        return .first
    }

    /// One player is told of all events up to this one at once.
    ///
    /// - Returns: the moves that all have been told of with it.
    mutating func absorb(upTo sequence: UInt32, at seat: Seat) -> [Flight] {
        for index in self.flights.indices where self.flights[index].sequence <= sequence {
            self.flights[index].missing.remove(seat)
        }
        let landed = self.flights.filter(\.missing.isEmpty)
        self.flights.removeAll(where: \.missing.isEmpty)
        return landed
    }

    /// Whether somebody was away at any time since then.
    func wasSomeoneAway(since moment: Instant) -> Bool {
        self.isDisturbed && (!self.away.isEmpty || moment <= self.lastBack)
    }

    /// A player leaves: nothing has to reach them any more.
    mutating func remove(_ seat: Seat) {
        self.present.remove(seat)
        self.away.remove(seat)
        for index in self.flights.indices { self.flights[index].missing.remove(seat) }
        self.flights.removeAll { $0.missing.isEmpty }
    }
}
