import RaceModel

extension BinaryEncoder {
    static func append(_ board: Leaderboard, type: UInt8, to buffer: inout [UInt8]) {
        var head = [board.rule.rawValue]
        head += Self.head(board.page)
        head.appendOptionalU32(board.ownRank)
        Self.appendFrames(type, of: board.entries, limit: Limits.pageEntries, to: &buffer, head: head) {
            (entry, buffer) in
            buffer.appendU32(entry.rank)
            buffer.appendU64(entry.player.value)
            buffer.appendAlias(entry.alias)
            buffer.appendU32(entry.wins)
            buffer.appendU32(entry.races)
        }
    }

    static func appendBody(_ page: RecordPage, to buffer: inout [UInt8]) {
        let text = RecordPage.fitting(page.text[...])
        buffer.appendU64(page.match.value)
        buffer.append(contentsOf: Self.head(page.page))
        buffer.appendU16(UInt16(truncatingIfNeeded: text.count))
        buffer.append(contentsOf: text)
    }

    static func appendBody(_ history: History, to buffer: inout [UInt8]) {
        let entries = history.entries.prefix(History.mostEntries)
        buffer.appendU64(history.player.value)
        buffer.appendAlias(history.alias)
        buffer.append(UInt8(truncatingIfNeeded: entries.count))
        for entry in entries {
            buffer.append(entry.rule.rawValue)
            buffer.appendU32(entry.races)
            buffer.appendU32(entry.wins)
            buffer.appendU32(entry.forfeits)
            buffer.appendU32(entry.best)
            buffer.appendOptionalU32(entry.rank)
        }
    }
}

extension [UInt8] {
    /// All ones for none.
    fileprivate mutating func appendOptionalU32(_ value: UInt32?) {
        self.appendU32(value.map { Swift.min($0, .max - 1) } ?? .max)
    }
}
