package import RaceModel

/// The deadlines of many things, at most one each; the earliest is at hand. A change costs the logarithm of
/// the number of deadlines. Of equal deadlines the lower id comes first.
package struct DeadlineHeap<ID: Hashable & Comparable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var deadline: Instant
        var id: ID

        static func < (left: Entry, right: Entry) -> Bool {
            left.deadline != right.deadline ? left.deadline < right.deadline : left.id < right.id
        }
    }

    private var entries: [Entry] = []
    private var positions: [ID: Int] = [:]

    package init() {}

    package var next: Instant? { self.entries.first?.deadline }
    package var count: Int { self.entries.count }

    /// Sets, moves or (nil) removes the deadline of `id`.
    package mutating func set(_ id: ID, to deadline: Instant?) {
        if let position = self.positions[id] {
            guard let deadline else { return self.remove(at: position) }
            if self.entries[position].deadline == deadline { return }
            self.entries[position].deadline = deadline
            self.restore(from: position)
        } else if let deadline {
            self.entries.append(Entry(deadline: deadline, id: id))
            self.positions[id] = self.entries.count - 1
            self.restore(from: self.entries.count - 1)
        }
    }

    /// Takes out the earliest deadline that has come; nil when there is none.
    package mutating func popDue(_ now: Instant) -> ID? {
        guard let first = self.entries.first, first.deadline <= now else { return nil }
        self.remove(at: 0)
        return first.id
    }

    private mutating func remove(at position: Int) {
        let last = self.entries.count - 1
        self.swap(position, last)
        self.positions.removeValue(forKey: self.entries.removeLast().id)
        if position < last { self.restore(from: position) }
    }

    private mutating func restore(from position: Int) {
        var position = position
        while position > 0, self.entries[position] < self.entries[(position - 1) / 2] {
            self.swap(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2] where child < self.entries.count {
                if self.entries[child] < self.entries[least] { least = child }
            }
            if least == position { return }
            self.swap(position, least)
            position = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        if left == right { return }
        self.entries.swapAt(left, right)
        self.positions[self.entries[left].id] = left
        self.positions[self.entries[right].id] = right
    }
}
