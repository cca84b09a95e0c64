import RaceModel

/// One ticket in its place: older first, of equally old ones the one that came first.
struct QueuedTicket: Sendable {
    struct Key: Hashable, Comparable, Sendable {
        var since: Instant
        var sequence: UInt64

        static func < (left: Key, right: Key) -> Bool {
            left.since != right.since ? left.since < right.since : left.sequence < right.sequence
        }
    }

    var key: Key
    var ticket: Ticket
}

/// The tickets of one pool that take the same numbers of people, oldest first. Taking from the head moves
/// nothing.
struct TicketLine: Sendable {
    let people: ClosedRange<UInt8>
    private var storage: [QueuedTicket] = []
    private var head = 0

    init(people: ClosedRange<UInt8>) { self.people = people }

    var count: Int { self.storage.count - self.head }

    /// 0 is the oldest.
    subscript(position: Int) -> QueuedTicket { self.storage[self.head + position] }

    mutating func insert(_ ticket: QueuedTicket) {
        self.storage.insert(ticket, at: self.index(of: ticket.key))
    }

    mutating func remove(_ key: QueuedTicket.Key) -> Ticket? {
        let index = self.index(of: key)
        guard index < self.storage.count, self.storage[index].key == key else { return nil }
        let ticket = self.storage[index].ticket
        if index == self.head {
            self.head += 1
            // Half of the array is used up: worth moving the rest once.
            if self.head > 16 && self.head * 2 > self.storage.count {
                self.storage.removeFirst(self.head)
                self.head = 0
            }
        } else {
            self.storage.remove(at: index)
        }
        return ticket
    }

    func ticket(_ key: QueuedTicket.Key) -> Ticket? {
        let index = self.index(of: key)
        guard index < self.storage.count, self.storage[index].key == key else { return nil }
        return self.storage[index].ticket
    }

    mutating func setEarlyNumber(_ number: UInt32, of key: QueuedTicket.Key) {
        let index = self.index(of: key)
        guard index < self.storage.count, self.storage[index].key == key else { return }
        self.storage[index].ticket.earlyNumber = number
    }

    /// Where the key is or would be.
    private func index(of key: QueuedTicket.Key) -> Int {
        // Nearly all tickets are newer than all others.
        if let last = self.storage.last, last.key < key { return self.storage.count }
        var low = self.head
        var high = self.storage.count
        while low < high {
            let middle = (low + high) / 2
            if self.storage[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
