import Lobby
import RaceModel

/// Results that wait for the store, oldest first. Over `Limits.resultBacklog` or `Limits.resultBacklogBytes` a
/// further one is lost.
struct ResultBacklog {
    struct Entry {
        var id: LookUpID
        var race: FinishedRace
    }

    private var entries: [Entry] = []
    private(set) var bytes = 0

    var count: Int { self.entries.count }
    var isEmpty: Bool { self.entries.isEmpty }

    /// False: there is no room.
    mutating func append(_ entry: Entry) -> Bool {
        guard self.entries.count < Limits.resultBacklog,
            self.bytes + entry.race.record.count <= Limits.resultBacklogBytes
        else { return false }
        self.entries.append(entry)
        self.bytes += entry.race.record.count
        return true
    }

    func first(_ count: Int) -> ArraySlice<Entry> { self.entries.prefix(count) }

    mutating func removeFirst(_ count: Int) {
        for entry in self.entries.prefix(count) { self.bytes -= entry.race.record.count }
        self.entries.removeFirst(min(count, self.entries.count))
    }
}
