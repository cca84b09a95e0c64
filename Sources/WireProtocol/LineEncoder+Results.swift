import RaceModel

extension LineEncoder {
    static func append(_ board: Leaderboard, to buffer: inout [UInt8]) {
        Self.appendChunks(of: board.entries, limit: Limits.pageEntries, to: &buffer) { (entries, buffer) in
            buffer.append("top rule=")
            buffer.append(board.rule.name)
            Self.append(board.page, count: entries.count, to: &buffer)
            if let rank = board.ownRank { buffer.append(" own=", min(rank, .max - 1)) }
            for entry in entries {
                buffer.append("\nrank n=", entry.rank)
                buffer.append(" id=", entry.player.value)
                buffer.append(" alias=", value: entry.alias.text)
                buffer.append(" wins=", entry.wins)
                buffer.append(" races=", entry.races)
            }
        }
    }

    static func append(_ history: History, to buffer: inout [UInt8]) {
        let entries = history.entries.prefix(History.mostEntries)
        buffer.append("history id=", history.player.value)
        buffer.append(" alias=", value: history.alias.text)
        buffer.append(" count=", UInt(entries.count))
        for entry in entries {
            buffer.append("\nstanding rule=")
            buffer.append(entry.rule.name)
            buffer.append(" races=", entry.races)
            buffer.append(" wins=", entry.wins)
            buffer.append(" forfeits=", entry.forfeits)
            buffer.append(" best=", entry.best)
            if let rank = entry.rank { buffer.append(" rank=", min(rank, .max - 1)) }
        }
    }

    /// Each line of the record behind `> `, so that no program takes it for news.
    static func append(_ page: RecordPage, to buffer: inout [UInt8]) {
        let lines = RecordPage.fitting(page.text[...]).split(separator: 0x0A)
        buffer.append("record match=", page.match.value)
        buffer.append(" page=", page.page.number)
        buffer.append(" of=", page.page.of)
        buffer.append(" lines=", UInt(lines.count))
        for line in lines {
            buffer.append("\n> ")
            buffer.append(shown: String(decoding: line, as: UTF8.self))
        }
    }
}
