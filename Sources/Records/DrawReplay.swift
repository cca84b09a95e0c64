import Fairness
import RaceModel
import WireProtocol

/// Makes the order of play again from the numbers that were revealed.
struct DrawReplay {
    struct Fault: Error, Hashable {
        let text: String
        /// Which number, from 0; that behind the last when one is missing.
        let index: Int
    }

    private let seats: [Seat]
    private let draw: RaceSettings.Draw
    private let nonce: SealedNonce

    init(_ found: MatchFound, _ nonce: SealedNonce) {
        self.seats = found.seats.map(\.seat)
        self.draw = found.settings.draw
        self.nonce = nonce
    }

    /// The tied draw again, a round at a time, and settle among themselves the places they share. Groups of
    /// the tied are kept in order of play; a group of one has its place.
    func order(from numbers: [RevealedNumber]) -> Result<[Seat], Fault> {
        var groups = [self.seats]
        var rest = numbers[...]
        var round: UInt8 = 0
        while groups.contains(where: { $0.count > 1 }) {
            round &+= 1
            guard round <= Limits.drawRounds else { break }
            let drawing = groups.filter { $0.count > 1 }.flatMap { $0 }
            let drawn = rest.prefix { $0.round == round }
            rest = rest.dropFirst(drawn.count)
            if let fault = Self.fault(in: drawn, of: drawing.sorted(), round: round) {
                return .failure(fault)
            }
            var ranks: [(rank: UInt32, seat: Seat)] = []
            for revealed in drawn {
                let rank = self.nonce.rank(
                    of: revealed.number, round: round, seat: revealed.seat, draw: self.draw)
                ranks.append((rank, revealed.seat))
            }
            groups = groups.flatMap { Self.split($0, ranks) }
        }
        guard rest.isEmpty else {
            return .failure(Fault(text: "there were more numbers than ties", index: rest.startIndex))
        }
        // Whoever is tied behind the last round is ordered by seat.
        return .success(groups.flatMap { $0.sorted() })
    }

    /// A round tells the numbers of all who draw in it, in order of seats.
    private static func fault(
        in drawn: ArraySlice<RevealedNumber>, of drawing: [Seat], round: UInt8
    ) -> Fault? {
        for (index, seat) in zip(drawn.startIndex..., drawing) {
            guard index < drawn.endIndex, drawn[index].seat == seat else {
                return Fault(text: "in round \(round) the number of seat \(seat.value) was due", index: index)
            }
            if round > Limits.playerDrawRounds, !drawn[index].drawnByServer {
                return Fault(text: "in round \(round) the server draws, and a player did", index: index)
            }
        }
        guard drawn.count == drawing.count else {
            return Fault(
                text: "in round \(round) not just the tied drew", index: drawn.startIndex + drawing.count)
        }
        return nil
    }

    private static func split(_ group: [Seat], _ ranks: [(rank: UInt32, seat: Seat)]) -> [[Seat]] {
        guard group.count > 1 else { return [group] }
        var groups: [[Seat]] = []
        var last: UInt32?
        for (rank, seat) in ranks.filter({ group.contains($0.seat) }).sorted(by: {
            ($1.rank, $0.seat) < ($0.rank, $1.seat)
        }) {
            if rank == last {
                groups[groups.count - 1].append(seat)
            } else {
                groups.append([seat])
            }
            last = rank
        }
        return groups
    }
}
