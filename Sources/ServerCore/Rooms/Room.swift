import Fairness
import Lobby
import MatchRules
import RaceModel
import Records
import WireProtocol

/// A match with everything around it that the rules need not know: who sits where, who watches, what time it
/// is.
struct Room: SlabElement {
    /// Who plays a seat.
    enum Occupant: Hashable, Sendable, BitwiseCopyable {
        case player(PlayerIndex)
        case bot
        /// The player has left for good.
        case nobody
    }

    enum Unkept: Hashable, Sendable, BitwiseCopyable { case unknown, lost }

    // What every move looks at comes first, side by side: each line of memory has to be fetched for it.
    var match: Match
    let seats: SeatSet
    var clock: Match.Clock?
    var clockStarted: Instant
    var clockDue: Instant?
    var botDue: Instant?
    /// When its entry in the deadline heap is due.
    var scheduled: Instant?
    var lineup: Lineup?
    var spectators: [PlayerIndex] = []
    var occupants: SeatTable<Occupant>
    var log = RaceLog()
    var chance: SealedChance
    /// Of what the log had to let go of.
    var recordDigest: RecordDigest?
    var names: RosterNames

    let id: MatchID
    let request: RaceRequest
    /// What each human seat goes back to the queue with, should the match be cancelled; nil when it did not
    /// come from there.
    var tickets: [Ticket?]
    let playerIDs: [PlayerID]
    var aliases: [Alias]
    var numbers: [RevealedNumber] = []
    /// Nobody awaits any more that the result is kept, and it is not.
    var unkept: Unkept?
    /// Who has been told that this match is theirs.
    var told = SeatSet()

    let made: Instant
    /// Until when a gone seat is held.
    var graceDue = SeatTable<Instant>(repeating: .zero)
    /// When the next countdown of a gone seat is told.
    var countdownDue = SeatTable<Instant>(repeating: .zero)

    /// - Parameter occupants: of the seats there are; the rest of the table is nobody.
    init(
        id: MatchID, match: Match, chance: SealedChance, request: RaceRequest, tickets: [Ticket?],
        occupants: SeatTable<Occupant>, playerIDs: [PlayerID], now: Instant
    ) {
        self.id = id
        self.match = match
        self.chance = chance
        self.request = request
        self.tickets = tickets
        self.seats = match.seats
        self.occupants = occupants
        self.playerIDs = playerIDs
        self.aliases = playerIDs.map { Alias.placeholder(for: $0) }
        self.names = .none
        self.made = now
        self.clockStarted = now
        self.refreshNames()
    }

    /// Behind every change of aliases or order: what text lines call the players.
    mutating func refreshNames() {
        self.names = RosterNames(
            aliases: self.aliases, order: self.lineup?.order ?? [], finish: self.match.settings.finish)
    }

    var seal: Bytes32 { self.chance.nonce.seal }
    var size: Int { Int(self.match.size) }

    mutating func empty() {
        self.tickets = []
        self.aliases = []
        self.names = .none
        self.log = RaceLog()
        self.recordDigest = nil
        self.numbers = []
        self.spectators = []
    }

    mutating func start(_ clock: Match.Clock, at now: Instant, due: Instant) {
        self.clock = clock
        self.clockStarted = now
        self.clockDue = due
    }

    /// So many go into the record together: no move waits for a whole log to be written and hashed.
    private static let eventsAtOnce = 16

    /// Writes an event into the log. (It changes the room and tells in one, so that the room is not copied for a look.)
    /// - Returns: whether the log now has more than must be kept for those who return, of a race too long to be kept
    ///   whole.
    mutating func noteDown(_ effect: Match.Effect) -> Bool {
        let count = self.log.note(effect)
        guard count >= Limits.retoldEvents + Self.eventsAtOnce else { return false }
        return self.recordDigest != nil || count >= Limits.loggedEvents
    }

    /// The oldest events, into the record.
    /// - Returns: false when it has not begun yet.
    mutating func takeInLog() -> Bool {
        guard self.recordDigest != nil else { return false }
        Self.take(first: Self.eventsAtOnce, of: &self.log, into: &self.recordDigest)
        return true
    }

    /// In place: a copy of the record would cost as much as the events.
    private static func take(first count: Int, of log: inout RaceLog, into record: inout RecordDigest?) {
        log.drain(first: count) { record?.append($0) }
    }

    mutating func apply(_ event: Match.Event, into effects: inout [Match.Effect]) {
        self.match.apply(event, chance: &self.chance, into: &effects)
    }

    /// The moment at which this room must be woken, if it has no earlier entry in the heap yet; it counts as
    /// made.
    mutating func takeNewSchedule() -> Instant? {
        guard let due = self.nextDue() else { return nil }
        if let scheduled = self.scheduled, scheduled <= due { return nil }
        self.scheduled = due
        return due
    }

    /// The earliest thing this room waits for. (Mutating, though it changes nothing: so the room is not copied for a
    /// look, with every move.)
    private mutating func nextDue() -> Instant? {
        var due = Self.earlier(self.clockDue, self.botDue)
        for seat in self.match.gone {
            due = Self.earlier(due, self.graceDue[seat])
            let countdown = self.countdownDue[seat]
            if countdown > .zero { due = Self.earlier(due, countdown) }
        }
        return due
    }

    private static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    var state: MatchState {
        switch self.match.phase {
        case .waitingForMatch: .waitingForMatch
        case .waitingForRandomNumber: .waitingForRandomNumber
        case .waitingForStart: .waitingForStart
        case .active: .active
        case .done: .done
        }
    }

    var isDone: Bool { if case .done = self.match.phase { true } else { false } }

    var botSeats: SeatSet { SeatSet(self.match.members.filter { self.occupants[$0] == .bot }) }

    func player(at seat: Seat) -> PlayerNumber? { self.lineup?.player(at: seat) }

    func alias(at seat: Seat) -> Alias { self.aliases[seat.index] }
}
