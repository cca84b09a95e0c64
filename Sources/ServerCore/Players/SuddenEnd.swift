import RaceModel
import WireProtocol

/// That the server before this one ended suddenly, and who need not be told any more.
struct SuddenEnd: Sendable {
    /// When this server began.
    private let start: Instant
    private var known: Set<PlayerID> = []

    init(start: Instant) { self.start = start }

    /// Everybody who comes is known from then on, so that nobody takes the loss of a later race for this.
    /// - Parameter isNew: they were not there before.
    /// - Returns: how long ago it was, for who is to be told; nil: nothing is to be told.
    mutating func meet(_ player: PlayerID, isNew: Bool, now: Instant) -> Instant.Span? {
        guard now - self.start <= Limits.suddenEndTold else {
            self.known = []
            return nil
        }
        guard !self.known.contains(player) else { return nil }
        if self.known.count < Limits.suddenEndKnown { self.known.insert(player) }
        return isNew ? nil : now - self.start
    }
}

extension RaceServer {
    /// For who comes with a name, and has no seat here.
    mutating func tellSuddenEnd(_ player: PlayerID, isNew: Bool, to connection: ConnectionID) {
        guard let ago = self.suddenEnd?.meet(player, isNew: isNew, now: self.now) else { return }
        self.send(
            .notice(
                .suddenEnd, seconds: self.shown(ago),
                text:
                    "the server ended suddenly and was started anew: races under way then have no result, "
                    + "nobody has won or lost them"),
            to: connection)
    }
}
