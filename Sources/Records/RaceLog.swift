package import RaceModel
package import WireProtocol

/// The latest numbered events of one race, a byte each: enough to tell them again, in order, to who comes
/// back, and to write the record. It decides nothing: what happened is written down as the match said it.
package struct RaceLog: Hashable, Sendable {
    private enum Kind: UInt8 { case turnStarted, moved, movedByServer, forfeited }

    /// How things stood before the first event that is kept.
    private struct Base: Hashable, Sendable {
        var sequence: UInt32 = 0
        var turn: UInt32 = 0
        var positions = SeatTable<UInt32>(repeating: 0)
    }

    private var base = Base()
    private var entries: [UInt8] = []

    package init() {}

    /// At its limit: what it holds must go into the record, and the log begin anew.
    package var isFull: Bool { self.entries.count >= Limits.loggedEvents }

    /// Events that are here.
    package var count: Int { self.entries.count }

    /// Whether all events after this one are still here.
    package func reaches(back sequence: UInt32) -> Bool { sequence >= self.base.sequence }

    // Each says how many events are here now.

    @discardableResult
    package mutating func noteTurn(of player: PlayerNumber) -> Int { self.append(.turnStarted, player, 0) }

    /// - Parameter steps: 1...6
    @discardableResult
    package mutating func noteMove(of player: PlayerNumber, steps: UInt8, automatic: Bool) -> Int {
        self.append(automatic ? .movedByServer : .moved, player, steps)
    }

    @discardableResult
    package mutating func noteForfeit(of player: PlayerNumber, _ reason: ForfeitReason) -> Int {
        self.append(.forfeited, player, reason.rawValue)
    }

    // Two bits of kind, three of player, three of steps or reason: steps are 1...6, reasons 0...2.
    @inline(__always)
    private mutating func append(_ kind: Kind, _ player: PlayerNumber, _ detail: UInt8) -> Int {
        self.entries.append(kind.rawValue << 6 | UInt8(truncatingIfNeeded: player.index) << 3 | detail)
        return self.entries.count
    }

    /// The kept events after the given one, as messages, in order.
    /// - Parameter turnSeconds: what `turn` messages say.
    package func messages(after sequence: UInt32 = 0, turnSeconds: UInt16 = 0) -> [ServerMessage] {
        var messages: [ServerMessage] = []
        var standing = self.base
        for entry in self.entries {
            let event = Self.read(entry, &standing)
            if standing.sequence > sequence { messages.append(event.message(turnSeconds: turnSeconds)) }
        }
        return messages
    }

    /// Hands on the first events, in order, and forgets them; those to come follow upon them.
    package mutating func drain(first count: Int = .max, _ body: (LoggedEvent) -> Void) {
        let count = min(count, self.entries.count)
        for index in 0..<count { body(Self.read(self.entries[index], &self.base)) }
        self.entries.removeFirst(count)
    }

    /// The events of a whole race, a byte each.
    package var bytes: [UInt8] { self.entries }

    /// Reads what `bytes` wrote; nil when these are no events of a race of so many players.
    package init?(bytes: some Collection<UInt8>, players: Int) {
        guard bytes.count < Limits.loggedEvents, bytes.allSatisfy({ Self.isEvent($0, players: players) })
        else {
            return nil
        }
        self.entries = Array(bytes)
    }

    private static func isEvent(_ entry: UInt8, players: Int) -> Bool {
        guard Int(entry >> 3 & 7) < players else { return false }
        let detail = entry & 7
        switch Kind(rawValue: entry >> 6) {
        case .turnStarted: return detail == 0
        case .moved, .movedByServer: return (1...6).contains(detail)
        case .forfeited: return ForfeitReason(rawValue: detail) != nil
        case nil: return false
        }
    }

    /// Who is out of the race because of these events.
    var forfeits: [PlayerNumber] {
        self.entries.filter { $0 >> 6 == Kind.forfeited.rawValue }.map {
            PlayerNumber(index: Int($0 >> 3 & 7))
        }
    }

    private static func read(_ entry: UInt8, _ standing: inout Base) -> LoggedEvent {
        standing.sequence += 1
        let sequence = standing.sequence
        let player = PlayerNumber(index: Int(entry >> 3 & 7))
        let detail = entry & 7
        switch entry >> 6 {
        case Kind.turnStarted.rawValue:
            standing.turn += 1
            return .turnStarted(sequence: sequence, turn: standing.turn, player: player)
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

/// One event as a log has it.
package enum LoggedEvent: Hashable, Sendable {
    case turnStarted(sequence: UInt32, turn: UInt32, player: PlayerNumber)
    case moved(Moved)
    case forfeited(Forfeited)

    func message(turnSeconds: UInt16) -> ServerMessage {
        switch self {
        case .turnStarted(let sequence, let turn, let player):
            .turnStarted(
                TurnStarted(sequence: sequence, turn: turn, player: player, seconds: turnSeconds))
        case .moved(let moved): .moved(moved)
        case .forfeited(let forfeited): .forfeited(forfeited)
        }
    }
}
