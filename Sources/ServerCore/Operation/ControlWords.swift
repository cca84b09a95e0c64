import RaceModel
import WireProtocol

/// The words of one line of an operator, taken one by one.
struct ControlWords {
    let verb: ControlCommand.Verb
    private var words: [String] = []
    private var next = 0
    private var fields: [(key: String, value: String)] = []
    private var taken: Set<String> = []

    /// Nil: nothing is said.
    init?(_ line: ArraySlice<UInt8>) throws(ProtocolViolation) {
        var scanner = LineScanner(line)
        guard let first = try scanner.next() else { return nil }
        let word = String(decoding: first.key ?? first.value, as: UTF8.self)
        if first.key == nil, word == "#" { return nil }
        guard first.key == nil, let verb = ControlCommand.Verb(rawValue: word.lowercased()) else {
            throw ProtocolViolation(
                code: .unknownVerb, request: nil,
                text: "there is no verb '\(word.cut(to: 40))': help lists all")
        }
        self.verb = verb
        while let word = try scanner.next() {
            let value = String(decoding: word.value, as: UTF8.self)
            guard let key = word.key.map({ String(decoding: $0, as: UTF8.self) }) else {
                self.words.append(value)
                continue
            }
            guard !self.fields.contains(where: { $0.key == key }) else {
                throw self.bad("\(key.cut(to: 40))= stands there twice")
            }
            self.fields.append((key, value))
        }
    }

    private func bad(_ text: String) -> ProtocolViolation {
        ProtocolViolation(code: .badValue, request: nil, text: "\(self.verb.rawValue): \(text)")
    }

    /// What was not asked for is refused by name.
    func finish() throws(ProtocolViolation) {
        if self.next < self.words.count {
            throw self.bad(
                "what is meant by '\(self.words[self.next].cut(to: 40))'? A text stands in double quotes")
        }
        if let field = self.fields.first(where: { !self.taken.contains($0.key) }) {
            throw self.bad("it takes no \(field.key.cut(to: 40))=: help lists what there is")
        }
    }

    mutating func optionalWord() -> String? {
        guard self.next < self.words.count else { return nil }
        defer { self.next += 1 }
        return self.words[self.next]
    }

    private mutating func word(_ what: String) throws(ProtocolViolation) -> String {
        guard let word = self.optionalWord(), !word.isEmpty else { throw self.bad("\(what) is missing") }
        return word
    }

    mutating func optional(_ key: String) -> String? {
        self.taken.insert(key)
        return self.fields.first { $0.key == key }?.value
    }

    mutating func match() throws(ProtocolViolation) -> MatchID {
        let word = try self.word("the number of a match")
        guard let number = Self.number(word), number > 0 else {
            throw self.bad("a match is a whole number, as matches shows it, not '\(word.cut(to: 40))'")
        }
        return MatchID(number)
    }

    /// Of a player, or somebody who can be banned.
    mutating func whom() throws(ProtocolViolation) -> ControlCommand.Whom {
        let word = try self.word("whom it concerns")
        if let subject = Ban.Subject(word) { return .subject(subject) }
        guard let alias = Alias(word), !word.utf8.contains(UInt8(ascii: "/")), !Self.isLikeAddress(word)
        else {
            throw self.bad(
                "'\(word.cut(to: 40))' is no address, no range such as 192.0.2.0/24, no #7 and no alias")
        }
        return .alias(alias)
    }

    /// Digits between three dots are meant for an address, though an alias may look so.
    private static func isLikeAddress(_ word: String) -> Bool {
        let parts = word.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }

    /// A ban of everybody is no ban.
    mutating func whomToBan() throws(ProtocolViolation) -> ControlCommand.Whom {
        let whom = try self.whom()
        if case .subject(.range(let range)) = whom, range.isTooWideToBan {
            throw self.bad(
                "\(range) takes in far too many, or all of IPv4: a range to ban has at least "
                    + "\(NetworkRange.fewestBanBits) bits, such as 192.0.2.0/24; drain ends the server for all"
            )
        }
        return whom
    }

    mutating func player() throws(ProtocolViolation) -> ControlCommand.Whom {
        let whom = try self.whom()
        if case .subject(.range) = whom {
            throw self.bad("it concerns a player: an alias, or #7 for player 7; for addresses there is ban")
        }
        return whom
    }

    mutating func seconds(_ key: String) throws(ProtocolViolation) -> Int64? {
        guard let text = self.optional(key) else { return nil }
        guard let number = Self.number(text), let seconds = Int64(exactly: number), seconds > 0 else {
            throw self.bad("\(key)= is a whole number of seconds from 1 on")
        }
        return seconds
    }

    /// Something to tell people.
    mutating func text() throws(ProtocolViolation) -> String {
        let text = try self.word("the text")
        guard text.utf8.count <= Limits.textBytes else {
            throw self.bad("a text has at most \(Limits.textBytes) bytes, not \(text.utf8.count)")
        }
        return text
    }

    mutating func level() throws(ProtocolViolation) -> LogLine.Level {
        switch try self.word("debug, info, warning or error") {
        case "debug": .debug
        case "info": .info
        case "warning": .warning
        case "error": .error
        case let word: throw self.bad("a level is debug, info, warning or error, not '\(word.cut(to: 40))'")
        }
    }

    mutating func path() throws(ProtocolViolation) -> String {
        let path = try self.word("the path of a new file")
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
            throw self.bad("the path must begin with /, since the server may run elsewhere")
        }
        return path
    }

    private static func number(_ text: String) -> UInt64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return UInt64(text)
    }
}
