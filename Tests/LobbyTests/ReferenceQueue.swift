import Lobby
import RaceModel

/// Matching by looking at every subset of the tickets: slow and plain, for a few tickets. What `TicketQueue`
/// must do.
struct ReferenceQueue {
    let fill: Instant.Span
    /// In order of age, then of coming.
    private(set) var tickets: [Ticket] = []

    init(fill: Instant.Span) { self.fill = fill }

    mutating func add(_ ticket: Ticket) {
        let position = self.tickets.firstIndex { $0.since > ticket.since } ?? self.tickets.count
        self.tickets.insert(ticket, at: position)
    }

    mutating func remove(_ player: PlayerID) { self.tickets.removeAll { $0.player == player } }

    mutating func advance(now: Instant) -> [[Ticket]] {
        var groups: [[Ticket]] = []
        while let set = self.dueSet(now) {
            groups.append(set.map { self.tickets[$0] })
            for position in set.reversed() { self.tickets.remove(at: position) }
        }
        return groups
    }

    /// Positions of the set that goes next; nil when none is due.
    func dueSet(_ now: Instant) -> [Int]? {
        let feasible = self.subsets().filter(self.canRace)
        var candidates = feasible.filter(self.isFull).map { (anchor: $0[0], set: $0) }
        let overdue = feasible.filter { set in set.allSatisfy { self.tickets[$0].since + self.fill <= now } }
        for anchor in self.tickets.indices where overdue.contains(where: { $0.contains(anchor) }) {
            let sets = feasible.filter { $0.contains(anchor) }
            let largest = sets.map(\.count).max() ?? 0
            candidates += sets.filter { $0.count == largest }.map { (anchor, $0) }
        }
        return candidates.min { left, right in
            if left.anchor != right.anchor { return left.anchor < right.anchor }
            if left.set.count != right.set.count { return left.set.count > right.set.count }
            return left.set.lexicographicallyPrecedes(right.set)
        }?.set
    }

    private func subsets() -> [[Int]] {
        (1..<(1 << self.tickets.count)).map { bits in self.tickets.indices.filter { bits & 1 << $0 != 0 } }
    }

    private func canRace(_ set: [Int]) -> Bool {
        let first = self.tickets[set[0]].request
        return set.allSatisfy { position in
            let request = self.tickets[position].request
            let size = set.count + Int(request.bots)
            return request.settings == first.settings && request.group == first.group
                && request.bots == first.bots && Int(request.minimum) <= size && size <= Int(request.maximum)
        }
    }

    private func isFull(_ set: [Int]) -> Bool {
        set.contains { position in
            let request = self.tickets[position].request
            return Int(request.maximum) == set.count + Int(request.bots)
        }
    }
}
