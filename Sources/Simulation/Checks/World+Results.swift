import RaceModel
import Records
import WireProtocol

/// Told means kept, as clients see it.
extension World {
    /// Before the message is taken in.
    mutating func judgeResults(_ message: ServerMessage, _ index: Int) {
        switch message {
        case .notice(.notKept, _, let text):
            guard let match = Self.match(in: text) else {
                return self.referee.report("a warning of no match")
            }
            self.programs[index].outlook.warned.insert(match)
        case .notice(.kept, _, let text):
            guard let match = Self.match(in: text) else { return self.referee.report("news of no match") }
            if self.season.record(of: match) == nil {
                self.referee.report("match \(match.value) is not kept")
            }
        case .gameOver(let over):
            guard let match = self.programs[index].outlook.match?.id else { return }
            guard let record = self.season.record(of: match) else {
                if !self.programs[index].outlook.warned.contains(match) {
                    self.referee.report("told how match \(match.value) ended, which is not kept")
                }
                if !self.season.wasAsked(match) { self.referee.report("nobody keeps match \(match.value)") }
                return
            }
            if record.over != over { self.referee.report("match \(match.value) was kept with another end") }
        case .record(let page):
            guard let record = self.season.record(of: page.match) else {
                return self.referee.report("a record of match \(page.match.value), which is not kept")
            }
            if page.page.of == 1, page.page.number == 1, record.text != page.text {
                self.referee.report("another record of match \(page.match.value)")
            }
        default: break
        }
    }

    /// `the result of match 7 is kept`
    private static func match(in text: String) -> MatchID? {
        let words = text.split(separator: " ")
        guard let place = words.firstIndex(of: "match"), place + 1 < words.count else { return nil }
        return UInt64(words[place + 1]).map { MatchID($0) }
    }
}
