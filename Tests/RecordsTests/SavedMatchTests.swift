import Fairness
import RaceModel
import Records
import Testing
import WireProtocol

/// The form in which a store keeps a race between two servers.
struct SavedMatchTests {
    /// Of every size and rule; with and without bots, holders, hidden numbers and events.
    private static let matches: [SavedMatch] = (0..<60).map { (seed: Int) -> SavedMatch in
        let record = PlayedRace.record(
            seed: UInt64(seed), players: 2 + seed % 7, bots: seed % 2,
            settings: RaceSettings(
                rule: seed % 2 == 0 ? .turns : .dash, draw: seed % 5 == 0 ? .sealed : .highest, finish: 12),
            isWild: seed % 3 == 0, match: UInt64(seed + 1))
        let stage = seed % 4
        return SavedMatch(
            found: record.found,
            request: RaceRequest(
                minimum: 2, maximum: 8, settings: record.found.settings, group: UInt32(seed),
                bots: UInt8(seed % 2)),
            nonce: record.over.nonce,
            holders: record.found.seats.map { entry in
                guard entry.player.value > 0, (Int(entry.seat.value) + seed) % 5 > 0 else { return nil }
                return SavedMatch.Holder(
                    keyDigest: Bytes32(words: (entry.player.value, 1, 2, 3)), hasRaced: seed % 3 == 0)
            },
            numbers: stage > 0 ? record.numbers : [], hidden: stage == 1 ? [record.numbers[0]] : [],
            hasBegun: stage == 3, events: stage == 3 ? record.events ?? RaceLog() : RaceLog())
    }

    @Test func `a saved match is the same behind its bytes`() throws {
        for match in Self.matches { #expect(try SavedMatch(bytes: match.bytes) == match) }
        #expect(
            Self.matches.contains { $0.events.count > 20 } && Self.matches.contains { !$0.hidden.isEmpty })
    }

    @Test func `cut short before its events it is none, and behind that a shorter one`() throws {
        for match in Self.matches {
            let bytes = match.bytes
            let whole = bytes.count - match.events.count
            for count in 0..<whole {
                #expect(throws: RecordFault.self, "cut to \(count)") {
                    try SavedMatch(bytes: Array(bytes[..<count]))
                }
            }
            for count in whole...bytes.count {
                let shorter = try SavedMatch(bytes: Array(bytes[..<count]))
                #expect(shorter.events.count == count - whole && shorter.found == match.found)
            }
        }
    }

    @Test func `every changed byte is refused, or makes another saved match of the same form`() {
        var (refused, others) = (0, 0)
        for match in Self.matches.prefix(12) {
            let bytes = match.bytes
            for place in bytes.indices {
                for bit in [0, 3, 7] {
                    var changed = bytes
                    changed[place] ^= 1 << bit
                    guard let other = try? SavedMatch(bytes: changed) else {
                        refused += 1
                        continue
                    }
                    #expect(other != match && other.bytes == changed, "byte \(place) bit \(bit)")
                    others += 1
                }
            }
        }
        #expect(refused > 1000 && others > 1000, "\(refused) refused, \(others) others")
    }

    @Test func `bytes behind what a race can have are refused`() {
        let match = Self.matches[3]
        #expect(throws: RecordFault.self) { try SavedMatch(bytes: match.bytes + [0xFF]) }
        let turns = [UInt8](repeating: 0, count: Limits.loggedEvents)
        #expect(throws: RecordFault.self) { try SavedMatch(bytes: match.bytes + turns) }
        #expect(throws: RecordFault.self) { try SavedMatch(bytes: [2] + match.bytes.dropFirst()) }
    }
}
