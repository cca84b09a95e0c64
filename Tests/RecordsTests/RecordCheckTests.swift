import RaceModel
import Testing
import WireProtocol

@testable import Records

struct RecordCheckTests {
    /// The first line of a text that does not fit, by reading or by checking; nil when all fits.
    private static func faultyLine(_ text: [UInt8]) -> (line: Int, text: String)? {
        do throws(RecordFault) {
            return RecordCheck(try MatchRecord(text: text)).fault.map { ($0.line, $0.text) }
        } catch {
            return (error.line ?? 0, error.text)
        }
    }

    /// Calm and wild, of both rules and draws, with ties, forfeits and computer opponents.
    private static func race(_ seed: Int) -> MatchRecord {
        PlayedRace.record(
            seed: UInt64(seed), players: 2 + seed % 3, bots: seed % 2,
            settings: RaceSettings(
                rule: seed % 3 == 1 ? .dash : .turns, draw: seed % 4 > 1 ? .sealed : .highest,
                finish: UInt32(6 + seed % 9)), isWild: seed % 4 != 0)
    }

    @Test func `whatever the rules let happen fits`() throws {
        var reasons: Set<Outcome.Reason> = []
        for seed in 0..<300 {
            let record = Self.race(seed)
            let check = RecordCheck(record)
            let fault = check.fault
            #expect(fault == nil, "seed \(seed), line \(fault?.line ?? 0): \(fault?.text ?? "")")
            #expect(check.findings().count == check.lines.count, "a finding for each line")
            let text = try #require(record.text)
            #expect(check.lines.joined(separator: "\n") + "\n" == String(decoding: text, as: UTF8.self))
            #expect(!RaceCheck(witness: RaceWitness(record), over: record.over).report().hasFailed)
            reasons.insert(record.over.outcome.reason)
        }
        #expect(reasons == Set(Outcome.Reason.allCases))
    }

