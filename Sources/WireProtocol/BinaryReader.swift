import RaceModel

/// Reads the body of one frame, field by field. Every read is checked; lengths are compared before they are
/// used.
package struct BinaryReader: Sendable {
    /// The message type, for errors.
    let type: UInt8
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private let end: Int

    init(type: UInt8, body: ArraySlice<UInt8>) {
        self.type = type
        self.bytes = body
        self.position = body.startIndex
        self.end = body.endIndex
    }

    var remaining: Int { self.end - self.position }

    func violation(_ code: ErrorCode, _ text: String) -> ProtocolViolation {
        ProtocolViolation(code: code, request: self.type, text: text)
    }

    /// The body as a whole must have this length.
    func expectBody(_ length: Int) throws(ProtocolViolation) {
        guard self.remaining == length else {
            throw self.violation(
                .malformedBody,
                "the body of message type \(self.type) has \(length) bytes, this one has \(self.remaining)")
        }
    }

    /// All of the body must have been read.
    func finish() throws(ProtocolViolation) {
        guard self.position == self.end else {
            throw self.violation(
                .malformedBody, "\(self.remaining) bytes too many in message type \(self.type)")
        }
    }

    private func need(_ count: Int) throws(ProtocolViolation) {
        guard self.end - self.position >= count else {
            throw self.violation(.malformedBody, "the body of message type \(self.type) ends too early")
        }
    }

    mutating func u8() throws(ProtocolViolation) -> UInt8 {
        try self.need(1)
        return self.take()
    }

    mutating func u16() throws(ProtocolViolation) -> UInt16 {
        try self.need(2)
        return UInt16(self.take()) << 8 | UInt16(self.take())
    }

    mutating func u32() throws(ProtocolViolation) -> UInt32 {
        try self.need(4)
        return self.takeU32()
    }

    mutating func u64() throws(ProtocolViolation) -> UInt64 {
        try self.need(8)
        return self.takeU64()
    }

    private mutating func take() -> UInt8 {
        let byte = self.bytes[self.position]
        self.position &+= 1
        return byte
    }

    private mutating func takeU32() -> UInt32 {
        let a = UInt32(self.take())
        let b = UInt32(self.take())
        let c = UInt32(self.take())
        return a << 24 | b << 16 | c << 8 | UInt32(self.take())
    }

    private mutating func takeU64() -> UInt64 {
        let high = UInt64(self.takeU32())
        return high << 32 | UInt64(self.takeU32())
    }

    mutating func flag(_ field: String) throws(ProtocolViolation) -> Bool {
        switch try self.u8() {
        case 0: return false
        case 1: return true
        case let other: throw self.violation(.badValue, "\(field) is 0 or 1, not \(other)")
        }
    }

    mutating func choice<Value: RawRepresentable<UInt8> & WireName>(
        _ field: String
    ) throws(ProtocolViolation) -> Value {
        let raw = try self.u8()
        guard let value = Value(rawValue: raw) else {
            throw self.violation(
                .badValue, "\(field) is 0 to \(Value.allCases.count - 1) (\(Value.choices)), not \(raw)")
        }
        return value
    }

    mutating func seat() throws(ProtocolViolation) -> Seat {
        guard let seat = try self.optionalSeat() else {
            throw self.violation(.badValue, "a seat is 1 to 8, not 0")
        }
        return seat
    }

    mutating func optionalSeat() throws(ProtocolViolation) -> Seat? {
        let raw = try self.u8()
        guard raw <= Limits.playersPerMatch else {
            throw self.violation(.badValue, "a seat is 1 to 8, not \(raw)")
        }
        return raw == 0 ? nil : Seat(raw)
    }

    mutating func player() throws(ProtocolViolation) -> PlayerNumber {
        guard let player = try self.optionalPlayer() else {
            throw self.violation(.badValue, "a player is 1 to 8, not 0")
        }
        return player
    }

    mutating func optionalPlayer() throws(ProtocolViolation) -> PlayerNumber? {
        let raw = try self.u8()
        guard raw <= Limits.playersPerMatch else {
            throw self.violation(.badValue, "a player is 1 to 8, not \(raw)")
        }
        return raw == 0 ? nil : PlayerNumber(raw)
    }

    mutating func page() throws(ProtocolViolation) -> UInt16 {
        let page = try self.u16()
        guard page > 0 else {
            throw self.violation(.badValue, "pages are counted from 1, there is no page 0")
        }
        return page
    }

    mutating func bytes32() throws(ProtocolViolation) -> Bytes32 {
        try self.need(32)
        return Bytes32(words: (self.takeU64(), self.takeU64(), self.takeU64(), self.takeU64()))
    }

    mutating func key() throws(ProtocolViolation) -> PlayerKey? {
        switch try self.u8() {
        case 0: return nil
        case 16: return PlayerKey(high: try self.u64(), low: try self.u64())
        case let other: throw self.violation(.badValue, "a key has 0 or 16 bytes, not \(other)")
        }
    }

    /// Text behind a length byte; over `limit` bytes is the error `code`.
    mutating func string(
        _ field: String, limit: Int, code: ErrorCode = .badValue
    ) throws(ProtocolViolation) -> String {
        let length = Int(try self.u8())
        try self.need(length)
        guard length <= limit else {
            throw self.violation(code, "\(field) has at most \(limit) bytes, not \(length)")
        }
        let start = self.position
        self.position &+= length
        guard let text = String(validating: self.bytes[start..<self.position], as: UTF8.self) else {
            throw self.violation(.notUTF8, "\(field) is not valid UTF-8")
        }
        return text
    }

    /// Lines of a record behind a length of two bytes.
    mutating func recordLines() throws(ProtocolViolation) -> [UInt8] {
        let length = Int(try self.u16())
        try self.need(length)
        guard length <= Limits.recordPageBytes else {
            throw self.violation(
                .badValue, "a page of a record has at most \(Limits.recordPageBytes) bytes, not \(length)")
        }
        let start = self.position
        self.position &+= length
        let text = Array(self.bytes[start..<self.position])
        guard RecordPage.isSound(text) else { throw self.violation(.badValue, RecordPage.soundness) }
        return text
    }

    mutating func alias() throws(ProtocolViolation) -> Alias {
        guard let alias = Alias(try self.string("an alias", limit: Limits.aliasBytes, code: .badAlias)) else {
            throw self.violation(.badAlias, "not an alias: see the rules for aliases")
        }
        return alias
    }

    mutating func settings() throws(ProtocolViolation) -> RaceSettings {
        RaceSettings(rule: try self.choice("rule"), draw: try self.choice("draw"), finish: try self.u32())
    }

    mutating func request() throws(ProtocolViolation) -> RaceRequest {
        RaceRequest(
            minimum: try self.u8(), maximum: try self.u8(), settings: try self.settings(),
            group: try self.u32(),
            bots: try self.u8())
    }

    /// Entries behind a count byte.
    mutating func list<Entry>(
        _ field: String, limit: Int, _ entry: (inout BinaryReader) throws(ProtocolViolation) -> Entry
    ) throws(ProtocolViolation) -> [Entry] {
        let count = Int(try self.u8())
        guard count <= limit else {
            throw self.violation(.tooMany, "at most \(limit) \(field) in one message, not \(count)")
        }
        // Each entry takes at least a byte, so a count that lies reserves no more than the frame's own
        // length.
        try self.need(count)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count { entries.append(try entry(&self)) }
        return entries
    }
}
