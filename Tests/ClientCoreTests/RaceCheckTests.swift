import Fairness
import RaceModel
import Records
import Testing
import WireProtocol

@testable import ClientCore

@Suite struct RaceCheckTests {
    private static let subjects = RaceReport.Subject.allCases

    private func failed(_ report: RaceReport) -> [RaceReport.Subject] {
        report.lines.compactMap { line in
            if case .failed = line.verdict { line.subject } else { nil }
        }
    }

    private func passed(_ report: RaceReport) -> [RaceReport.Subject] {
        report.lines.compactMap { line in
            if case .passed = line.verdict { line.subject } else { nil }
        }
    }

    @Test func `an honest race passes every check, whatever its rule, draw, ties and forfeits`() throws {
        var tieRounds = 0
        var races = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            for rule in RaceSettings.Rule.allCases {
                for draw in RaceSettings.Draw.allCases {
                    let race = HonestRace(
                        seed: seed, players: 2 + Int(seed % 7),
                        settings: RaceSettings(rule: rule, draw: draw, finish: 25), forfeits: seed % 3 == 0)
                    let report = try #require(race.report())
                    #expect(
                        self.passed(report) == Self.subjects,
                        "seed \(seed) \(rule) \(draw): \(report.summary)")
                    races += 1
                    for case .drawAgain in race.messages { tieRounds += 1 }
                }
            }
        }
        #expect(races == 240)
        #expect(tieRounds > 50)
    }

    /// Goal: who returns before the race begins is told the numbers again behind the snapshot, and they count
    /// once.
    @Test func `numbers told again behind a snapshot count once`() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let race = Self.race(seed)
            let order = race.firstIndex { if case .playerOrder = $0 { true } else { false } }
            let runners = race.found.seats.map { entry in
                Runner(
                    seat: entry.seat, number: PlayerNumber(index: race.order.firstIndex(of: entry.seat) ?? 0),
                    player: entry.player, alias: entry.alias, position: 0, presence: .here)
            }
            let snapshot = Snapshot(
                match: race.found.match, ownSeat: race.found.ownSeat, settings: race.found.settings,
                seal: race.found.seal, state: .waitingForStart, sequence: 0, turn: 0, onTurn: nil, seconds: 9,
                runners: runners)
            let numbers = race.messages.filter { if case .randomNumber = $0 { true } else { false } }
            let told =
                race.messages[...order] + [.snapshot(snapshot)] + numbers + race.messages[(order + 1)...]
            let report = try #require(HonestRace.report(of: Array(told)))
            #expect(self.passed(report) == Self.subjects, "seed \(seed): \(report.summary)")
        }
    }

    // MARK: Falsifications

    /// Goal: each single lie is found, by the check it belongs to. The digest finds any lie about the record
    /// as well, so the liar's digest is made to fit where that is possible.
    @Test func `a nonce that was not sealed is found`() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var race = Self.race(seed)
            race.over.nonce.words.3 ^= 1
            let report = try #require(race.report())
            #expect(self.failed(report).contains(.seal), "seed \(seed)")
            #expect(self.failed(report).contains(.dice), "seed \(seed)")
        }
    }

    @Test func `a player's number that was changed is found`() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var race = Self.race(seed)
            let index = race.firstIndex {
                if case .randomNumber(let number) = $0 { !number.drawnByServer } else { false }
            }
            guard case .randomNumber(var revealed) = race.messages[index] else { continue }
            revealed.number ^= 0x10
            race.messages[index] = .randomNumber(revealed)
            let report = try #require(race.report())
            #expect(report.hasFailed, "seed \(seed)")
            #expect(self.failed(report).contains(.digest), "seed \(seed)")
        }
    }

    @Test func `a number the server chose instead of drawing it is found`() throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            var race = Self.race(seed)
            let index = race.firstIndex {
                if case .randomNumber(let number) = $0 { number.drawnByServer } else { false }
            }
            guard case .randomNumber(var revealed) = race.messages[index] else { continue }
            revealed.number = .max
            race.messages[index] = .randomNumber(revealed)
            let report = try #require(race.report())
            #expect(self.failed(report).contains(.drawnNumbers), "seed \(seed)")
        }
    }

    @Test func `an order that is not the numbers' is found`() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var race = Self.race(seed)
            let index = race.firstIndex { if case .playerOrder = $0 { true } else { false } }
            race.messages[index] = .playerOrder([race.order[1], race.order[0]] + race.order.dropFirst(2))
            let report = try #require(race.report())
            #expect(self.failed(report).contains(.order), "seed \(seed)")
        }
    }

    @Test func `each roll that was changed is found, with its turn`() throws {
        let honest = Self.race(4)
        for (index, message) in honest.messages.enumerated() {
            guard case .moved(var moved) = message else { continue }
            var race = honest
            moved.steps = moved.steps % 6 + 1
            race.messages[index] = .moved(moved)
            let report = try #require(race.report())
            guard case .failed(let why) = report.verdict(on: .dice) else {
                Issue.record("turn \(moved.turn) passed")
                continue
            }
            #expect(why.contains("turn \(moved.turn) "))
        }
    }

    @Test func `a position that does not follow from the rolls is found`() throws {
        let honest = Self.race(4)
        for (index, message) in honest.messages.enumerated() {
            guard case .moved(var moved) = message else { continue }
            var race = honest
            moved.position += 1
            race.messages[index] = .moved(moved)
            let report = try #require(race.report())
            #expect(self.failed(report) == [.moves, .digest])
        }
    }

    @Test func `a move out of turn is found`() throws {
        let honest = Self.race(4)
        for (index, message) in honest.messages.enumerated() {
            guard case .moved(var moved) = message else { continue }
            var race = honest
            moved.player = PlayerNumber(moved.player.value % 3 + 1)
            race.messages[index] = .moved(moved)
            #expect(self.failed(try #require(race.report())).contains(.moves))
        }
    }

    @Test func `another winner, another reason or another place is found`() throws {
        let honest = Self.race(4)
        let winner = try #require(honest.over.outcome.winner)
        var other = honest
        other.over.outcome.winner = PlayerNumber(winner.value % 3 + 1)
        #expect(self.failed(try #require(other.report())) == [.result, .digest])
        for reason in Outcome.Reason.allCases where reason != .finish {
            var race = honest
            race.over.outcome.reason = reason
            #expect(self.failed(try #require(race.report())) == [.result, .digest])
        }
        var swapped = honest
        swapped.over.standings.swapAt(1, 2)
        #expect(self.failed(try #require(swapped.report())) == [.result])
    }

    @Test func `another digest is found`() throws {
        var race = Self.race(4)
        race.over.digest.words.0 ^= 1 << 63
        #expect(self.failed(try #require(race.report())) == [.digest])
    }

    @Test func `a race that went on behind its finish is found`() throws {
        var race = HonestRace(
            seed: 3, players: 2, settings: RaceSettings(rule: .dash, draw: .highest, finish: 5))
        let sequence = race.over.sequence
        race.messages.insert(
            .moved(
                Moved(
                    sequence: sequence, turn: 0, player: PlayerNumber(1), steps: 1, position: 6,
                    automatic: false)),
            at: race.messages.count - 1)
        race.over.sequence = sequence + 1
        #expect(self.failed(try #require(race.report())).contains(.moves))
    }

    // MARK: Not possible

    @Test func `who joins midway can check only the seal, and is told so`() throws {
        let race = Self.race(4)
        let start = race.firstIndex { if case .moved = $0 { true } else { false } }
        let runners = race.found.seats.map { entry in
            Runner(
                seat: entry.seat, number: PlayerNumber(index: race.order.firstIndex(of: entry.seat) ?? 0),
                player: entry.player, alias: entry.alias, position: 0, presence: .here)
        }
        let snapshot = Snapshot(
            match: race.found.match, ownSeat: nil, settings: race.found.settings, seal: race.found.seal,
            state: .active, sequence: 1, turn: 1, onTurn: PlayerNumber(1), seconds: 9, runners: runners)
        let report = try #require(HonestRace.report(of: [.snapshot(snapshot)] + race.messages[start...]))
        #expect(self.passed(report) == [.seal])
        #expect(self.failed(report) == [])
        #expect(report.summary.contains("could not be checked: drawn numbers"))
    }

    @Test func `a lost event is told, and the checks that need it are not possible`() throws {
        var race = Self.race(4)
        let index = race.firstIndex { if case .moved = $0 { true } else { false } }
        race.messages.remove(at: index)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        let events = client.feed(race.messages)
        #expect(events.contains(.missed(last: 1, next: 3)))
        let report = try #require(race.report())
        #expect(self.passed(report) == [.seal])
        #expect(report.verdict(on: .dice) == .notPossible("event 2 was not seen"))
    }

    /// Three players.
    private static func race(_ seed: UInt64) -> HonestRace {
        HonestRace(
            seed: seed, players: 3,
            settings: RaceSettings(rule: .turns, draw: seed % 2 == 0 ? .highest : .sealed, finish: 25))
    }
}
