import RaceModel
import WireProtocol

extension RandomMessages {
    mutating func leaderboard() -> Leaderboard {
        Leaderboard(
            rule: self.pick(RaceSettings.Rule.allCases), page: self.page(), ownRank: self.rank(),
            entries: self.list(20) {
                RankEntry(
                    rank: $0.number(), player: PlayerID($0.number()), alias: $0.alias(), wins: $0.number(),
                    races: $0.number())
            })
    }

    mutating func history() -> History {
        History(
            player: PlayerID(self.number()), alias: self.alias(),
            entries: self.list(2) {
                History.Entry(
                    rule: $0.pick(RaceSettings.Rule.allCases), races: $0.number(), wins: $0.number(),
                    forfeits: $0.number(), best: $0.number(), rank: $0.rank())
            })
    }

    /// All ones are none.
    private mutating func rank() -> UInt32? { self.optional(UInt32(self.below(Int(UInt32.max)))) }

    /// Lines that look like anything: notes, lines of a record, headers.
    mutating func recordPage() -> RecordPage {
        let scalars = Array("ab 12=\"\\'#,->\u{E9}\u{8D5B}\u{1F600}".unicodeScalars)
        let starts = ["", "", "#", "# ", "> ", " ", "record match=7 page=1 of=1 lines=1", "over seq=1"]
        let lines = self.list(30) { random -> String in
            var line = random.pick(starts)
            for _ in 0...random.below(20) { line.unicodeScalars.append(random.pick(scalars)) }
            return line + "\n"
        }
        return RecordPage(
            match: MatchID(self.number()), page: self.page(), text: lines.flatMap { Array($0.utf8) })
    }
}
