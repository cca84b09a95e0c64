import RaceModel

/// Who is to be woken when. Owners keep their true deadline themselves and have at most one live entry, which
/// may be too early: then they ask again. So a deadline that only moves later, as with every move, costs
/// nothing here.
struct DeadlineHeap: Sendable {
    enum Owner: Hashable, Sendable, BitwiseCopyable {
        case connection(ConnectionID)
        case room(RoomIndex)
        case door
    }

    struct Entry: Sendable, BitwiseCopyable {
        var due: Instant
        var owner: Owner
        /// Entries of one moment come in the order in which they were made.
        var order: UInt64

        func isBefore(_ other: Entry) -> Bool {
            self.due != other.due ? self.due < other.due : self.order < other.order
        }
    }

    private var entries: [Entry] = []
    private var lastOrder: UInt64 = 0
    /// With so many entries it is time to throw the stale ones away.
    private var sweepCount = 64

    var count: Int { self.entries.count }
    /// Owners that come and go faster than their deadlines leave stale entries: those are to be swept now
    /// and then.
    var needsSweep: Bool { self.entries.count >= self.sweepCount }

    var first: Instant? { self.entries.first?.due }

    mutating func insert(_ owner: Owner, due: Instant) {
        self.lastOrder += 1
        self.entries.append(Entry(due: due, owner: owner, order: self.lastOrder))
        var child = self.entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard self.entries[child].isBefore(self.entries[parent]) else { break }
            self.entries.swapAt(child, parent)
            child = parent
        }
    }

    /// The earliest entry that is due, taken out.
    mutating func popDue(_ now: Instant) -> Entry? {
        guard let first = self.entries.first, first.due <= now else { return nil }
        let last = self.entries.removeLast()
        if !self.entries.isEmpty {
            self.entries[0] = last
            self.siftDown()
        }
        return first
    }

    /// Keeps only what is live. The next sweep is due when there is twice as much, so an entry costs no more
    /// than before.
    mutating func sweep(keeping isLive: (Entry) -> Bool) {
        // In ascending order: that is a heap.
        self.entries = self.entries.filter(isLive).sorted { $0.isBefore($1) }
        self.sweepCount = max(64, 2 * self.entries.count)
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2)
            where child < self.entries.count && self.entries[child].isBefore(self.entries[least]) {
                least = child
            }
            if least == parent { return }
            self.entries.swapAt(parent, least)
            parent = least
        }
    }
}
