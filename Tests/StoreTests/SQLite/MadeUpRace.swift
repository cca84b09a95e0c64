import RaceModel
import Records
import WireProtocol

/// A record of the right shape, without a race behind it.
enum MadeUpRace {
    /// - Parameters:
    ///   - players: in order of play; 0 is a computer opponent. They end in this order.
    ///   - hasWinner: the first of them wins; otherwise nobody.
    ///   - forfeits: indices of those who forfeited.
    static func record(
        match: UInt64, _ players: [UInt64], rule: RaceSettings.Rule = .turns, hasWinner: Bool = true,
        forfeits: [Int] = []
    ) -> MatchRecord {
        var log = RaceLog()
        for index in forfeits { log.noteForfeit(of: PlayerNumber(index: index), .left) }
        let seats = players.indices.map { Seat(index: $0) }
        return MatchRecord(
            found: MatchFound(
                match: MatchID(match), ownSeat: nil, settings: RaceSettings(rule: rule, finish: 10),
                seal: .zero,
                seats: zip(seats, players).compactMap { seat, player in
                    Alias("racer-\(seat.value)").map {
                        SeatEntry(seat: seat, player: PlayerID(player), alias: $0)
                    }
                }),
            numbers: [], order: seats, events: log,
            over: GameOver(
                sequence: UInt32(forfeits.count + 1),
                outcome: Outcome(
                    winner: hasWinner ? PlayerNumber(index: 0) : nil, reason: hasWinner ? .finish : .idle),
                nonce: .zero, digest: .zero,
                standings: players.indices.map {
                    Standing(rank: UInt8($0 + 1), player: PlayerNumber(index: $0), position: 10 - UInt32($0))
                }))
    }
}
