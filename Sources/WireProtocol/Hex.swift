package import RaceModel

/// Hexadecimal text: two digits a byte, written in lower case, read in either.
package enum Hex {
    package static func append(_ byte: UInt8, to buffer: inout [UInt8]) {
        buffer.append(Self.digit(byte >> 4))
        buffer.append(Self.digit(byte & 15))
    }

    package static func append(_ word: UInt64, to buffer: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) {
            Self.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)), to: &buffer)
        }
    }

    package static func append(_ bytes: Bytes32, to buffer: inout [UInt8]) {
        Self.append(bytes.words.0, to: &buffer)
        Self.append(bytes.words.1, to: &buffer)
        Self.append(bytes.words.2, to: &buffer)
        Self.append(bytes.words.3, to: &buffer)
    }

    package static func append(_ key: PlayerKey, to buffer: inout [UInt8]) {
        Self.append(key.high, to: &buffer)
        Self.append(key.low, to: &buffer)
    }

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var buffer: [UInt8] = []
        for byte in bytes { Self.append(byte, to: &buffer) }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Nil unless it is an even number of hexadecimal digits.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = Self.value(digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    package static func bytes32(_ digits: some Collection<UInt8>) -> Bytes32? {
        digits.count == 64 ? Self.bytes(digits).flatMap { Bytes32($0) } : nil
    }

    package static func key(_ digits: some Collection<UInt8>) -> PlayerKey? {
        guard digits.count == 32, let bytes = Self.bytes(digits) else { return nil }
        func word(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return PlayerKey(high: word(bytes[..<8]), low: word(bytes[8...]))
    }

    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
