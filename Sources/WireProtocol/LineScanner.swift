/// One word of a line: `value`, or `key=value`; quotes and escapes already taken off.
package struct LineWord: Sendable {
    package var key: ArraySlice<UInt8>?
    package var value: ArraySlice<UInt8>
}

/// Takes lines apart. A value in double quotes may hold spaces and the escapes \" \\ \n \r \t \xHH.
package struct LineScanner {
    private let line: ArraySlice<UInt8>
    private var index: Int
    private let request: UInt8?

    package init(_ line: ArraySlice<UInt8>, request: UInt8? = nil) {
        self.line = line
        self.index = line.startIndex
        self.request = request
    }

    /// The line must be UTF-8 without control bytes other than tab.
    package static func check(_ line: ArraySlice<UInt8>) throws(ProtocolViolation) {
        var isASCII = true
        var control: UInt8?
        for byte in line {
            if byte >= 0x80 { isASCII = false }
            if (byte < 0x20 && byte != 0x09) || byte == 0x7F { control = byte }
        }
        if !isASCII, String(validating: line, as: UTF8.self) == nil {
            throw ProtocolViolation(code: .notUTF8, request: nil, text: "the line is not valid UTF-8")
        }
        if let control {
            throw ProtocolViolation(
                code: .badValue, request: nil, text: "control byte 0x\(Hex.text([control])) in the line")
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    package mutating func next() throws(ProtocolViolation) -> LineWord? {
        let end = self.line.endIndex
        while self.index < end, Self.isSpace(self.line[self.index]) { self.index += 1 }
        guard self.index < end else { return nil }
        let start = self.index
        if self.line[start] == UInt8(ascii: "\"") { return LineWord(key: nil, value: try self.quoted()) }
        while self.index < end {
            let byte = self.line[self.index]
            if Self.isSpace(byte) || byte == UInt8(ascii: "=") { break }
            self.index += 1
        }
        let word = self.line[start..<self.index]
        guard self.index < end, self.line[self.index] == UInt8(ascii: "="), !word.isEmpty else {
            return LineWord(key: nil, value: try self.bare(from: start))
        }
        self.index += 1
        if self.index < end, self.line[self.index] == UInt8(ascii: "\"") {
            return LineWord(key: word, value: try self.quoted())
        }
        return LineWord(key: word, value: try self.bare(from: self.index))
    }

    /// All words that are left.
    mutating func rest() throws(ProtocolViolation) -> [LineWord] {
        var words: [LineWord] = []
        while let word = try self.next() { words.append(word) }
        return words
    }

    private mutating func bare(from start: Int) throws(ProtocolViolation) -> ArraySlice<UInt8> {
        self.index = start
        while self.index < self.line.endIndex, !Self.isSpace(self.line[self.index]) {
            guard self.line[self.index] != UInt8(ascii: "\"") else {
                throw self.bad("a double quote stands at the beginning of a value or not at all")
            }
            self.index += 1
        }
        return self.line[start..<self.index]
    }

    private mutating func quoted() throws(ProtocolViolation) -> ArraySlice<UInt8> {
        self.index += 1
        var value: [UInt8] = []
        while let byte = self.pop() {
            switch byte {
            case UInt8(ascii: "\""):
                guard self.index == self.line.endIndex || Self.isSpace(self.line[self.index]) else {
                    throw self.bad("a space must follow the closing quote")
                }
                // Escapes may have made anything of it.
                guard String(validating: value, as: UTF8.self) != nil else {
                    throw ProtocolViolation(
                        code: .notUTF8, request: self.request, text: "a quoted value is not valid UTF-8")
                }
                return value[...]
            case UInt8(ascii: "\\"): value.append(try self.escape())
            default: value.append(byte)
            }
        }
        throw self.bad("the closing quote is missing")
    }

    private mutating func escape() throws(ProtocolViolation) -> UInt8 {
        switch self.pop() {
        case UInt8(ascii: "\""): return UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "x"):
            if let high = self.pop().flatMap(Hex.value), let low = self.pop().flatMap(Hex.value) {
                return high << 4 | low
            }
        default: break
        }
        throw self.bad("behind a backslash stands one of \" \\ n r t, or x and two hexadecimal digits")
    }

    private mutating func pop() -> UInt8? {
        guard self.index < self.line.endIndex else { return nil }
        defer { self.index += 1 }
        return self.line[self.index]
    }

    private func bad(_ text: String) -> ProtocolViolation {
        ProtocolViolation(code: .badValue, request: self.request, text: text)
    }
}
