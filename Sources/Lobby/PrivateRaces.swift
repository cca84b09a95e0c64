package import RaceModel

/// All private races that have not started. A player is in one at most, as host or guest.
package struct PrivateRaces: Sendable {
    /// How long a race that has the fewest players waits for more; a new value holds for races that change from then
    /// on.
    package var fill: Instant.Span
    private var races: [UInt64: PrivateRace] = [:]
    private var codes: [RaceCode: UInt64] = [:]
    private var places: [PlayerID: UInt64] = [:]
    private var deadlines = DeadlineHeap<UInt64>()
    private var lastRace: UInt64 = 0

    /// `fill`: how long a race that has the fewest players waits for more.
    package init(fill: Instant.Span) { self.fill = fill }

    package var count: Int { self.races.count }
    /// When `advance` has something to do next. In the past while a race is ready now.
    package var nextDeadline: Instant? { self.deadlines.next }

    /// The race that this player hosts or waits in.
    package func race(of player: PlayerID) -> PrivateRace? { self.places[player].flatMap { self.races[$0] } }

    /// Opens a race. The code is drawn from the generator and is unlike all others that are open.
    package mutating func host(
        _ player: PlayerID, request: RaceRequest, now: Instant,
        using generator: inout some RandomNumberGenerator
    ) throws(PrivateFault) -> PrivateRace {
        do throws(RequestFault) { try request.check() } catch { throw .impossible(error) }
        guard self.places[player] == nil else { throw .alreadyThere }
        var code = RaceCode(using: &generator)
        while self.codes[code] != nil { code = RaceCode(using: &generator) }

        self.lastRace += 1
        let ticket = Ticket(player: player, request: request, since: now)
        let race = PrivateRace(
            code: code, request: request, tickets: [ticket], expires: now + Limits.privateRaceLife)
        self.codes[code] = self.lastRace
        self.places[player] = self.lastRace
        return self.update(self.lastRace, race, now: now)
    }

    /// Joins by a code as it was typed; `advance` then says whether the race starts at once.
    package mutating func join(_ player: PlayerID, code: String, now: Instant) throws(PrivateFault)
        -> PrivateRace
    {
        guard self.places[player] == nil else { throw .alreadyThere }
        // A full race has started, or is about to: its code is void.
        guard let code = RaceCode(code), let number = self.codes[code], var race = self.races[number],
            race.expires > now, race.tickets.count < Int(race.request.people.upperBound)
        else { throw .noSuchCode }
        race.tickets.append(Ticket(player: player, request: race.request, since: now))
        self.places[player] = number
        return self.update(number, race, now: now)
    }

    /// Takes a player out: a guest leaves, a host closes the race. Nil when the player was in none.
    package mutating func leave(_ player: PlayerID, now: Instant) -> PrivateRace.Event? {
        guard let number = self.places[player], var race = self.races[number] else { return nil }
        if race.host == player {
            self.end(number, race)
            return .closed(race)
        }
        self.places.removeValue(forKey: player)
        race.tickets.removeAll { $0.player == player }
        return .left(player, self.update(number, race, now: now))
    }

    /// Keeps a number that came before the match. False when the player is in no private race.
    package mutating func setEarlyNumber(player: PlayerID, number: UInt32) -> Bool {
        guard let race = self.places[player],
            let index = self.races[race]?.tickets.firstIndex(where: { $0.player == player })
        else { return false }
        self.races[race]?.tickets[index].earlyNumber = number
        return true
    }

    /// Starts those that are full or have waited long enough, and closes those whose time is over; in order
    /// of their deadlines.
    package mutating func advance(now: Instant) -> [PrivateRace.Event] {
        var events: [PrivateRace.Event] = []
        while let number = self.deadlines.popDue(now) {
            guard let race = self.races[number] else { continue }
            self.end(number, race)
            if let starts = race.starts, starts <= now {
                events.append(
                    .started(
                        Group(
                            tickets: race.tickets, settings: race.request.settings, bots: race.request.bots,
                            group: race.request.group)))
            } else {
                events.append(.expired(race))
            }
        }
        return events
    }

    /// Stores the race with the moment at which it starts: at once with the most players, after `fill` since
    /// the fewest were there, never with too few.
    private mutating func update(_ number: UInt64, _ race: PrivateRace, now: Instant) -> PrivateRace {
        var race = race
        let people = race.request.people
        let isEnough = race.tickets.count >= Int(people.lowerBound)
        race.enoughSince = isEnough ? race.enoughSince ?? now : nil
        let isFull = race.tickets.count >= Int(people.upperBound)
        race.starts = isFull ? now : race.enoughSince.map { $0 + self.fill }
        self.races[number] = race
        self.deadlines.set(number, to: min(race.starts ?? race.expires, race.expires))
        return race
    }

    private mutating func end(_ number: UInt64, _ race: PrivateRace) {
        self.races.removeValue(forKey: number)
        self.codes.removeValue(forKey: race.code)
        for player in race.players { self.places.removeValue(forKey: player) }
        self.deadlines.set(number, to: nil)
    }
}
