import RaceModel

/// What each player is to do later, earliest first. An entry is void once its player's stamp has changed, so
/// nothing is
/// ever searched for or taken out early.
struct DueHeap: Sendable {
    struct Entry: Sendable, BitwiseCopyable {
        var due: Instant
        var player: Int32
        var stamp: UInt32
    }

    private var entries: [Entry] = []

    var next: Instant? { self.entries.first?.due }

    mutating func add(_ entry: Entry) {
        self.entries.append(entry)
        var index = self.entries.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard self.entries[index].due < self.entries[parent].due else { return }
            self.entries.swapAt(index, parent)
            index = parent
        }
    }

    /// The earliest that is due; nil when none is.
    mutating func popDue(_ now: Instant) -> Entry? {
        guard let first = self.entries.first, first.due <= now else { return nil }
        let last = self.entries.removeLast()
        guard !self.entries.isEmpty else { return first }
        self.entries[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < self.entries.count && self.entries[child].due < self.entries[least].due {
                least = child
            }
            if least == index { return first }
            self.entries.swapAt(index, least)
            index = least
        }
    }
}
