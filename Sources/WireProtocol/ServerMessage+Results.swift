package import RaceModel

/// A page of who has won most races of one rule.
package struct Leaderboard: Hashable, Sendable {
    package var rule: RaceSettings.Rule
    package var page: Page
    /// The rank of who asked; nil when they have no race that counts, or no name.
    package var ownRank: UInt32?
    /// Best first; at most `Limits.pageEntries`.
    package var entries: [RankEntry]
    package init(rule: RaceSettings.Rule, page: Page, ownRank: UInt32?, entries: [RankEntry]) {
        self.rule = rule
        self.page = page
        self.ownRank = ownRank
        self.entries = entries
    }
}

package struct RankEntry: Hashable, Sendable {
    /// 1 and the number of players with more wins.
    package var rank: UInt32
    package var player: PlayerID
    package var alias: Alias
    package var wins: UInt32
    package var races: UInt32
    package init(rank: UInt32, player: PlayerID, alias: Alias, wins: UInt32, races: UInt32) {
        self.rank = rank
        self.player = player
        self.alias = alias
        self.wins = wins
        self.races = races
    }
}

/// What one player has done in races that count.
package struct History: Hashable, Sendable {
    /// One a rule.
    package static let mostEntries = RaceSettings.Rule.allCases.count

    package struct Entry: Hashable, Sendable {
        package var rule: RaceSettings.Rule
        package var races: UInt32
        package var wins: UInt32
        package var forfeits: UInt32
        /// Most wins in a row.
        package var best: UInt32
        /// Nil without a race that counts.
        package var rank: UInt32?
        package init(
            rule: RaceSettings.Rule, races: UInt32, wins: UInt32, forfeits: UInt32, best: UInt32,
            rank: UInt32?
        ) {
            self.rule = rule
            self.races = races
            self.wins = wins
            self.forfeits = forfeits
            self.best = best
            self.rank = rank
        }
    }

    package var player: PlayerID
    package var alias: Alias
    package var entries: [Entry]
    package init(player: PlayerID, alias: Alias, entries: [Entry]) {
        self.player = player
        self.alias = alias
        self.entries = entries
    }
}

/// A page of the record of one race: lines of its file, whole, each ended by LF.
package struct RecordPage: Hashable, Sendable {
    package var match: MatchID
    package var page: Page
    /// UTF-8, at most `Limits.recordPageBytes`; no line is empty, and nothing in them could move a cursor.
    /// Empty behind the last page.
    package var text: [UInt8]
    package init(match: MatchID, page: Page, text: [UInt8]) {
        self.match = match
        self.page = page
        self.text = text
    }

    /// Page `number` (from 1) of the text of a whole record, cut behind the last line that fits. A line must fit
    /// into a page, as all lines of a record do.
    package init(match: MatchID, number: UInt16, of record: [UInt8]) {
        var pages = 0
        var start = 0
        var shown = 0..<0
        while start < record.count {
            let end = start + Self.fitting(record[start...]).count
            pages += 1
            if pages == Int(number) { shown = start..<end }
            start = end
        }
        self.init(
            match: match, page: Page(number: max(1, number), of: UInt16(clamping: max(1, pages))),
            text: Array(record[shown]))
    }

    /// As many whole lines as fit into one page; never nothing of something.
    static func fitting(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let most = text.prefix(Limits.recordPageBytes)
        guard most.endIndex < text.endIndex, let end = most.lastIndex(of: 0x0A) else { return most }
        return most[...end]
    }

    static let soundness = "a record is whole lines of what may be shown, none of them empty"

    /// Whether it may stand in a page: whole lines, not empty, of what may be shown.
    static func isSound(_ text: some Collection<UInt8>) -> Bool {
        guard let text = String(validating: text, as: UTF8.self) else { return false }
        var isLineEmpty = true
        for scalar in text.unicodeScalars {
            guard scalar != "\n" else {
                if isLineEmpty { return false }
                isLineEmpty = true
                continue
            }
            guard scalar.isSafeToShow else { return false }
            isLineEmpty = false
        }
        return isLineEmpty
    }
}
