import MatchRules
import RaceModel
import WireProtocol

/// The latest numbered events of one race, a byte each: enough to tell them again, in order, to who comes
/// back, and to
/// write the record. It decides nothing: what happened is written down as the match said it.
struct RaceLog: Sendable {
    private enum Kind: UInt8 { case turnStarted, moved, movedByServer, forfeited }

    /// How things stood before the first event that is kept.
    private struct Base: Sendable {
        var sequence: UInt32 = 0
        var turn: UInt32 = 0
        var positions = SeatTable<UInt32>(repeating: 0)
    }

    private var base = Base()
    private var entries: [UInt8] = []

    /// At its limit: what it holds must go into the record, and the log begin anew.
    var isFull: Bool { self.entries.count >= Limits.loggedEvents }

    /// Whether all events after this one are still here.
    func reaches(back sequence: UInt32) -> Bool { sequence >= self.base.sequence }

    mutating func note(_ effect: Match.Effect) {
        switch effect {
        case .turnStarted(_, _, let player): self.append(.turnStarted, player, 0)
        case .moved(_, _, let player, let steps, _, let automatic):
            self.append(automatic ? .movedByServer : .moved, player, steps)
        case .forfeited(_, let player, let reason): self.append(.forfeited, player, reason.rawValue)
        case .refused, .startClock, .stopClock, .holdSeat, .releaseSeat, .gone, .back, .matched, .roundOpened,
            .revealed, .ordered, .began, .over, .cancelled, .rematchOffered, .rematchWithdrawn, .departed,
            .rematchAgreed, .closed:
            break
        }
    }

    // Two bits of kind, three of player, three of steps or reason: steps are 1...6, reasons 0...2.
    private mutating func append(_ kind: Kind, _ player: PlayerNumber, _ detail: UInt8) {
        self.entries.append(kind.rawValue << 6 | UInt8(player.index) << 3 | detail)
    }

    /// The kept events after the given one, as messages, in order.
    /// - Parameter turnSeconds: what `turn` messages say.
    func messages(after sequence: UInt32 = 0, turnSeconds: UInt16 = 0) -> [ServerMessage] {
        var messages: [ServerMessage] = []
        var standing = self.base
        for entry in self.entries {
            let message = Self.read(entry, &standing, turnSeconds)
            if standing.sequence > sequence { messages.append(message) }
        }
        return messages
    }

    /// All events go into the record and are forgotten here; those to come follow upon them.
    mutating func move(into record: inout RecordDigest) {
        var standing = self.base
        for entry in self.entries { record.append(Self.read(entry, &standing, 0)) }
        self.base = standing
        self.entries.removeAll(keepingCapacity: true)
    }

    private static func read(_ entry: UInt8, _ standing: inout Base, _ turnSeconds: UInt16) -> ServerMessage {
        standing.sequence += 1
        let sequence = standing.sequence
        let player = PlayerNumber(index: Int(entry >> 3 & 7))
        let detail = entry & 7
        switch entry >> 6 {
        case Kind.turnStarted.rawValue:
            standing.turn += 1
            return .turnStarted(
                TurnStarted(sequence: sequence, turn: standing.turn, player: player, seconds: turnSeconds))
        case Kind.forfeited.rawValue:
            return .forfeited(
                Forfeited(
                    sequence: sequence, player: player, reason: ForfeitReason(rawValue: detail) ?? .left))
        default:
            standing.positions[player] += UInt32(detail)
            return .moved(
                Moved(
                    sequence: sequence, turn: standing.turn, player: player, steps: detail,
                    position: standing.positions[player], automatic: entry >> 6 == Kind.movedByServer.rawValue
                ))
        }
    }
}
