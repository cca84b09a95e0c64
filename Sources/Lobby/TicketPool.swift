import RaceModel

/// The tickets that could meet: equal settings, group and computer opponents.
///
/// A set of n tickets can race when n suits all of them. It is *full* when n is also the most that one of
/// them takes: it cannot grow and starts at once. Otherwise it waits for more until its youngest ticket is as
/// old as `fill`.
struct TicketPool: Sendable {
    struct Key: Hashable, Sendable {
        var settings: RaceSettings
        var group: UInt32
        var bots: UInt8

        init(_ request: RaceRequest) {
            self.settings = request.settings
            self.group = request.group
            self.bots = request.bots
        }
    }

    let key: Key
    /// None empty, in ascending order of fewest and most people: at most 36.
    private var lines: [TicketLine] = []

    init(key: Key) { self.key = key }

    var isEmpty: Bool { self.lines.isEmpty }

    mutating func insert(_ ticket: QueuedTicket) {
        let people = ticket.ticket.request.people
        let position = self.position(of: people)
        if position == self.lines.count || self.lines[position].people != people {
            self.lines.insert(TicketLine(people: people), at: position)
        }
        self.lines[position].insert(ticket)
    }

    mutating func remove(_ key: QueuedTicket.Key, people: ClosedRange<UInt8>) -> Ticket? {
        let position = self.position(of: people)
        guard position < self.lines.count, self.lines[position].people == people else { return nil }
        let ticket = self.lines[position].remove(key)
        if self.lines[position].count == 0 { self.lines.remove(at: position) }
        return ticket
    }

    mutating func setEarlyNumber(_ number: UInt32, of key: QueuedTicket.Key, people: ClosedRange<UInt8>) {
        let position = self.position(of: people)
        guard position < self.lines.count, self.lines[position].people == people else { return }
        self.lines[position].setEarlyNumber(number, of: key)
    }

    func ticket(_ key: QueuedTicket.Key, people: ClosedRange<UInt8>) -> Ticket? {
        let position = self.position(of: people)
        guard position < self.lines.count, self.lines[position].people == people else { return nil }
        return self.lines[position].ticket(key)
    }

    /// The oldest tickets, at most `count`, that may share a race with one that takes so many people.
    func oldest(_ count: Int, compatibleWith people: ClosedRange<UInt8>) -> [Ticket] {
        Self.oldest(count, of: self.lines.filter { $0.people.overlaps(people) }).map(\.ticket)
    }

    /// Tickets that may share a race with one that takes so many people; itself counted.
    func count(compatibleWith people: ClosedRange<UInt8>) -> Int {
        self.lines.reduce(0) { $0 + ($1.people.overlaps(people) ? $1.count : 0) }
    }

    /// When a set is due for the first time, if nobody comes or goes. In the past: at once.
    func firstDue(fill: Instant.Span) -> Instant? {
        var due: Instant?
        for (size, oldest) in self.feasibleSizes() {
            let set = self.fullSet(size, oldest: oldest)
            let youngest = (set ?? oldest)[Int(size) - 1].key.since
            let moment = set == nil ? youngest + fill : youngest
            due = min(due ?? moment, moment)
        }
        return due
    }

    /// When a set with this ticket in it is due, as things are now.
    func firstDue(of key: QueuedTicket.Key, people: ClosedRange<UInt8>, fill: Instant.Span) -> Instant? {
        var due: Instant?
        for (size, oldest) in self.feasibleSizes() where people.contains(size) {
            // Not among the oldest: then it is the youngest of the set it would be in.
            let moment = max(oldest[Int(size) - 1].key, key).since + fill
            due = min(due ?? moment, moment)
        }
        return due
    }

    /// Takes out a set that is due: oldest first; nil when none is.
    ///
    /// Of all that are due the one with the oldest ticket goes first, then the larger one. A full set goes as
    /// it is. When a wait is over, its oldest ticket gets the largest set that can be had now.
    mutating func takeDue(_ now: Instant, fill: Instant.Span) -> [Ticket]? {
        var best: (anchor: QueuedTicket.Key, set: [QueuedTicket])?
        func consider(_ anchor: QueuedTicket.Key, _ set: [QueuedTicket]) {
            if let best, !Self.precedes((anchor, set), best) { return }
            best = (anchor, set)
        }
        let sizes = self.feasibleSizes()
        for (size, oldest) in sizes {
            if let set = self.fullSet(size, oldest: oldest) { consider(set[0].key, set) }
            if oldest[Int(size) - 1].key.since + fill <= now {
                consider(oldest[0].key, Self.largestSet(with: oldest[0], of: sizes))
            }
        }
        guard let best else { return nil }
        return best.set.map { member in
            _ = self.remove(member.key, people: member.ticket.request.people)
            return member.ticket
        }
    }

    private typealias Size = (size: UInt8, oldest: [QueuedTicket])

    private static func precedes(
        _ left: (anchor: QueuedTicket.Key, set: [QueuedTicket]),
        _ right: (anchor: QueuedTicket.Key, set: [QueuedTicket])
    ) -> Bool {
        if left.anchor != right.anchor { return left.anchor < right.anchor }
        if left.set.count != right.set.count { return left.set.count > right.set.count }
        return left.set.lazy.map(\.key).lexicographicallyPrecedes(right.set.lazy.map(\.key))
    }

    /// The sizes for which there are enough tickets, each with its oldest tickets, as many as the size.
    private func feasibleSizes() -> [Size] {
        var sizes: [Size] = []
        for size in 1...UInt8(Limits.playersPerMatch) {
            // Counted first: most sizes are out of question, and that must cost next to nothing.
            var count = 0
            for line in self.lines where line.people.contains(size) { count += line.count }
            guard count >= Int(size) else { continue }
            let suitable = self.lines.filter { $0.people.contains(size) }
            sizes.append((size, Self.oldest(Int(size), of: suitable)))
        }
        return sizes
    }

    /// The oldest tickets of some lines, at most `count`.
    private static func oldest(_ count: Int, of lines: [TicketLine]) -> [QueuedTicket] {
        var taken = [Int](repeating: 0, count: lines.count)
        var oldest: [QueuedTicket] = []
        while oldest.count < count {
            var next: (line: Int, ticket: QueuedTicket)?
            for (line, tickets) in lines.enumerated() where taken[line] < tickets.count {
                let ticket = tickets[taken[line]]
                if let next, !(ticket.key < next.ticket.key) { continue }
                next = (line, ticket)
            }
            guard let next else { break }
            taken[next.line] += 1
            oldest.append(next.ticket)
        }
        return oldest
    }

    /// The oldest full set of this size, if somebody takes no more people than that.
    private func fullSet(_ size: UInt8, oldest: [QueuedTicket]) -> [QueuedTicket]? {
        if oldest.contains(where: { $0.ticket.request.people.upperBound == size }) { return oldest }
        let content = self.lines.filter { $0.people.upperBound == size }.map { $0[0] }
        guard let last = content.min(by: { $0.key < $1.key }) else { return nil }
        return oldest.dropLast() + [last]
    }

    private static func largestSet(with ticket: QueuedTicket, of sizes: [Size]) -> [QueuedTicket] {
        for (size, oldest) in sizes.reversed() where ticket.ticket.request.people.contains(size) {
            return oldest.contains { $0.key == ticket.key } ? oldest : oldest.dropLast() + [ticket]
        }
        return [ticket]
    }

    private func position(of people: ClosedRange<UInt8>) -> Int {
        self.lines.firstIndex {
            ($0.people.lowerBound, $0.people.upperBound) >= (people.lowerBound, people.upperBound)
        } ?? self.lines.count
    }
}
