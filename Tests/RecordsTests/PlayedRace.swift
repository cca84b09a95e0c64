import Fairness
import MatchRules
import RaceModel
import Records
import WireProtocol

/// A race played by the rules from a seed, with players who leave, fall silent, drop out and come back.
struct PlayedRace {
    private struct SealedChance: Chance {
        let nonce: SealedNonce
        var dice: DiceStream

        mutating func roll() -> UInt8 { self.dice.roll() }
        func number(round: UInt8, seat: Seat) -> UInt32 { self.nonce.drawnNumber(round: round, seat: seat) }
        func mask(round: UInt8, seat: Seat) -> UInt32 { self.nonce.mask(round: round, seat: seat) }
    }

    private var generator: SeededGenerator
    private var match: Match
    private var chance: SealedChance
    private var numbers: [RevealedNumber] = []
    private var order: [Seat] = []
    private var log = RaceLog()
    /// Whether events that end a race early are common.
    private let isWild: Bool
    private var over: (sequence: UInt32, outcome: Outcome)?
    private let found: MatchFound

    private static let names = ["ann", "bob", "Мия", "猫", "kim", "leo", "eve", "zoe"]

    /// - Parameter bots: of the seats, the last ones.
    static func record(
        seed: UInt64, players: Int = 2, bots: Int = 0, settings: RaceSettings = RaceSettings(finish: 12),
        isWild: Bool = false, match: UInt64 = 7
    ) -> MatchRecord {
        var race = PlayedRace(seed, players, bots, settings, isWild, MatchID(match))
        race.run()
        return race.record()
    }

    private init(
        _ seed: UInt64, _ players: Int, _ bots: Int, _ settings: RaceSettings, _ isWild: Bool, _ id: MatchID
    ) {
        self.generator = SeededGenerator(seed: seed)
        let words = (generator.next(), generator.next(), generator.next(), generator.next())
        let nonce = SealedNonce(nonce: Bytes32(words: words))
        self.match = Match(settings: settings, size: players)
        self.chance = SealedChance(nonce: nonce, dice: nonce.dice(numbers: []))
        self.isWild = isWild
        self.found = MatchFound(
            match: id, ownSeat: nil, settings: settings, seal: nonce.seal,
            seats: (0..<players).compactMap { index in
                Alias(Self.names[index]).map {
                    SeatEntry(
                        seat: Seat(index: index),
                        player: PlayerID(index < players - bots ? UInt64(index + 17) : 0),
                        alias: $0)
                }
            })
    }

    private mutating func run() {
        for seat in self.match.seats { self.apply(.joined(seat)) }
        for seat in self.match.seats { self.apply(.namesKnown(seat)) }
        while case .waitingForRandomNumber(let draw) = self.match.phase {
            for seat in draw.drawing {
                // Few different ones, so that there are ties.
                let number = UInt32(self.generator.below(3)) &* 0x4000_0000
                self.apply(.drewNumber(seat, round: 0, number: self.generator.below(3) == 0 ? nil : number))
            }
        }
        self.apply(.deadlinePassed)
        var held: [Seat] = []
        while self.over == nil {
            guard case .active(let race) = self.match.phase else { return }
            let seat = Seat(index: Int(self.generator.below(UInt64(self.match.size))))
            switch self.isWild ? self.generator.below(14) : 20 {
            case 0: self.apply(.left(seat))
            case 1, 2:
                // The server's own players have no connection to lose.
                guard self.found.seats[seat.index].player.value != 0 else { continue }
                self.apply(.dropped(seat))
                held.append(seat)
            case 3, 4: if let seat = held.popLast() { self.apply(.returned(seat)) }
            case 5: if let seat = held.popLast() { self.apply(.graceExpired(seat)) }
            case 6, 7: self.apply(.deadlinePassed)
            default:
                let isTurns = self.match.settings.rule == .turns
                let mover = isTurns ? race.lineup.seat(of: race.onTurn) : seat
                // Who is gone sends nothing.
                if !self.match.gone.contains(mover) { self.apply(.moved(mover, turn: 0)) }
            }
        }
    }

    private mutating func apply(_ event: Match.Event) {
        var effects: [Match.Effect] = []
        self.match.apply(event, chance: &self.chance, into: &effects)
        for effect in effects {
            switch effect {
            case .revealed(let round, let seat, let number, let byServer):
                self.numbers.append(
                    RevealedNumber(round: round, seat: seat, number: number, drawnByServer: byServer))
            case .ordered(let lineup):
                self.order = lineup.order
                var final = [UInt32](repeating: 0, count: Int(self.match.size))
                for number in self.numbers { final[number.seat.index] = number.number }
                self.chance.dice = self.chance.nonce.dice(numbers: final)
            case .turnStarted(_, _, let player): self.log.noteTurn(of: player)
            case .moved(_, _, let player, let steps, _, let automatic):
                self.log.noteMove(of: player, steps: steps, automatic: automatic)
            case .forfeited(_, let player, let reason): self.log.noteForfeit(of: player, reason)
            case .over(let sequence, let outcome): self.over = (sequence, outcome)
            default: break
            }
        }
    }

    private func record() -> MatchRecord {
        guard case .done(let ending) = self.match.phase, let race = ending.race, let over = self.over else {
            preconditionFailure("a race that ended has an end")
        }
        let standings = race.standings(winner: over.outcome.winner, forfeited: self.match.forfeited)
        var record = MatchRecord(
            found: self.found, numbers: self.numbers, order: self.order, events: self.log,
            over: GameOver(
                sequence: over.sequence, outcome: over.outcome, nonce: self.chance.nonce.nonce, digest: .zero,
                standings: standings.enumerated().map { index, player in
                    Standing(
                        rank: UInt8(index + 1), player: player,
                        position: race.positions[race.lineup.seat(of: player)])
                }))
        record.over.digest = record.workedOutDigest ?? .zero
        return record
    }
}

extension MatchRecord {
    /// The same race, were it too long to keep its events.
    var withoutEvents: MatchRecord {
        MatchRecord(
            found: self.found, numbers: self.numbers, order: self.order, events: nil,
            forfeited: self.forfeited, over: self.over)
    }
}
