import Fairness
import MatchRules
import RaceModel
import Records
import WireProtocol

/// The record of a race on its way into its digest.
struct RecordDigest: Sendable {
    private var record: RaceRecord
    private var stream = DigestStream()

    init(found: MatchFound) { self.record = RaceRecord(found: found) }

    /// Lines are hashed a few at a time: what is kept of them stays small, and is used again.
    private static let textBytes = 4096

    mutating func append(_ message: ServerMessage) {
        self.record.append(message)
        self.takeInIfMuch()
    }

    /// Turns are no part of the record.
    mutating func append(_ event: LoggedEvent) {
        switch event {
        case .turnStarted: return
        case .moved(let moved): self.record.append(moved)
        case .forfeited(let forfeited): self.record.append(.forfeited(forfeited))
        }
        self.takeInIfMuch()
    }

    private mutating func takeInIfMuch() {
        if self.record.text.count >= Self.textBytes { self.takeIn() }
    }

    private mutating func takeIn() {
        self.stream.append(self.record.text)
        self.record.clearText()
    }

    /// The digest of a race that ends so: its last number, and who has won and why.
    consuming func digest(endingAt sequence: UInt32, _ outcome: Outcome) -> Bytes32 {
        self.record.end(sequence, outcome)
        self.takeIn()
        return self.stream.digest
    }
}

/// The digest of a race: SHA-256 of what a spectator who was there from the beginning has read, line by
/// line, up to the nonce.
extension RaceServer {
    /// The lines are written when the race is over, not move by move; only a race too long for its log is taken
    /// in before, some events at a time. That allocates nothing, but for the first time.
    mutating func takeInLog(of room: RoomIndex) {
        if self.rooms[room].takeInLog() { return }
        self.rooms[room].recordDigest = self.beginRecord(of: room)
        _ = self.rooms[room].takeInLog()
    }

    func digest(of room: RoomIndex, endingAt sequence: UInt32, _ outcome: Outcome) -> Bytes32 {
        var digest = self.rooms[room].recordDigest ?? self.beginRecord(of: room)
        var log = self.rooms[room].log
        log.drain { digest.append($0) }
        return digest.digest(endingAt: sequence, outcome)
    }

    private func beginRecord(of room: RoomIndex) -> RecordDigest {
        var digest = RecordDigest(found: self.found(room, for: nil))
        for number in self.rooms[room].numbers { digest.append(.randomNumber(number)) }
        if let lineup = self.rooms[room].lineup { digest.append(.playerOrder(lineup.order)) }
        return digest
    }
}
