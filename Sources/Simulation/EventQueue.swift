import RaceModel
import ServerCore

/// Something that will happen.
enum Happening: Sendable {
    /// The server's next deadline.
    case serverDeadline
    /// The server accepts a connection.
    case arrival(ConnectionID)
    /// Bytes, or their end, come to the server.
    case toServer(ConnectionID)
    case toClient(ConnectionID)
    /// The server learns that a connection is gone.
    case loss(ConnectionID, ConnectionLoss)
    /// The client learns that its connection is gone.
    case hangUp(ConnectionID)
    /// The store's answer of this number, to the server of that life.
    case answer(UInt64, life: Int)
    /// The server dies.
    case crash
    /// A server that came to its end in order is followed by another.
    case rebirth(life: Int)
    /// A person looks up and does something.
    case person(Int)
    /// A client program's own deadline.
    case program(Int)
    /// Someone comes to send garbage.
    case vandal
}

/// What will happen, by time; of one moment in the order in which it was planned.
struct EventQueue: Sendable {
    struct Entry: Sendable {
        var due: Instant
        var order: UInt64
        var happening: Happening

        func isBefore(_ other: Entry) -> Bool {
            self.due != other.due ? self.due < other.due : self.order < other.order
        }
    }

    private var entries: [Entry] = []
    private var lastOrder: UInt64 = 0

    var nextDue: Instant? { self.entries.first?.due }

    mutating func plan(_ happening: Happening, at due: Instant) {
        self.lastOrder += 1
        self.entries.append(Entry(due: due, order: self.lastOrder, happening: happening))
        var child = self.entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard self.entries[child].isBefore(self.entries[parent]) else { break }
            self.entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func pop() -> Entry? {
        guard let first = self.entries.first, let last = self.entries.popLast() else { return nil }
        if !self.entries.isEmpty {
            self.entries[0] = last
            self.siftDown()
        }
        return first
    }

    /// People do nothing of their own any more.
    mutating func dropPeople() {
        let kept = self.entries.filter { entry in
            if case .person = entry.happening { false } else { true }
        }
        self.entries = kept.sorted { $0.isBefore($1) }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            let left = 2 * parent + 1
            if left < self.entries.count, self.entries[left].isBefore(self.entries[least]) { least = left }
            let right = left + 1
            if right < self.entries.count, self.entries[right].isBefore(self.entries[least]) { least = right }
            if least == parent { return }
            self.entries.swapAt(parent, least)
            parent = least
        }
    }
}
