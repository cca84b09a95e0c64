import MatchRules
import RaceModel
import WireProtocol

/// Messages to bytes, each encoded once for all who get it.
extension RaceServer {
    /// To one connection, in its dialect.
    mutating func send(_ message: ServerMessage, to id: ConnectionID, names: RosterNames = .none) {
        guard let slot = self.slot(of: id), !self.connections[slot].isClosing else { return }
        self.outbox.outputs.append(.send(id, self.encode(message, for: slot, names)))
    }

    /// Ahead of what is held for this connection, also when it is to be closed behind that.
    mutating func sendAhead(_ message: ServerMessage, to id: ConnectionID) {
        guard let slot = self.slot(of: id) else { return }
        self.outbox.outputs.append(.sendAhead(id, self.encode(message, for: slot, .none)))
    }

    private mutating func encode(
        _ message: ServerMessage, for slot: Int, _ names: RosterNames
    ) -> Range<Int> {
        let start = self.outbox.bytes.count
        switch self.connections[slot].dialect {
        case .binary: BinaryEncoder.append(message, to: &self.outbox.bytes)
        case .text:
            LineEncoder.append(message, names: names, to: &self.outbox.bytes)
        case .unknown, .preface:
            // It has not said what it speaks. Text is what a binary client skips.
            LineEncoder.append(message, names: names, to: &self.outbox.bytes)
        }
        return start..<self.outbox.bytes.count
    }

    /// To the connection of a player, if it is there.
    mutating func send(_ message: ServerMessage, to player: PlayerIndex, names: RosterNames = .none) {
        guard let id = self.players[player].connection else { return }
        self.send(message, to: id, names: names)
    }

    mutating func sendBytes(_ bytes: [UInt8], to id: ConnectionID) {
        guard !bytes.isEmpty, let slot = self.slot(of: id), !self.connections[slot].isClosing else { return }
        let start = self.outbox.bytes.count
        self.outbox.bytes.append(contentsOf: bytes)
        self.outbox.outputs.append(.send(id, start..<self.outbox.bytes.count))
    }

    mutating func sendText(_ text: String, to id: ConnectionID) { self.sendBytes(Array(text.utf8), to: id) }

    /// A line that only people read; nothing for programs, or where notes are off.
    mutating func note(_ text: String, to id: ConnectionID) {
        guard let slot = self.slot(of: id), self.connections[slot].dialect == .text,
            self.connections[slot].notes
        else { return }
        self.sendText("# \(text)\n", to: id)
    }

    /// Answers a request that does not count. What is not charged when it comes is charged now.
    mutating func refuse(_ code: ErrorCode, _ text: String, request: UInt8?, to id: ConnectionID) {
        if let request, Self.isChargedWhenRefused(request), let slot = self.slot(of: id),
            !self.charge(.refusedMoves, slot, request: request)
        {
            return
        }
        self.sendError(code, text, request: request, to: id)
    }

    mutating func sendError(_ code: ErrorCode, _ text: String, request: UInt8?, to id: ConnectionID) {
        self.figures.countRefusal(code)
        if self.configuration.logLevel == .debug { self.logRefusal(code, request: request, to: id) }
        self.send(.error(ErrorReply(code: code, request: request, text: text)), to: id)
    }

    private mutating func logRefusal(_ code: ErrorCode, request: UInt8?, to id: ConnectionID) {
        let player = self.slot(of: id).flatMap { self.connections[$0].player }.map {
            self.players[$0].id.value
        }
        self.log(
            .debug, "request-refused",
            [
                ("connection", id.slot), ("player", player ?? 0), ("code", code.name),
                ("request", request.map { "\($0)" } ?? "none"),
            ])
    }

    /// Nothing is written out that nobody wants to read.
    mutating func log(_ level: LogLine.Level, _ event: String, _ fields: [(String, any Sendable)] = []) {
        guard level >= self.configuration.logLevel else { return }
        self.outbox.errands.append(
            .log(LogLine(level, event, fields.map { LogLine.Field($0.0, "\($0.1)") })))
    }

    /// What is shown of a length of time, in whole seconds.
    func shown(_ span: Instant.Span) -> UInt16 { UInt16(clamping: max(0, span.seconds)) }
}
