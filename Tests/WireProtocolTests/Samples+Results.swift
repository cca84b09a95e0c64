import RaceModel
import WireProtocol

extension Samples {
    static let results: [ServerMessage] = [
        .leaderboard(
            Leaderboard(
                rule: .turns, page: Page(number: 1, of: 3), ownRank: 57,
                entries: [
                    RankEntry(rank: 1, player: PlayerID(17), alias: ann, wins: 3, races: 5),
                    RankEntry(rank: 2, player: PlayerID(.max), alias: longAlias, wins: .max, races: .max),
                ])),
        .leaderboard(
            Leaderboard(
                rule: .dash, page: Page(number: .max, of: .max), ownRank: .max - 1,
                entries: (1...20).map {
                    RankEntry(rank: .max, player: PlayerID($0), alias: longAlias, wins: .max, races: .max)
                })),
        .leaderboard(Leaderboard(rule: .dash, page: Page(number: 1, of: 1), ownRank: nil, entries: [])),
        .record(RecordPage(match: MatchID(7), page: Page(number: 1, of: 1), text: record)),
        .record(RecordPage(match: MatchID(.max), page: Page(number: .max, of: .max), text: [])),
        .record(RecordPage(match: MatchID(7), number: 2, of: longRecord)),
        .history(
            History(
                player: PlayerID(17), alias: ann,
                entries: [
                    History.Entry(rule: .turns, races: 5, wins: 3, forfeits: 0, best: 2, rank: 1),
                    History.Entry(rule: .dash, races: 0, wins: 0, forfeits: 0, best: 0, rank: nil),
                ])),
        .history(
            History(
                player: PlayerID(.max), alias: longAlias,
                entries: Array(
                    repeating: History.Entry(
                        rule: .dash, races: .max, wins: .max, forfeits: .max, best: .max, rank: .max - 1),
                    count: 2))),
    ]

    /// Of a race of one move.
    static let record = Array(
        """
        order seats=1,2
        moved seq=1 turn=0 player=1 alias=ann by=1 at=1 of=1 auto=no
        place rank=1 player=1 alias=ann at=1

        """.utf8)

    /// Of 200 moves, more than two pages.
    static let longRecord = (1...200).flatMap {
        Array("moved seq=\($0) turn=0 player=1 alias=\(longAlias.text) by=1 at=\($0) of=300 auto=no\n".utf8)
    }
}
