import Fairness
package import RaceModel
import WireProtocol

/// The form that people keep: the lines that a spectator has read, without those that only tell the time, each ended
/// by LF.
extension MatchRecord {
    /// Found with its seats, numbers, order, moves and forfeits. Nil when the events were not kept.
    private var race: RaceRecord? {
        guard let events = self.events else { return nil }
        var record = RaceRecord(found: self.found)
        for number in self.numbers { record.append(.randomNumber(number)) }
        record.append(.playerOrder(self.order))
        for event in events.messages() { record.append(event) }
        return record
    }

    /// What the digest of the race is made of: all of the record before the nonce. Nil when the events were not kept.
    package var digestedText: [UInt8]? {
        guard var race = self.race else { return nil }
        race.end(self.over.sequence, self.over.outcome)
        return race.text
    }

    /// SHA-256 of that, to be compared with the one in `over`. Nil when the events were not kept.
    package var workedOutDigest: Bytes32? { self.digestedText.map { Digest.sha256($0) } }

    /// The whole record, over and its places too: what `init(text:)` reads. Nil when the events were not kept.
    package var text: [UInt8]? {
        guard var text = self.race?.text else { return nil }
        LineEncoder.append(.gameOver(self.over), names: self.names, to: &text)
        return text
    }

    private var names: RosterNames {
        RosterNames(
            aliases: self.found.seats.map(\.alias), order: self.order, finish: self.found.settings.finish)
    }

    /// Reads what `text` wrote, and nothing else: every line must be byte for byte what the server writes.
    package init(text: [UInt8]) throws(RecordFault) {
        var reader = RecordReader(text)
        let found = try reader.found()
        var numbers: [RevealedNumber] = []
        var message = try reader.message()
        while case .randomNumber(let number) = message {
            numbers.append(number)
            if let fault = Self.fault(in: numbers, of: found) { throw reader.fault(fault) }
            try reader.check(message)
            message = try reader.message()
        }
        let order = try reader.order(message, of: found)
        var events = RecordedEvents(rule: found.settings.rule, players: found.seats.count)
        message = try reader.message()
        while let event = try events.take(message, reader) {
            try reader.check(event)
            message = try reader.message()
        }
        guard case .gameOver(let over) = message else {
            throw reader.fault(
                "here a record has a line number, order, moved, forfeit or over, each in its place")
        }
        events.close(before: over.sequence)
        if let fault = Self.fault(in: over, after: events.log, of: found) {
            throw reader.fault(fault, in: over, of: found)
        }
        try reader.check(message)
        try reader.expectEnd()
        self.init(found: found, numbers: numbers, order: order, events: events.log, over: over)
    }
}

/// Events of a text, back in a log. Turns that begin have no line in a record: they follow from the order of play.
private struct RecordedEvents {
    private(set) var log = RaceLog()
    private let rule: RaceSettings.Rule
    private let players: Int
    private var onTurn = PlayerNumber(1)
    private var isTurnOpen = false
    private var turn: UInt32 = 0
    private var positions = SeatTable<UInt32>(repeating: 0)
    private var out: Set<PlayerNumber> = []

    init(rule: RaceSettings.Rule, players: Int) {
        self.rule = rule
        self.players = players
    }

    /// Writes an event down.
    /// - Returns: as it must have been written; nil when this is none.
    mutating func take(
        _ message: ServerMessage, _ reader: RecordReader
    ) throws(RecordFault) -> ServerMessage? {
        let player: PlayerNumber
        switch message {
        case .moved(let moved): player = moved.player
        case .forfeited(let event): player = event.player
        default: return nil
        }
        guard player.index < self.players else { throw reader.fault("there are \(self.players) players") }
        self.openTurn()
        switch message {
        case .moved(let moved):
            guard (1...6).contains(moved.steps) else { throw reader.fault("a move is 1 to 6 fields") }
            self.positions[player] += UInt32(moved.steps)
            self.log.noteMove(of: player, steps: moved.steps, automatic: moved.automatic)
            self.pass()
        case .forfeited(let event):
            self.out.insert(player)
            self.log.noteForfeit(of: player, event.reason)
            if player == self.onTurn { self.pass() }
        default: break
        }
        guard !self.log.isFull else { throw reader.fault("the events of so long a race are not kept") }
        return self.rewritten(message)
    }

    /// With number, turn and position as they follow from the events before.
    private func rewritten(_ message: ServerMessage) -> ServerMessage {
        let sequence = UInt32(self.log.count)
        switch message {
        case .moved(var moved):
            moved.sequence = sequence
            moved.turn = self.turn
            moved.position = self.positions[moved.player]
            return .moved(moved)
        case .forfeited(var event):
            event.sequence = sequence
            return .forfeited(event)
        default: return message
        }
    }

    /// A race can end in a turn that nobody used.
    mutating func close(before sequence: UInt32) {
        if sequence > UInt32(self.log.count) + 1 { self.openTurn() }
    }

    private mutating func openTurn() {
        guard self.rule == .turns, !self.isTurnOpen else { return }
        self.isTurnOpen = true
        self.turn += 1
        self.log.noteTurn(of: self.onTurn)
    }

    /// The next in order who is in the race; the same when nobody is.
    private mutating func pass() {
        self.isTurnOpen = false
        for step in 1...self.players {
            let next = PlayerNumber(index: (self.onTurn.index + step) % self.players)
            if !self.out.contains(next) {
                self.onTurn = next
                return
            }
        }
    }
}
