package import RaceModel
package import WireProtocol

/// What somebody saw of one race that the checks need: kept as it came, checked when it is over.
package struct RaceWitness: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        case moved(Moved)
        case forfeited(Forfeited)

        var sequence: UInt32 {
            switch self {
            case .moved(let moved): moved.sequence
            case .forfeited(let forfeited): forfeited.sequence
            }
        }

        var player: PlayerNumber {
            switch self {
            case .moved(let moved): moved.player
            case .forfeited(let forfeited): forfeited.player
            }
        }

        var message: ServerMessage {
            switch self {
            case .moved(let moved): .moved(moved)
            case .forfeited(let forfeited): .forfeited(forfeited)
            }
        }
    }

    package var found: MatchFound
    package var numbers: [RevealedNumber] = []
    package var order: [Seat] = []
    package var events: [Event] = []
    /// Why not all of the race was seen; nil as long as it was.
    package private(set) var gap: String?
    /// The last numbered event seen.
    private var sequence: UInt32 = 0

    /// From the beginning.
    package init(found: MatchFound) { self.found = found }

    /// Of one who comes while the match goes on: whole only if nothing was revealed yet.
    package init(snapshot: Snapshot) {
        self.found = MatchFound(
            match: snapshot.match, ownSeat: snapshot.ownSeat, settings: snapshot.settings,
            seal: snapshot.seal,
            seats: snapshot.runners.map { SeatEntry(seat: $0.seat, player: $0.player, alias: $0.alias) })
        self.sequence = snapshot.sequence
        switch snapshot.state {
        case .waitingForMatch, .waitingForRandomNumber: break
        case .waitingForStart, .active, .done: self.gap = Self.joinedMidway
        }
    }

    /// Of one who saw all of a race that was kept. A race too long to keep has a gap.
    package init(_ record: MatchRecord) {
        self.found = record.found
        self.numbers = record.numbers
        self.order = record.order
        guard let events = record.events else {
            self.note(Self.tooLong)
            return
        }
        for message in events.messages() { self.observe(message) }
    }

    private static let tooLong = "the race was too long to keep"
    private static let joinedMidway = "the beginning of the race was not seen"
    /// More would let a server grow this without bound.
    private static let mostEvents = Limits.loggedEvents
    private static let mostNumbers = Limits.playersPerMatch * Int(Limits.drawRounds)

    /// Whether a snapshot shows nothing that this did not see.
    package func continues(with snapshot: Snapshot) -> Bool {
        guard snapshot.match == self.found.match, snapshot.seal == self.found.seal else { return false }
        switch snapshot.state {
        case .waitingForMatch, .waitingForRandomNumber: return self.numbers.isEmpty
        case .waitingForStart: return !self.order.isEmpty
        case .active, .done: return !self.order.isEmpty && snapshot.sequence == self.sequence
        }
    }

    package mutating func observe(_ message: ServerMessage) {
        switch message {
        case .randomNumber(let revealed):
            // Told again behind a snapshot.
            if self.numbers.contains(revealed) { return }
            if self.numbers.isEmpty, revealed.round != 1 { self.note(Self.joinedMidway) }
            guard self.numbers.count < Self.mostNumbers else {
                return self.note("there were too many numbers")
            }
            self.numbers.append(revealed)
        case .playerOrder(let order): self.order = order
        case .turnStarted(let turn): self.follow(turn.sequence)
        case .moved(let moved): self.keep(.moved(moved))
        case .forfeited(let forfeited): self.keep(.forfeited(forfeited))
        case .gameOver(let over): self.follow(over.sequence)
        default: break
        }
    }

    private mutating func keep(_ event: Event) {
        self.follow(event.sequence)
        guard self.gap == nil else { return self.events.removeAll() }
        guard self.events.count < Self.mostEvents else { return self.note(Self.tooLong) }
        self.events.append(event)
    }

    private mutating func follow(_ sequence: UInt32) {
        if sequence != self.sequence &+ 1 { self.note("event \(self.sequence &+ 1) was not seen") }
        self.sequence = sequence
    }

    private mutating func note(_ gap: String) {
        if self.gap == nil { self.gap = gap }
    }
}
