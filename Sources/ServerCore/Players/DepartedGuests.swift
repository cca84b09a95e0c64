import Lobby
import RaceModel

/// Players who went without ever having finished a race: after a day they are forgotten. One entry each,
/// however often
/// they come and go.
struct DepartedGuests: Sendable {
    private var deadlines = Lobby.DeadlineHeap<PlayerID>()

    /// Kept here: it is asked for with every input, and another module's heap is slow to ask.
    private(set) var nextDeadline: Instant?

    mutating func add(_ player: PlayerID, now: Instant) {
        self.deadlines.set(player, to: now + Limits.guestMemory)
        self.nextDeadline = self.deadlines.next
    }

    /// They are back.
    mutating func remove(_ player: PlayerID) {
        self.deadlines.set(player, to: nil)
        self.nextDeadline = self.deadlines.next
    }

    mutating func popDue(_ now: Instant) -> PlayerID? {
        guard let due = self.nextDeadline, due <= now else { return nil }
        let player = self.deadlines.popDue(now)
        self.nextDeadline = self.deadlines.next
        return player
    }
}
