import RaceModel

/// Reads one line that a client typed.
struct CommandParser {
    let verb: Verb
    private var words: [LineWord] = []
    private var position = 0

    private init(verb: Verb) { self.verb = verb }

    /// Nil for notes, which mean nothing to a program.
    static func parse(_ line: ArraySlice<UInt8>) throws(ProtocolViolation) -> TextInput? {
        var scanner = LineScanner(line)
        guard let first = try scanner.next() else { return nil }
        if first.key == nil, first.value.elementsEqual("#".utf8) { return nil }
        guard first.key == nil, let verb = Self.verb(first.value) else {
            throw Self.unknownVerb(first.key ?? first.value)
        }
        var parser = CommandParser(verb: verb)
        do throws(ProtocolViolation) {
            parser.words = try scanner.rest()
        } catch {
            throw ProtocolViolation(code: error.code, request: parser.request, text: error.text)
        }
        let input = try parser.read()
        try parser.finish()
        return input
    }

    private static func verb(_ word: ArraySlice<UInt8>) -> Verb? {
        guard word.count <= 8 else { return nil }
        return Self.verbs[Self.packed(word)]
    }

    /// Up to eight bytes as one number, letters in lower case: no text is made to find a verb.
    private static func packed(_ word: some Sequence<UInt8>) -> UInt64 {
        word.reduce(0) { $0 << 8 | UInt64($1.asciiLowercased) }
    }

    private static let verbs = Dictionary(
        uniqueKeysWithValues: Verb.allCases.map { (Self.packed($0.rawValue.utf8), $0) })

    private static func unknownVerb(_ word: ArraySlice<UInt8>) -> ProtocolViolation {
        let near = Verb.near(word).map(\.rawValue)
        let hint =
            switch near.count {
            case 0: "help lists all verbs"
            case 1: "did you mean \(near[0])?"
            default: "did you mean \(near.dropLast().joined(separator: ", ")) or \(near[near.count - 1])?"
            }
        return ProtocolViolation(
            code: .unknownVerb, request: nil, text: "there is no verb '\(Self.shown(word))'; \(hint)")
    }

    /// Of what a player wrote, as much as belongs into an error text.
    static func shown(_ word: ArraySlice<UInt8>) -> String {
        let text = String(decoding: word, as: UTF8.self)
        let kept = text.cut(to: 40)
        return kept.utf8.count < text.utf8.count ? kept + "..." : text
    }

    private mutating func read() throws(ProtocolViolation) -> TextInput {
        switch self.verb {
        case .help:
            return .command(.help(verb: self.optionalWord().map { String(decoding: $0, as: UTF8.self) }))
        case .set: return .command(try self.setting())
        case .number: return try self.number()
        case .name: return .message(.hello(try self.hello()))
        case .play: return .message(.findMatch(try self.raceRequest()))
        case .cancel: return .message(.cancelFind)
        case .begin: return .message(.gameBegin)
        case .move: return .message(.move(turn: try self.optionalNumber("TURN") ?? 0))
        case .leave: return .message(.leave)
        case .rematch: return .message(.rematch)
        case .why: return .message(.why)
        case .ping: return .message(.ping(try self.optionalNumber("N") ?? 0))
        case .quit: return .message(.quit)
        case .alias: return .message(.lookUpAliases(try self.ids()))
        case .who:
            let prefix = try self.optionalWord().map { word throws(ProtocolViolation) in
                try self.text(word, "PREFIX", limit: Limits.aliasBytes, code: .badValue)
            }
            return .message(.listPlayers(prefix: prefix ?? "", page: try self.page()))
        case .matches: return .message(.listMatches(page: try self.page()))
        case .watch: return .message(.watch(MatchID(try self.requiredNumber("MATCH"))))
        case .unwatch: return .message(.unwatch)
        case .replay:
            let match = MatchID(try self.requiredNumber("MATCH"))
            return .message(.replay(match, page: try self.page()))
        case .top: return .message(try self.leaderboard())
        case .player: return .message(.lookUpPlayer(alias: try self.alias()))
        case .invite:
            let alias = try self.alias()
            return .message(.invite(alias: alias, try self.raceRequest()))
        case .accept: return .message(.answerInvite(InviteID(try self.requiredNumber("ID")), accept: true))
        case .decline: return .message(.answerInvite(InviteID(try self.requiredNumber("ID")), accept: false))
        case .uninvite: return .message(.cancelInvite(InviteID(try self.requiredNumber("ID"))))
        case .host: return .message(.hostPrivate(try self.raceRequest()))
        case .join:
            let code = try self.requiredWord("CODE")
            return .message(
                .joinPrivate(code: try self.text(code, "CODE", limit: Limits.codeBytes, code: .badValue)))
        }
    }

