import Lobby
import RaceModel

/// Who broke off starts lately. Kept beside the players: coming back on another connection clears nothing.
struct BreakOffs: Sendable {
    /// Newest last; at most the last three.
    private var moments: [PlayerID: [Instant]] = [:]
    /// When a player's are of no account any more.
    private var ends = Lobby.DeadlineHeap<PlayerID>()

    mutating func note(_ player: PlayerID, now: Instant) {
        while let past = self.ends.popDue(now) { self.moments[past] = nil }
        self.moments[player, default: []].append(now)
        if self.moments[player, default: []].count > Limits.breakOffs { self.moments[player]?.removeFirst() }
        self.ends.set(player, to: now + Limits.breakOffSpan)
    }

    /// How long this player may not look for a race; zero or less when they may.
    func wait(of player: PlayerID, now: Instant) -> Instant.Span {
        guard let moments = self.moments[player], moments.count == Limits.breakOffs,
            let first = moments.first, let last = moments.last, last - first <= Limits.breakOffSpan
        else { return Instant.Span(nanoseconds: 0) }
        return last + Limits.breakOffSpan - now
    }
}
