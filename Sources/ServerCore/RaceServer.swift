import Lobby
import MatchRules
package import RaceModel
import Records
import WireProtocol

/// The whole server without sockets: every byte in and out passes through `handle`.
///
/// Data flows one way: an input finds its connection, becomes a message, the message becomes an event of the
/// lobby or of one room's match, and what comes of it is written to the outbox.
package struct RaceServer: Sendable {
    var configuration: ServerConfiguration
    var entropy: any RandomNumberGenerator & Sendable

    // For the time of one call.
    var now = Instant.zero
    var outbox = Outbox()
    /// The request that is being handled was charged to a budget.
    var isCharged = false

    // Who is connected, who plays, what is played.
    /// By slot; a slot nobody uses is vacant.
    var connections: [Connection] = []
    var players = Slab<Player>()
    var playersByID: [PlayerID: PlayerIndex] = [:]
    var playersByAlias: [AliasKey: PlayerIndex] = [:]
    var rooms = Slab<Room>()
    var roomsByMatch: [MatchID: RoomIndex] = [:]
    var lastMatch: UInt64
    /// Ids up to this one may be used.
    var reservedMatches: UInt64
    var results = PendingResults()
    /// The latest result was not kept in time.
    var isStoreBehind = false

    // The lobby.
    var tickets: TicketQueue
    var invites = InviteBook()
    var privateRaces: PrivateRaces
    var directory: AliasDirectory
    var hellos: [LookUpID: PendingHello] = [:]
    var lookUps: [LookUpID: PendingLookUp] = [:]
    var questions: [LookUpID: PendingQuestion] = [:]
    var searches: [LookUpID: OperatorSearch] = [:]
    /// The record that was asked for last, as text: its pages are asked for one by one.
    var lastReplayed: (match: MatchID, text: [UInt8])?
    /// Questions for records, in order of asking, and the one that the store has.
    var wantedRecords: [LookUpID] = []
    var askedRecord: LookUpID?
    var goesOnWithRecords = false
    var lastLookUp: UInt64 = 0
    /// Answered by the store, and to be told in the next round.
    var answeredLookUps: [AliasDirectory.Completion] = []
    var departedGuests = DepartedGuests()
    var breakOffs = BreakOffs()
    var suddenEnd: SuddenEnd?
    var door: Door
    /// When its entry in the deadline heap is due.
    var doorScheduled: Instant?

    // Time.
    var deadlines = DeadlineHeap()
    /// Connections whose input goes on in the next turn, in order.
    var waitingForTurn: [ConnectionID] = []

    // Kept between calls so that a move allocates nothing.
    var effectScratch: [Match.Effect] = []
    var textScratch: [UInt8] = []
    var followUps: [FollowUp] = []
    var life = Life.running
    /// What has happened so far, in numbers.
    package internal(set) var figures = Figures()

    /// Entropy makes keys, nonces and codes: the system's generator, or a seeded one in tests.
    package init(configuration: ServerConfiguration, entropy: any RandomNumberGenerator & Sendable) {
        self.configuration = configuration
        self.entropy = entropy
        self.lastMatch = max(1, configuration.firstMatch.value) - 1
        self.reservedMatches = self.lastMatch
        self.tickets = TicketQueue(fill: configuration.deadlines.fill)
        self.privateRaces = PrivateRaces(fill: configuration.deadlines.fill)
        self.directory = AliasDirectory(capacity: configuration.cachedAliases)
        self.door = Door(configuration.door)
        self.suddenEnd = configuration.beginsAfterSuddenEnd.map { SuddenEnd(start: $0) }
    }

    /// Takes one input and appends what is to be done. Time never goes back.
    package mutating func handle(_ input: Input, now: Instant, into outbox: inout Outbox) {
        self.now = max(now, self.now)
        swap(&self.outbox, &outbox)
        defer { swap(&self.outbox, &outbox) }
        switch input {
        case .accepted(let connection, let address): self.accept(connection, address: address)
        case .secured(let connection): self.secure(connection)
        case .received(let connection, let bytes):
            // Nobody in the lobby is concerned by a move.
            if self.receive(bytes, from: connection) { return }
        case .inputEnded(let connection): self.endInput(connection)
        case .backedUp(let connection): self.setBackedUp(connection, true)
        case .drained(let connection): self.setBackedUp(connection, false)
        case .closed(let connection, let loss): self.forget(connection, loss)
        case .deadlinePassed:
            self.noteLag()
            self.passDeadlines()
        case .answered(let lookUp, let answer): self.take(answer, to: lookUp)
        case .resultsAnswered(let lookUp, let answer): self.take(answer, to: lookUp)
        case .operated(let number, let command): self.operate(command, as: number)
        case .restore(let matches): self.restore(matches)
        case .drain(let span): self.drain(for: span)
        case .stop: self.stop()
        }
        self.launchReadyRaces()
    }

    /// How late a deadline is. Not those of connections whose turn comes next: they are due at once.
    private mutating func noteLag() {
        guard let due = self.nextDeadline, due <= self.now, self.waitingForTurn.isEmpty else { return }
        self.figures.lag.observe(self.now - due)
    }

    /// What turns are measured by: see `Limits.workPerTurn`.
    var work: Int { self.outbox.bytes.count + self.outbox.work }

    /// When `handle(.deadlinePassed, …)` is due; nil while nothing is waited for. (Mutating, though it changes
    /// nothing: so the server is not copied for a look.)
    package var nextDeadline: Instant? {
        mutating get {
            if !self.waitingForTurn.isEmpty || !self.answeredLookUps.isEmpty { return self.now }
            if self.askedRecord == nil, !self.wantedRecords.isEmpty { return self.now }
            var next = self.deadlines.first
            func include(_ other: Instant?) {
                guard let other else { return }
                next = next.map { min($0, other) } ?? other
            }
            // No race begins any more.
            if !self.isDraining {
                include(self.tickets.nextDeadline)
                include(self.privateRaces.nextDeadline)
            }
            include(self.invites.nextDeadline)
            include(self.departedGuests.nextDeadline)
            include(self.results.nextDeadline)
            include(self.life.nextDeadline)
            return next
        }
    }

    /// Live things, for tests and for operators.
    package var census: Census {
        Census(
            connections: self.connections.count { $0.isOpen }, players: self.players.count,
            matches: self.rooms.count, tickets: self.tickets.count, invites: self.invites.count,
            lookUps: self.lookUps.count + self.hellos.count + self.questions.count + self.searches.count,
            results: self.results.count, lateResults: self.results.lateCount,
            deadlines: self.deadlines.count,
            heldBytes: self.connections.reduce(0) { $0 + $1.held.count },
            addresses: self.door.addressCount, guessedNames: self.door.guessedCount)
    }
}

package struct Census: Hashable, Sendable {
    package var connections: Int
    package var players: Int
    package var matches: Int
    package var tickets: Int
    package var invites: Int
    package var lookUps: Int
    /// That are yet to be kept.
    package var results: Int
    /// Of these, those whose players were told that they are not kept.
    package var lateResults: Int
    /// Entries of connections, rooms and the door, some of them stale.
    package var deadlines: Int
    /// Input that waits for an answer, in bytes.
    package var heldBytes: Int
    /// Of which the door remembers something.
    package var addresses: Int
    package var guessedNames: Int
}
