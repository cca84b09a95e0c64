import RaceModel
package import WireProtocol

/// What an operator reads: lines, and one that says how it went.
package struct ControlAnswer: Hashable, Sendable {
    /// In bytes of whole lines, the last one included.
    package private(set) var bytes: [UInt8] = []
    /// For the audit: `ok`, or the name of the error.
    package private(set) var outcome = "ok"

    private init() {}

    /// - Parameter lines: whole lines, with their ends.
    package static func ok(_ lines: String = "") -> ControlAnswer {
        var answer = ControlAnswer()
        answer.bytes = Array(lines.utf8)
        answer.end()
        return answer
    }

    /// - Parameter lines: whole lines that come before it.
    package static func error(_ code: ErrorCode, _ text: String, behind lines: String = "") -> ControlAnswer {
        var answer = ControlAnswer()
        answer.outcome = code.name
        answer.bytes = Array("\(lines)error code=\(code.name) text=".utf8)
        answer.bytes.appendValue(text)
        answer.bytes.append(UInt8(ascii: "\n"))
        return answer
    }

    package static func error(_ violation: ProtocolViolation) -> ControlAnswer {
        .error(violation.code, violation.text)
    }

    package init(_ answer: OperatorAnswer) {
        self.init()
        switch answer {
        case .refused(let text, let code):
            self = .error(code, text)
            return
        case .done(let closed): self.add(closed: closed)
        case .replaced(let ban, let closed):
            self.line(
                "replaced", ("until", Self.term(ban)), ("reason", ban.reason.isEmpty ? nil : ban.reason))
            self.add(closed: closed)
        case .liftedOfSettings:
            self.line(
                "hint", ("text", "it stands in the settings: take it out there, or a reload brings it back"))
        case .told(let count): self.line("told", ("connections", "\(count)"))
        case .found(let player): self.line("player", ("id", "\(player.value)"))
        case .bans(let rows): for row in rows { self.add(row) }
        case .players(let rows, let more):
            for row in rows { self.add(row) }
            self.addMore(more)
        case .matches(let rows, let more):
            for row in rows { self.add(row) }
            self.addMore(more)
        case .match(let match, let seats):
            self.add(match)
            for seat in seats { self.add(seat) }
        }
        self.end()
    }

    private mutating func end() { self.bytes.append(contentsOf: "ok\n".utf8) }

    /// Every value is escaped; those that are nil are left out.
    private mutating func line(_ word: String, _ fields: (key: String, value: String?)...) {
        self.bytes.append(contentsOf: word.utf8)
        for case (let key, let value?) in fields {
            self.bytes.append(contentsOf: " \(key)=".utf8)
            self.bytes.appendValue(value)
        }
        self.bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func addMore(_ count: Int) {
        if count > 0 { self.line("more", ("count", "\(count)")) }
    }

    private mutating func add(closed: Int) {
        if closed > 0 { self.line("closed", ("connections", "\(closed)")) }
    }

    private static func term(_ ban: Ban) -> String { ban.until.map { "\($0)" } ?? "for-good" }

    private mutating func add(_ row: BanRow) {
        let ban = row.ban
        self.line(
            "ban", ("subject", "\(ban.subject)"), ("alias", row.alias?.text), ("until", Self.term(ban)),
            ("made", ban.made == Ban.bySetting ? "by-setting" : "\(ban.made)"),
            ("reason", ban.reason.isEmpty ? nil : ban.reason))
    }

    private mutating func add(_ row: PlayerRow) {
        self.line(
            "player", ("id", "\(row.id.value)"), ("alias", row.alias.text), ("state", row.state.name),
            ("match", row.match.map { "\($0.value)" }), ("address", row.address.map { "\($0)" }),
            ("dialect", row.dialect), ("idle", "\(row.idle)"))
    }

    private mutating func add(_ row: MatchRow) {
        self.line(
            "match", ("id", "\(row.id.value)"), ("state", row.state.name), ("rule", row.settings.rule.name),
            ("finish", "\(row.settings.finish)"),
            ("aliases", row.aliases.map(\.text).joined(separator: ",")), ("spectators", "\(row.spectators)"),
            ("age", "\(row.age)"))
    }

    private mutating func add(_ row: SeatRow) {
        self.line(
            "seat", ("n", "\(row.seat.value)"), ("player", "\(row.player.value)"), ("alias", row.alias.text),
            ("occupant", row.occupant.rawValue), ("number", row.number.map { "\($0.value)" }),
            ("at", row.position.map { "\($0)" }))
    }
}
