import RaceModel
import Records
import Testing
import WireProtocol

struct RecordFormTests {
    /// Races of every size and rule, calm and wild.
    private static let races: [MatchRecord] = (0..<120).map { (seed: Int) -> MatchRecord in
        PlayedRace.record(
            seed: UInt64(seed), players: 2 + seed % 7, bots: seed % 3,
            settings: RaceSettings(
                rule: seed % 2 == 0 ? .turns : .dash, draw: seed % 5 == 0 ? .sealed : .highest,
                finish: UInt32(1 + seed % 30)), isWild: seed % 4 > 1, match: UInt64(seed + 1))
    }

    @Test func `a record is the same behind its bytes`() throws {
        for record in Self.races {
            #expect(try MatchRecord(bytes: record.bytes) == record)
            #expect(try MatchRecord(bytes: record.withoutEvents.bytes) == record.withoutEvents)
        }
    }

    @Test func `a record is the same behind its text`() throws {
        for record in Self.races {
            let text = try #require(record.text)
            #expect(try MatchRecord(text: text) == record)
        }
        let forfeits = Self.races.count { !$0.forfeited.isEmpty }
        #expect(forfeits > 20, "wild races have forfeits")
    }

    @Test func `a record without events has no text and keeps who forfeited`() throws {
        let record = try #require(Self.races.first { !$0.forfeited.isEmpty })
        #expect(record.withoutEvents.text == nil)
        #expect(record.withoutEvents.workedOutDigest == nil)
        #expect(record.withoutEvents.forfeited == record.forfeited)
        #expect(MatchResult(record.withoutEvents) == MatchResult(record))
    }

    @Test func `bytes cut short or made longer are no record`() {
        let bytes = Self.races[2].bytes
        for count in bytes.indices {
            // A race may end anywhere, but over says how many events there were.
            #expect(throws: RecordFault.self, "cut to \(count)") {
                try MatchRecord(bytes: Array(bytes[..<count]))
            }
        }
        #expect(throws: RecordFault.self) { try MatchRecord(bytes: bytes + [0]) }
    }

    @Test func `no bytes make the reader trap, and what it reads it writes alike`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            var bytes = Self.races[Int(generator.below(UInt64(Self.races.count)))].bytes
            for _ in 0...generator.below(3) {
                bytes[Int(generator.below(UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: generator.next())
            }
            guard let record = try? MatchRecord(bytes: bytes) else { continue }
            #expect(record.bytes == bytes)
            // What a store then does with it.
            _ = (MatchResult(record), record.workedOutDigest, record.text)
        }
    }

    @Test func `every change of a byte of the text is a fault, or leaves another digest`() throws {
        let record = Self.races[3]
        let text = try #require(record.text)
        for place in text.indices {
            // The lowest bit, the one between small and capital letters, and another.
            for bit in [0, 5, place % 7 + 1] {
                var changed = text
                changed[place] ^= 1 << bit
                guard let other = try? MatchRecord(text: changed) else { continue }
                #expect(other.text == changed)
                // What is in over beside the digest must be held to the rules.
                #expect(
                    other.workedOutDigest != other.over.digest || other.digestedText == record.digestedText,
                    "byte \(place) bit \(bit)")
            }
        }
    }

    @Test func `a fault names its line and what would be right`() throws {
        let record = PlayedRace.record(seed: 1)
        let lines = String(decoding: try #require(record.text), as: UTF8.self).split(separator: "\n").map(
            String.init)
        func fault(_ change: (inout [String]) -> Void) -> RecordFault? {
            var changed = lines
            change(&changed)
            do throws(RecordFault) {
                _ = try MatchRecord(text: Array((changed.joined(separator: "\n") + "\n").utf8))
                return nil
            } catch {
                return error
            }
        }
        let move = try #require(lines.firstIndex { $0.hasPrefix("moved") })
        let over = try #require(lines.firstIndex { $0.hasPrefix("over") })
        #expect(fault { _ in } == nil)
        #expect(
            fault { $0[0] += " " } == RecordFault(line: 1, text: "the server would have written: \(lines[0])")
        )
        #expect(
            fault { $0[2] = $0[2].replacing("n=2", with: "n=3") }
                == RecordFault(line: 3, text: "seats are numbered from 1, in order, and there are 2 to 8"))
        #expect(
            fault { $0[move] = $0[move].replacing("auto=no", with: "auto=no extra=1") }
                == RecordFault(line: move + 1, text: "the server would have written: \(lines[move])"))
        #expect(
            fault { $0.remove(at: move) }?.line == move + 1, "the next move has the wrong number")
        #expect(fault { $0.insert("# a note", at: move) }?.line == move + 1)
        #expect(fault { $0.insert("", at: move) }?.line == move + 1)
        #expect(fault { $0.insert("turn seq=1 turn=1 player=1 seconds=20", at: move) }?.line == move + 1)
        #expect(
            fault { $0.removeSubrange(over...) }
                == RecordFault(
                    line: over + 1, text: "the record ends too early: its last lines are over and its places")
        )
        #expect(
            fault { $0.append("quit") }
                == RecordFault(line: lines.count + 1, text: "the record ends with the places of over"))
        #expect(
            fault { $0[over] = $0[over].replacing("player1won=", with: "player1Won=") }?.line == over + 1)
        #expect(
            fault { $0[over + 1] = $0[over + 1].replacing("rank=", with: "Rank=") }?.line == over + 2)
        #expect(fault { $0[1] = $0[1].replacing("n=1", with: "n=9") }?.line == 2)
    }
}