    @Test func `every byte that is changed, left out or put in is found`() throws {
        var generator = SeededGenerator(seed: 20_261_130)
        var changes = 0
        for seed in [3, 14] {
            let text = try #require(Self.race(seed).text)
            for place in text.indices {
                var others: [[UInt8]] = []
                for value in [text[place] ^ 1, UInt8(truncatingIfNeeded: generator.next())]
                where value != text[place] {
                    others.append(Array(text[..<place]) + [value] + text[(place + 1)...])
                }
                others.append(Array(text[..<place]) + text[(place + 1)...])
                others.append(Array(text[...place]) + text[place...])
                let value = UInt8(truncatingIfNeeded: generator.below(128))
                others.append(Array(text[..<place]) + [value] + text[place...])
                let own = text[..<place].count { $0 == 0x0A } + 1
                for other in others {
                    changes += 1
                    let fault = Self.faultyLine(other)
                    // A change that fits where it stands is found further on, but never before.
                    #expect(
                        fault.map { $0.line >= own } ?? false,
                        """
                        seed \(seed), byte \(place) in line \(own): \(fault?.text ?? "not found")
                        \(String(decoding: other, as: UTF8.self))
                        """)
                }
            }
        }
        #expect(changes > 7000)
    }

    @Test func `every line that is left out, doubled or swapped is found`() throws {
        for seed in 0..<12 {
            let lines = RecordCheck(Self.race(seed)).lines
            func check(_ changed: [String], _ first: Int, _ what: String) {
                let fault = Self.faultyLine(Array((changed.joined(separator: "\n") + "\n").utf8))
                #expect(
                    fault.map { $0.line >= first } ?? false,
                    "seed \(seed), line \(first) \(what): \(fault?.text ?? "not found")")
            }
            for index in lines.indices {
                check(Array(lines[..<index] + lines[(index + 1)...]), index + 1, "left out")
                check(Array(lines[...index] + lines[index...]), index + 1, "doubled")
                for other in lines.indices where other > index && lines[other] != lines[index] {
                    var swapped = lines
                    swapped.swapAt(index, other)
                    check(swapped, index + 1, "swapped with \(other + 1)")
                }
            }
            check(lines.dropLast(), lines.count, "left out")
            check([], 1, "left out")
        }
    }

    // MARK: Which line, and whose doing

    /// Ann, Bob and Eve in turns, calm: the lines found, 3 seats, numbers, order, moves, over, 3 places.
    private static let calm = PlayedRace.record(
        seed: 8, players: 3, settings: RaceSettings(rule: .turns, draw: .highest, finish: 12))

    private func finding(_ change: (inout MatchRecord) -> Void) throws -> RecordCheck.Finding {
        var record = Self.calm
        change(&record)
        return try #require(RecordCheck(record).fault)
    }

    @Test func `another seal is the first line's fault, another nonce the last line's`() throws {
        let over = RecordCheck(Self.calm).overLine
        let seal = try self.finding { $0.found.seal.words.0 ^= 1 }
        #expect(seal.line == 1 && seal.text.hasPrefix("the nonce of line \(over) has the seal "))
        let nonce = try self.finding { $0.over.nonce.words.0 ^= 1 }
        #expect(nonce.line == over && nonce.text.hasPrefix("the nonce is not the one that was sealed"))
    }

    @Test func `a number the server did not draw from the nonce is named`() throws {
        let drawn = Self.calm.numbers.indices.first { Self.calm.numbers[$0].drawnByServer }
        let index = try #require(drawn)
        let due = Self.calm.numbers[index].number
        let finding = try self.finding { $0.numbers[index].number &+= 1 }
        #expect(finding.line == 5 + index)
        #expect(finding.text.contains(" is \(due) by the nonce, not \(due &+ 1)"))
    }

    @Test func `a number of a round that nobody drew is named`() throws {
        let finding = try self.finding { $0.numbers.swapAt(0, 1) }
        #expect(finding.line == 5 && finding.text.hasPrefix("in round 1 the number of seat 1 was due"))
        let missing = try self.finding { $0.numbers.removeLast() }
        #expect(missing.line == 4 + Self.calm.numbers.count)
        #expect(missing.text.contains(" was due"))
    }

    @Test func `an order that is not the numbers' is named, with the right one`() throws {
        let finding = try self.finding { $0.order.swapAt(0, 1) }
        #expect(finding.line == 5 + Self.calm.numbers.count)
        #expect(finding.text.hasPrefix("by the numbers the order is "))
    }

    @Test func `a digest of other lines is named where all else fits`() throws {
        let finding = try self.finding { $0.over.digest.words.3 ^= 1 }
        #expect(finding.line == RecordCheck(Self.calm).overLine)
        #expect(finding.text.hasPrefix("the digest is another than that of all before the nonce"))
        let id = try self.finding { $0.found.match = MatchID(8) }
        #expect(id.line == finding.line && id.text == finding.text)
    }

    @Test func `places that are not in order are named, with the right one`() throws {
        let over = RecordCheck(Self.calm).overLine
        let finding = try self.finding { $0.over.standings[1].position += 1 }
        #expect(finding.line == over + 2 && finding.text.hasPrefix("place 2 is "))
    }

    @Test func `the digest tells a changed record from a server that lied`() throws {
        let events = try #require(Self.calm.events)
        var log = RaceLog()
        for (index, message) in events.messages().enumerated() {
            switch message {
            case .turnStarted(let turn): log.noteTurn(of: turn.player)
            case .moved(let moved):
                log.noteMove(
                    of: moved.player, steps: index == 3 ? moved.steps % 6 + 1 : moved.steps, automatic: false)
            default: break
            }
        }
        var record = MatchRecord(
            found: Self.calm.found, numbers: Self.calm.numbers, order: Self.calm.order, events: log,
            over: Self.calm.over)
        let changed = try #require(RecordCheck(record).fault)
        #expect(changed.line == 7 + Self.calm.numbers.count)
        #expect(changed.text.hasPrefix("the roll of turn 2 is "))
        #expect(changed.text.hasSuffix("the lines are not those of the server"))
        let digest = record.workedOutDigest
        record.over.digest = try #require(digest)
        let lied = try #require(RecordCheck(record).fault)
        #expect(lied.line == changed.line && lied.text.hasSuffix("the server itself told it so"))
    }

    // MARK: Decisions of the clock

    /// What the rules say of such a race; steps are dice, and nobody looks at them here.
    private func fault(
        _ rule: RaceSettings.Rule, players: Int = 2, bots: Int = 0, _ events: [RaceWitness.Event]
    ) -> String? {
        let seats = (0..<players).compactMap { index in
            Alias("cat\(index)").map {
                SeatEntry(
                    seat: Seat(index: index),
                    player: PlayerID(index < players - bots ? UInt64(index + 1) : 0),
                    alias: $0)
            }
        }
        let found = MatchFound(
            match: MatchID(1), ownSeat: nil, settings: RaceSettings(rule: rule, finish: 9), seal: .zero,
            seats: seats)
        guard var replay = RaceReplay(found, order: seats.map(\.seat)) else { return "no order" }
        for event in events {
            do throws(RaceReplay.Fault) { try replay.take(event) } catch { return error.text }
        }
        return nil
    }

    private func roll(
        _ sequence: UInt32, turn: UInt32, _ player: UInt8, at position: UInt32, auto: Bool = false
    ) -> RaceWitness.Event {
        .moved(
            Moved(
                sequence: sequence, turn: turn, player: PlayerNumber(player), steps: 1, position: position,
                automatic: auto))
    }

    private func out(_ sequence: UInt32, _ player: UInt8, _ reason: ForfeitReason) -> RaceWitness.Event {
        .forfeited(Forfeited(sequence: sequence, player: PlayerNumber(player), reason: reason))
    }

    @Test func `the server rolls once for who is silent, and then they are out`() {
        let silent = [self.roll(2, turn: 1, 1, at: 1, auto: true), self.roll(4, turn: 2, 2, at: 1)]
        #expect(self.fault(.turns, silent + [self.out(6, 1, .missedTurns)]) == nil)
        #expect(self.fault(.turns, silent + [self.roll(6, turn: 3, 1, at: 2)]) == nil)
        #expect(
            self.fault(.turns, silent + [self.roll(6, turn: 3, 1, at: 2, auto: true)])
                == "player 1 missed a second turn in a row: a forfeit was due, and the server rolled again")
        #expect(
            self.fault(.turns, silent + [self.out(6, 2, .missedTurns)])
                == "turn 3 was player 1's, and cannot be missed by another")
        #expect(
            self.fault(.turns, [self.out(2, 1, .missedTurns)])
                == "player 1 had not missed the turn before: the server rolls the first time")
        // Whoever rolls again has missed none in a row.
        let between = silent + [self.roll(6, turn: 3, 1, at: 2), self.roll(8, turn: 4, 2, at: 2)]
        #expect(self.fault(.turns, between + [self.roll(10, turn: 5, 1, at: 3, auto: true)]) == nil)
        #expect(
            self.fault(.turns, between + [self.out(10, 1, .missedTurns)])?.hasPrefix("player 1 had not")
                == true)
    }

    @Test func `a dash has no clock that moves or throws out`() {
        #expect(self.fault(.dash, [self.roll(1, turn: 0, 2, at: 1)]) == nil)
        #expect(
            self.fault(.dash, [self.roll(1, turn: 0, 2, at: 1, auto: true)])?.hasPrefix(
                "in a dash the server") == true)
        #expect(self.fault(.dash, [self.out(1, 2, .missedTurns)]) == "a dash has no turns to miss")
        #expect(self.fault(.dash, [self.roll(1, turn: 1, 2, at: 1)]) == "turn 0 was due, and this is turn 1")
    }

    @Test func `a computer opponent may leave, and can't be lost`() {
        #expect(self.fault(.turns, players: 3, bots: 1, [self.out(2, 3, .left)]) == nil)
        #expect(
            self.fault(.turns, players: 3, bots: 1, [self.out(2, 3, .gone)])
                == "the server plays for player 3, and cannot lose itself")
        #expect(self.fault(.turns, players: 3, [self.out(2, 3, .gone)]) == nil)
    }

    @Test func `whoever is left alone moves no more by themselves`() {
        let alone = [self.out(2, 1, .left)]
        #expect(self.fault(.turns, alone + [self.roll(4, turn: 2, 2, at: 1, auto: true)]) == nil)
        #expect(
            self.fault(.turns, alone + [self.roll(4, turn: 2, 2, at: 1)])
                == "player 2 was alone in the race, and had won")
        #expect(
            self.fault(.turns, alone + [self.out(4, 2, .gone), self.out(5, 2, .gone)])
                == "everybody was out, and the race was over")
    }

    @Test func `whoever is left alone wins at once, or in the turn in which they come back`() throws {
        let record = PlayedRace.record(seed: 1, settings: RaceSettings(rule: .turns, finish: 9))
        var over = record.over
        over.outcome = Outcome(winner: PlayerNumber(2), reason: .forfeit)
        func fits(_ sequence: UInt32, _ events: [RaceWitness.Event]) throws -> Bool {
            var replay = try #require(RaceReplay(record.found, order: [Seat(1), Seat(2)]))
            for event in events { try replay.take(event) }
            over.sequence = sequence
            do throws(RaceReplay.Fault) { try replay.end(over) } catch { return false }
            return true
        }
        let alone = [self.out(2, 1, .left)]
        for sequence in 2...6 as ClosedRange<UInt32> {
            #expect(try fits(sequence, alone) == (sequence == 3 || sequence == 4))
            // Away for a turn, and back in the next.
            let away = alone + [self.roll(4, turn: 2, 2, at: 1, auto: true)]
            #expect(try fits(sequence, away) == (sequence == 6))
            // Who was not on turn ends nobody's turn.
            let other = [self.roll(2, turn: 1, 1, at: 1), self.out(4, 1, .gone)]
            #expect(try fits(sequence, other) == (sequence == 5))
        }
    }

    @Test func `numbers of events leave no room for others`() {
        #expect(
            self.fault(.turns, [self.roll(1, turn: 1, 1, at: 1)]) == "event 2 was due, and this is event 1")
        #expect(
            self.fault(.dash, [self.roll(1, turn: 0, 1, at: 1), self.roll(3, turn: 0, 1, at: 2)])
                == "event 2 was due, and this is event 3")
    }

    /// Bug: of two on the same field the one with the lower number was taken for the leader, whoever came first.
    @Test func `when the leader of a dash leaves, who came first to the next field is in front`() throws {
        let events = [
            self.roll(1, turn: 0, 3, at: 1), self.roll(2, turn: 0, 2, at: 1), self.roll(3, turn: 0, 1, at: 1),
            self.roll(4, turn: 0, 1, at: 2), self.out(5, 1, .left),
        ]
        let record = PlayedRace.record(seed: 1, players: 3, settings: RaceSettings(rule: .dash, finish: 9))
        var replay = try #require(RaceReplay(record.found, order: [Seat(1), Seat(2), Seat(3)]))
        for event in events { try replay.take(event) }
        var over = record.over
        over.sequence = 6
        over.outcome = Outcome(winner: PlayerNumber(3), reason: .idle)
        try replay.end(over)
        over.outcome.winner = PlayerNumber(2)
        #expect(throws: RaceReplay.Fault(text: "player 3 has won")) { try replay.end(over) }
    }
}
