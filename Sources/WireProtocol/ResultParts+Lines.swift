import RaceModel

extension Leaderboard {
    init(_ line: LineFields, entries: [LineFields]) throws(ProtocolViolation) {
        self.init(
            rule: try line.choice("rule"), page: try line.page(), ownRank: try line.optionalNumber("own"),
            entries: try entries.map { entry throws(ProtocolViolation) in try RankEntry(entry) })
    }
}

extension RankEntry {
    fileprivate init(_ entry: LineFields) throws(ProtocolViolation) {
        self.init(
            rank: try entry.number("n"), player: PlayerID(try entry.number("id")),
            alias: try entry.alias("alias"), wins: try entry.number("wins"),
            races: try entry.number("races"))
    }
}

extension History {
    init(_ line: LineFields, entries: [LineFields]) throws(ProtocolViolation) {
        self.init(
            player: PlayerID(try line.number("id")), alias: try line.alias("alias"),
            entries: try entries.map { entry throws(ProtocolViolation) in try Entry(entry) })
    }
}

extension History.Entry {
    fileprivate init(_ entry: LineFields) throws(ProtocolViolation) {
        self.init(
            rule: try entry.choice("rule"), races: try entry.number("races"),
            wins: try entry.number("wins"), forfeits: try entry.number("forfeits"),
            best: try entry.number("best"), rank: try entry.optionalNumber("rank"))
    }
}

extension RecordPage {
    init(_ line: LineFields, text: [UInt8]) throws(ProtocolViolation) {
        guard Self.isSound(text) else { throw line.bad(Self.soundness) }
        self.init(match: MatchID(try line.number("match")), page: try line.page(), text: text)
    }
}
