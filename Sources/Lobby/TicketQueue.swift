package import RaceModel

/// All who look for a race with anybody. One ticket a player; who may meet whom says `TicketPool`.
///
/// Work for one ticket does not grow with the tickets of other pools, and hardly with those of its own: only
/// the heads of at most 36 lines are looked at.
package struct TicketQueue: Sendable {
    private struct Place: Sendable {
        var pool: UInt64
        var key: QueuedTicket.Key
        var people: ClosedRange<UInt8>
    }

    /// How long a set that could race waits for more players; a new value holds for sets that change from then on.
    package var fill: Instant.Span
    private var pools: [UInt64: TicketPool] = [:]
    private var poolNumbers: [TicketPool.Key: UInt64] = [:]
    private var places: [PlayerID: Place] = [:]
    private var deadlines = DeadlineHeap<UInt64>()
    private var lastPool: UInt64 = 0
    private var lastSequence: UInt64 = 0

    /// `fill`: how long a set that could race waits for more players.
    package init(fill: Instant.Span) { self.fill = fill }

    /// Tickets in all.
    package var count: Int { self.places.count }

    /// When `advance` has something to do next. In the past while a set is ready now.
    package var nextDeadline: Instant? { self.deadlines.next }

    /// Queues the ticket; `advance` then says whether it is matched at once. A ticket from the future counts
    /// as new.
    package mutating func add(_ ticket: Ticket, now: Instant) throws(TicketFault) {
        do throws(RequestFault) { try ticket.request.check() } catch { throw .impossible(error) }
        guard self.places[ticket.player] == nil else { throw .alreadyQueued }
        var ticket = ticket
        ticket.since = min(ticket.since, now)
        self.insert(ticket)
    }

    /// Queues the players of a cancelled match again, with the age they had: older tickets are matched first.
    /// Those who are queued already stay where they are.
    package mutating func returnToHead(_ tickets: [Ticket]) {
        for ticket in tickets where self.places[ticket.player] == nil {
            guard (try? ticket.request.check()) != nil else { continue }
            self.insert(ticket)
        }
    }

    /// Nil when the player is not queued.
    @discardableResult
    package mutating func remove(player: PlayerID) -> Ticket? {
        guard let place = self.places.removeValue(forKey: player) else { return nil }
        let ticket = self.pools[place.pool]?.remove(place.key, people: place.people)
        self.refresh(place.pool)
        return ticket
    }

    /// Keeps a number that came before the match. False when the player is not queued.
    package mutating func setEarlyNumber(player: PlayerID, number: UInt32) -> Bool {
        guard let place = self.places[player] else { return false }
        self.pools[place.pool]?.setEarlyNumber(number, of: place.key, people: place.people)
        return true
    }

    /// Takes out all sets that are full or have waited long enough, in the order in which they became due.
    package mutating func advance(now: Instant) -> [Group] {
        var groups: [Group] = []
        while let number = self.deadlines.popDue(now) {
            while let tickets = self.pools[number]?.takeDue(now, fill: self.fill), let first = tickets.first {
                for ticket in tickets { self.places.removeValue(forKey: ticket.player) }
                let request = first.request
                groups.append(
                    Group(
                        tickets: tickets, settings: request.settings, bots: request.bots, group: request.group
                    ))
            }
            self.refresh(number)
        }
        return groups
    }

    package func contains(_ player: PlayerID) -> Bool { self.places[player] != nil }

    package func ticket(of player: PlayerID) -> Ticket? {
        guard let place = self.places[player] else { return nil }
        return self.pools[place.pool]?.ticket(place.key, people: place.people)
    }

    /// `waiting`: tickets that could share a race with this one, itself counted. `startsAt`: when a set that
    /// it belongs to has waited long enough; nil while there are too few. Nil when the player is not queued.
    package func status(of player: PlayerID) -> (waiting: Int, startsAt: Instant?)? {
        guard let place = self.places[player], let pool = self.pools[place.pool] else { return nil }
        return (
            pool.count(compatibleWith: place.people),
            pool.firstDue(of: place.key, people: place.people, fill: self.fill)
        )
    }

    /// Players with a ticket that could share a race with this player's: those whose status changes when it
    /// comes or goes. Oldest first, at most `limit`, the player left out.
    package func companions(of player: PlayerID, limit: Int) -> [PlayerID] {
        guard let place = self.places[player], let pool = self.pools[place.pool] else { return [] }
        let compatible = pool.oldest(limit + 1, compatibleWith: place.people)
        return Array(compatible.map(\.player).filter { $0 != player }.prefix(limit))
    }

    private mutating func insert(_ ticket: Ticket) {
        let poolKey = TicketPool.Key(ticket.request)
        let number: UInt64
        if let known = self.poolNumbers[poolKey] {
            number = known
        } else {
            self.lastPool += 1
            number = self.lastPool
            self.poolNumbers[poolKey] = number
            self.pools[number] = TicketPool(key: poolKey)
        }
        self.lastSequence += 1
        let key = QueuedTicket.Key(since: ticket.since, sequence: self.lastSequence)
        self.pools[number]?.insert(QueuedTicket(key: key, ticket: ticket))
        self.places[ticket.player] = Place(pool: number, key: key, people: ticket.request.people)
        self.refresh(number)
    }

    /// After every change of a pool: its deadline, or its end.
    private mutating func refresh(_ number: UInt64) {
        guard let pool = self.pools[number] else { return }
        if pool.isEmpty {
            self.pools.removeValue(forKey: number)
            self.poolNumbers.removeValue(forKey: pool.key)
            self.deadlines.set(number, to: nil)
        } else {
            self.deadlines.set(number, to: pool.firstDue(fill: self.fill))
        }
    }
}
