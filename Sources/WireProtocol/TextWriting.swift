import RaceModel

// Parts of text lines. Everything a player wrote goes through `appendValue`.
extension [UInt8] {
    /// Our own words: nothing in them needs quotes.
    @inline(__always)
    mutating func append(_ literal: String) { self.append(contentsOf: literal.utf8) }

    mutating func appendDecimal(_ value: UInt64) {
        guard value >= 10 else { return self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = 20
        var rest = value
        while rest > 0 {
            first -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        self.append(addingCapacity: 20 - first) { (output: inout OutputSpan<UInt8>) in
            for index in first..<20 { output.append(digits[index]) }
        }
    }

    @inline(__always)
    mutating func append(_ key: String, _ value: some FixedWidthInteger & UnsignedInteger) {
        self.append(key)
        self.appendDecimal(UInt64(value))
    }

    mutating func append(_ key: String, flag: Bool) {
        self.append(key)
        self.append(flag ? "yes" : "no")
    }

    mutating func append(_ key: String, value: some StringProtocol) {
        self.append(key)
        self.appendValue(value)
    }

    /// Left out when it is empty.
    mutating func append(_ key: String, text: String) {
        if !text.isEmpty { self.append(key, value: text.cut(to: Limits.textBytes)) }
    }

    /// Numbers joined by commas.
    mutating func append(_ key: String, seats: some Collection<Seat>) {
        self.append(key)
        var isFirst = true
        for seat in seats {
            if !isFirst { self.append(UInt8(ascii: ",")) }
            isFirst = false
            self.appendDecimal(UInt64(seat.value))
        }
    }

    mutating func append(_ settings: RaceSettings, drawFirst: Bool) {
        self.append(" rule=")
        self.append(settings.rule.name)
        if drawFirst {
            self.append(" draw=")
            self.append(settings.draw.name)
        }
        self.append(" finish=", settings.finish)
        if !drawFirst {
            self.append(" draw=")
            self.append(settings.draw.name)
        }
    }

    /// Text from anybody: bare where it holds nothing but the characters of aliases, and otherwise in quotes,
    /// with everything escaped that could move a cursor, end a line or turn the direction of writing.
    package mutating func appendValue(_ text: some StringProtocol) {
        if text.utf8.allSatisfy(\.isPlainText), !text.isEmpty { return self.append(contentsOf: text.utf8) }
        if !text.isEmpty, text.unicodeScalars.allSatisfy(\.isPlainText) {
            return self.append(contentsOf: text.utf8)
        }
        self.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars { self.appendQuoted(scalar) }
        self.append(UInt8(ascii: "\""))
    }

    /// Text of a note: no quotes, but nothing that could do harm to a terminal.
    mutating func append(shown text: some StringProtocol) {
        for scalar in text.unicodeScalars {
            if scalar.isSafeToShow {
                self.append(contentsOf: String(scalar).utf8)
            } else {
                self.appendQuoted(scalar)
            }
        }
    }

    private mutating func appendQuoted(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": self.append("\\\"")
        case "\\": self.append("\\\\")
        case "\n": self.append("\\n")
        case "\r": self.append("\\r")
        case "\t": self.append("\\t")
        default:
            if scalar.isSafeToShow { return self.append(contentsOf: String(scalar).utf8) }
            for byte in String(scalar).utf8 {
                self.append("\\x")
                Hex.append(byte, to: &self)
            }
        }
    }
}

extension UInt8 {
    /// ASCII that needs no quotes.
    fileprivate var isPlainText: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isPlainText: Bool {
        self.isASCII
            ? UInt8(truncatingIfNeeded: self.value).isPlainText
            : self.isSafeToShow && !self.properties.isWhitespace
    }

    /// Not a control, nor an invisible one that changes how the rest is shown.
    var isSafeToShow: Bool {
        if self.isASCII { return self.value >= 0x20 && self.value != 0x7F }
        return switch self.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            false
        default: true
        }
    }
}
