import RaceModel

extension Leaderboard {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            rule: try reader.choice("rule"), page: try Page(from: &reader),
            ownRank: try reader.optionalU32(),
            entries: try reader.list("ranks", limit: Limits.pageEntries, RankEntry.init(from:)))
    }
}

extension RankEntry {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            rank: try reader.u32(), player: PlayerID(try reader.u64()), alias: try reader.alias(),
            wins: try reader.u32(), races: try reader.u32())
    }
}

extension History {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            player: PlayerID(try reader.u64()), alias: try reader.alias(),
            entries: try reader.list("standings", limit: Self.mostEntries, Entry.init(from:)))
    }
}

extension History.Entry {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            rule: try reader.choice("rule"), races: try reader.u32(), wins: try reader.u32(),
            forfeits: try reader.u32(), best: try reader.u32(), rank: try reader.optionalU32())
    }
}

extension RecordPage {
    init(from reader: inout BinaryReader) throws(ProtocolViolation) {
        self.init(
            match: MatchID(try reader.u64()), page: try Page(from: &reader), text: try reader.recordLines())
    }
}

extension BinaryReader {
    /// All ones: none.
    fileprivate mutating func optionalU32() throws(ProtocolViolation) -> UInt32? {
        let value = try self.u32()
        return value == .max ? nil : value
    }
}
