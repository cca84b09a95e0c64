import RaceModel

/// Output that is on its way to a loop, by connection. A core that shares a loop's queue learns at once who leaves
/// too much unread; one that has its own must not run ahead of what it has not heard yet: over
/// `Limits.backedUpBytes` on the way, a connection counts as backed up until its loop has carried that out.
struct OutputAhead {
    private struct Entry {
        var generation: UInt32 = 0
        var bytes = 0
        /// The last orders with output for it.
        var number = 0
        /// It counts as backed up for what is on the way.
        var isAhead = false
        /// Its loop said that it is.
        var isBackedUp = false
    }

    /// By shared slot.
    private var entries: [Entry] = []
    private var waiting: [(connection: ConnectionID, loop: Int)] = []
    /// The last orders each loop has carried out.
    private var carried: [Int] = []

    /// - Returns: whether it is backed up from now on.
    mutating func note(_ connection: ConnectionID, _ bytes: Int, _ number: Int, loop: Int) -> Bool {
        let slot = self.place(of: connection)
        if !self.entries[slot].isAhead, loop < self.carried.count,
            self.entries[slot].number <= self.carried[loop]
        {
            self.entries[slot].bytes = 0
        }
        self.entries[slot].bytes += bytes
        self.entries[slot].number = number
        guard self.entries[slot].bytes > Limits.backedUpBytes, !self.entries[slot].isAhead else {
            return false
        }
        self.entries[slot].isAhead = true
        self.waiting.append((connection, loop))
        return true
    }

    /// Its loop says that it leaves much unread.
    mutating func setBackedUp(_ connection: ConnectionID) {
        self.entries[self.place(of: connection)].isBackedUp = true
    }

    /// Its loop says that all is read.
    /// - Returns: whether that is so, whatever is on the way.
    mutating func drained(_ connection: ConnectionID) -> Bool {
        let slot = self.place(of: connection)
        self.entries[slot].isBackedUp = false
        return !self.entries[slot].isAhead
    }

    /// - Parameter carried: by loop, the last orders that are carried out.
    /// - Returns: who is no longer backed up.
    mutating func caughtUp(carried: [Int]) -> [ConnectionID] {
        self.carried = carried
        guard !self.waiting.isEmpty else { return [] }
        var caughtUp: [ConnectionID] = []
        self.waiting.removeAll { connection, loop in
            let slot = Int(connection.slot)
            guard self.entries[slot].generation == connection.generation else { return true }
            guard self.entries[slot].number <= carried[loop] else { return false }
            self.entries[slot].isAhead = false
            self.entries[slot].bytes = 0
            if !self.entries[slot].isBackedUp { caughtUp.append(connection) }
            return true
        }
        return caughtUp
    }

    /// A slot that another connection has taken begins anew.
    private mutating func place(of connection: ConnectionID) -> Int {
        let slot = Int(connection.slot)
        if slot >= self.entries.count {
            self.entries.append(contentsOf: repeatElement(Entry(), count: slot + 1 - self.entries.count))
        }
        if self.entries[slot].generation != connection.generation {
            self.entries[slot] = Entry(generation: connection.generation)
        }
        return slot
    }
}
