import RaceModel

/// One server line, taken apart: its verb, and what its keys say. Keys nobody asks for are passed over, so
/// that the protocol can grow.
struct LineFields: Sendable {
    let verb: String
    private var fields: [(key: String, value: ArraySlice<UInt8>)] = []

    init(_ line: ArraySlice<UInt8>) throws(ProtocolViolation) {
        var scanner = LineScanner(line)
        guard let first = try scanner.next(), first.key == nil else {
            throw ProtocolViolation(code: .malformedBody, request: nil, text: "a line begins with its verb")
        }
        self.verb = String(decoding: first.value, as: UTF8.self)
        while let word = try scanner.next() {
            guard let key = word.key else { continue }
            self.fields.append((String(decoding: key, as: UTF8.self), word.value))
        }
    }

    func bad(_ text: String) -> ProtocolViolation {
        ProtocolViolation(code: .badValue, request: nil, text: "line \(self.verb.cut(to: 40)): \(text)")
    }

    func optional(_ key: String) -> ArraySlice<UInt8>? { self.fields.first { $0.key == key }?.value }

    func required(_ key: String) throws(ProtocolViolation) -> ArraySlice<UInt8> {
        guard let value = self.optional(key) else {
            throw ProtocolViolation(
                code: .malformedBody, request: nil, text: "\(key)= is missing in a line \(self.verb)")
        }
        return value
    }

    func number<Number: FixedWidthInteger & UnsignedInteger>(_ key: String) throws(ProtocolViolation)
        -> Number
    {
        try self.number(try self.required(key), key)
    }

    /// A number that a frame has too: all ones stand for none there, and are no number here.
    func optionalNumber<Number: FixedWidthInteger & UnsignedInteger>(
        _ key: String
    ) throws(ProtocolViolation) -> Number? {
        guard let value = self.optional(key) else { return nil }
        let number: Number = try self.number(value, key)
        guard number < .max else { throw self.bad("\(key) is a whole number up to \(Number.max - 1)") }
        return number
    }

    private func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: ArraySlice<UInt8>, _ key: String
    ) throws(ProtocolViolation) -> Number {
        guard case .number(let number) = value.decimal(Number.self) else {
            throw self.bad("\(key) is a whole number up to \(Number.max)")
        }
        return number
    }

    func flag(_ key: String) throws(ProtocolViolation) -> Bool {
        let value = try self.required(key)
        if value.elementsEqual("yes".utf8) { return true }
        guard value.elementsEqual("no".utf8) else { throw self.bad("\(key) is yes or no") }
        return false
    }

    func choice<Value: WireName>(_ key: String) throws(ProtocolViolation) -> Value {
        guard let value = Value(name: try self.required(key)) else {
            throw self.bad("\(key) is \(Value.choices)")
        }
        return value
    }

    /// Empty when it is left out.
    func text(_ key: String, limit: Int = Limits.textBytes) throws(ProtocolViolation) -> String {
        guard let value = self.optional(key) else { return "" }
        guard value.count <= limit else { throw self.bad("\(key) has at most \(limit) bytes") }
        return String(decoding: value, as: UTF8.self)
    }

    func alias(_ key: String) throws(ProtocolViolation) -> Alias {
        let text = try self.text(key, limit: Limits.aliasBytes)
        guard let alias = Alias(text) else { throw self.bad("\(key) is an alias") }
        return alias
    }

    func optionalSeat(_ key: String) throws(ProtocolViolation) -> Seat? {
        guard let value = self.optional(key) else { return nil }
        return try self.seat(value, key)
    }

    func seat(_ key: String) throws(ProtocolViolation) -> Seat { try self.seat(try self.required(key), key) }

    private func seat(_ value: ArraySlice<UInt8>, _ key: String) throws(ProtocolViolation) -> Seat {
        let number: UInt8 = try self.number(value, key)
        guard number >= 1, number <= Limits.playersPerMatch else { throw self.bad("\(key) is 1 to 8") }
        return Seat(number)
    }

    func optionalPlayer(_ key: String) throws(ProtocolViolation) -> PlayerNumber? {
        try self.optionalSeat(key).map { PlayerNumber($0.value) }
    }

    func player(_ key: String) throws(ProtocolViolation) -> PlayerNumber {
        PlayerNumber(try self.seat(key).value)
    }

    /// Seats joined by commas.
    func seats(_ key: String) throws(ProtocolViolation) -> [Seat] {
        let parts = try self.required(key).split(separator: UInt8(ascii: ","))
        guard parts.count <= Limits.playersPerMatch else { throw self.bad("\(key) names at most 8") }
        return try parts.map { part throws(ProtocolViolation) in try self.seat(part, key) }
    }

    func bytes32(_ key: String) throws(ProtocolViolation) -> Bytes32 {
        guard let bytes = Hex.bytes32(try self.required(key)) else {
            throw self.bad("\(key) is 64 hexadecimal digits")
        }
        return bytes
    }

    func page() throws(ProtocolViolation) -> Page {
        let page = Page(number: try self.number("page"), of: try self.number("of"))
        guard page.number > 0, page.of > 0 else { throw self.bad("pages are counted from 1") }
        return page
    }

    func settings() throws(ProtocolViolation) -> RaceSettings {
        RaceSettings(
            rule: try self.choice("rule"), draw: try self.choice("draw"), finish: try self.number("finish"))
    }
}
