import RaceModel

/// Cuts what a text client types into lines, and reads each. LF, CR LF, CR NUL, LF CR and CR all end a line;
/// backspace and delete take back a whole scalar; telnet's own bytes are skipped or answered.
///
/// Only an unfinished line is kept, at most `Limits.lineBytes`. A longer one is thrown, and again for ever.
package struct LineDecoder: Sendable {
    private var line: [UInt8] = []
    private var telnet = TelnetFilter()
    private var afterReturn = false
    private var isFirstLine = true
    private var isTooLong = false
    private var isHTTP = false

    package init() {}

    /// Whether a line has begun and its end is still to come.
    package var isInsideLine: Bool { !self.line.isEmpty }

    /// What comes next; nil when more bytes are needed, and then all of `input` was consumed.
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> TextInput? {
        if self.isTooLong { throw Self.lineTooLong }
        let end = input.endIndex
        var index = self.isHTTP ? end : input.startIndex
        defer { input = input[index...] }
        while index < end {
            let byte = input[index]
            if self.telnet.isInside || byte == 0xFF {
                index += 1
                if let reply = try self.takeTelnet(byte) { return .reply(reply) }
                continue
            }
            if byte == 0, self.afterReturn {
                index += 1
                self.afterReturn = false
                continue
            }
            switch byte {
            case 0x0A, 0x0D:
                index += 1
                self.afterReturn = byte == 0x0D
                let line = self.line
                self.line = []
                if let found = self.read(line[...]) { return found }
            case 0x08, 0x7F:
                index += 1
                self.afterReturn = false
                self.eraseCharacter()
            default:
                var runEnd = index + 1
                while runEnd < end, !Self.isSpecial(input[runEnd]) { runEnd += 1 }
                let run = input[index..<runEnd]
                index = runEnd
                self.afterReturn = false
                // A whole line in one piece is read where it lies.
                if self.line.isEmpty, runEnd < end, input[runEnd] == 0x0A || input[runEnd] == 0x0D {
                    if run.count > Limits.lineBytes {
                        if let http = try self.overflow(run) { return http }
                    }
                    index += 1
                    self.afterReturn = input[runEnd] == 0x0D
                    if let found = self.read(run) { return found }
                    continue
                }
                if let http = try self.add(run) { return http }
            }
        }
        return nil
    }

    private static let lineTooLong = ProtocolViolation(
        code: .lineTooLong, request: nil, text: "a line has at most \(Limits.lineBytes) bytes")

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == 0x08 || byte == 0x7F || byte == 0xFF
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) throws(ProtocolViolation) -> TextInput? {
        let room = Limits.lineBytes - self.line.count
        self.line.append(contentsOf: bytes.prefix(room))
        return bytes.count > room ? try self.overflow(self.line[...]) : nil
    }

    /// A line that is too long: thrown, unless it is the first one and HTTP.
    private mutating func overflow(_ line: ArraySlice<UInt8>) throws(ProtocolViolation) -> TextInput? {
        defer { self.line = [] }
        if self.isFirstLine, Self.looksLikeHTTP(line) {
            self.isHTTP = true
            return .http
        }
        self.isTooLong = true
        throw Self.lineTooLong
    }

    private mutating func takeTelnet(_ byte: UInt8) throws(ProtocolViolation) -> [UInt8]? {
        switch self.telnet.take(byte) {
        case .nothing: break
        case .data(let data):
            self.afterReturn = false
            _ = try self.add([data])
        case .eraseCharacter: self.eraseCharacter()
        case .eraseLine: self.line = []
        case .reply(let reply): return reply
        case .overlong: _ = try self.overflow([])
        }
        return nil
    }

    private mutating func eraseCharacter() {
        var continuations = 0
        while let last = self.line.popLast(), last & 0xC0 == 0x80, continuations < 3 { continuations += 1 }
    }

    /// Nil for an empty line and for notes.
    private mutating func read(_ line: ArraySlice<UInt8>) -> TextInput? {
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        let isFirst = self.isFirstLine
        self.isFirstLine = false
        if isFirst, Self.looksLikeHTTP(line) {
            self.isHTTP = true
            return .http
        }
        do throws(ProtocolViolation) {
            try LineScanner.check(line)
            return try CommandParser.parse(line)
        } catch {
            return .violation(error)
        }
    }

    /// Verbs of HTTP, in capitals, with a space behind: none is a verb of ours.
    private static func looksLikeHTTP(_ line: ArraySlice<UInt8>) -> Bool {
        guard let space = line.firstIndex(of: 0x20) else { return false }
        return Self.httpVerbs.contains { line[..<space].elementsEqual($0.utf8) }
    }

    private static let httpVerbs = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH"]
}