    // MARK: Words

    var request: UInt8? { self.verb.request?.rawValue }

    func bad(_ text: String, code: ErrorCode = .badValue) -> ProtocolViolation {
        ProtocolViolation(code: code, request: self.request, text: text)
    }

    private func finish() throws(ProtocolViolation) {
        guard self.position < self.words.count else { return }
        let word = self.words[self.position]
        let shown = word.key.map { Self.shown($0) + "=" } ?? Self.shown(word.value)
        throw self.bad("'\(shown)' was not expected; the form is: \(self.verb.usage)")
    }

    /// The next word that is not `key=value`.
    mutating func optionalWord() -> ArraySlice<UInt8>? {
        guard self.position < self.words.count, self.words[self.position].key == nil else { return nil }
        defer { self.position += 1 }
        return self.words[self.position].value
    }

    mutating func requiredWord(_ name: String) throws(ProtocolViolation) -> ArraySlice<UInt8> {
        guard let word = self.optionalWord() else {
            throw self.bad("\(name) is missing; the form is: \(self.verb.usage)")
        }
        return word
    }

    /// All `key=value` words that are left. Each key must be one of `keys`, and none may come twice.
    mutating func pairs(_ keys: [String]) throws(ProtocolViolation) -> [String: ArraySlice<UInt8>] {
        var pairs: [String: ArraySlice<UInt8>] = [:]
        while self.position < self.words.count, let key = self.words[self.position].key {
            guard let known = keys.first(where: { key.equalsIgnoringCase($0) }) else {
                throw self.bad(
                    "there is no key '\(Self.shown(key))' for \(self.verb.rawValue); there is "
                        + keys.joined(separator: ", "))
            }
            guard pairs.updateValue(self.words[self.position].value, forKey: known) == nil else {
                throw self.bad("\(known)= may be given only once")
            }
            self.position += 1
        }
        return pairs
    }

    func parsed<Number: FixedWidthInteger & UnsignedInteger>(
        _ word: ArraySlice<UInt8>, _ name: String, _ range: ClosedRange<Number> = .min ... .max,
        outside: ErrorCode = .badValue
    ) throws(ProtocolViolation) -> Number {
        // A text only for who gets it: a look-up has 64 numbers.
        var legal: String { "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)" }
        switch word.decimal(Number.self) {
        case .number(let number) where range.contains(number): return number
        case .notANumber: throw self.bad("\(legal), not '\(Self.shown(word))'")
        case .number, .tooBig: throw self.bad("\(legal), not '\(Self.shown(word))'", code: outside)
        }
    }

    private mutating func optionalNumber<Number: FixedWidthInteger & UnsignedInteger>(
        _ name: String
    ) throws(ProtocolViolation) -> Number? {
        guard let word = self.optionalWord() else { return nil }
        return try self.parsed(word, name)
    }

    private mutating func requiredNumber(_ name: String) throws(ProtocolViolation) -> UInt64 {
        try self.parsed(try self.requiredWord(name), name)
    }

    func text(
        _ word: ArraySlice<UInt8>, _ name: String, limit: Int, code: ErrorCode
    ) throws(ProtocolViolation) -> String {
        guard word.count <= limit else {
            throw self.bad("\(name) has at most \(limit) bytes, not \(word.count)", code: code)
        }
        return String(decoding: word, as: UTF8.self)
    }

    mutating func alias() throws(ProtocolViolation) -> String {
        try self.text(try self.requiredWord("ALIAS"), "ALIAS", limit: Limits.aliasBytes, code: .badAlias)
    }
}
