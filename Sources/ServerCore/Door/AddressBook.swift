import Lobby
import RaceModel

/// What is remembered of an address.
struct AddressEntry: Sendable {
    var connections = 0
    var connects = Budget.Purse()
    var refusalsTold = Budget.Purse()
    var newNames = Budget.Purse()
    var races = Budget.Purse()
    /// Lately; no more of them than make a difference.
    var wrongKeys = 0
    var wrongKeysForgotten = Instant.zero
    /// Until when no key is looked at.
    var keysRefused = Instant.zero

    /// When there is nothing left to remember, but connections.
    var forgotten: Instant {
        [self.refusalsTold.full, self.newNames.full, self.races.full, self.wrongKeysForgotten]
            .reduce(self.connects.full, max)
    }
}

/// Addresses that have connections, or of which something is remembered, by what counts as one address.
/// Those with connections are as many as connections at most; the others have a limit.
struct AddressBook: Sendable {
    private var entries: [NetworkAddress: AddressEntry] = [:]
    private var idle = Lobby.DeadlineHeap<NetworkAddress>()

    var count: Int { self.entries.count }
    var nextDeadline: Instant? { self.idle.next }

    subscript(address: NetworkAddress) -> AddressEntry {
        self.entries[address.block] ?? AddressEntry()
    }

    mutating func update<Answer>(
        _ address: NetworkAddress, now: Instant, _ body: (inout AddressEntry) -> Answer
    ) -> Answer {
        let block = address.block
        var entry = self.entries[block] ?? AddressEntry()
        let answer = body(&entry)
        if entry.connections > 0 {
            self.entries[block] = entry
            self.idle.set(block, to: nil)
        } else if entry.forgotten <= now {
            self.entries[block] = nil
            self.idle.set(block, to: nil)
        } else {
            self.entries[block] = entry
            self.idle.set(block, to: entry.forgotten)
            if self.idle.count > Limits.rememberedAddresses, let first = self.idle.next,
                let early = self.idle.popDue(first)
            {
                self.entries[early] = nil
            }
        }
        return answer
    }

    mutating func forget(_ now: Instant) {
        while let block = self.idle.popDue(now) { self.entries[block] = nil }
    }
}
