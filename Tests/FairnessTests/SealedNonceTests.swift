import Fairness
import RaceModel
import Testing

/// The values come from Python's hashlib; those of `counting` are the worked example of the manual.
struct SealedNonceTests {
    static let counting = Bytes32(Array(0..<32))
    static let ones = Bytes32([UInt8](repeating: 0xff, count: 32))

    @Test func `the seal is the SHA-256 of the nonce`() throws {
        #expect(
            hex(SealedNonce(nonce: try #require(Self.counting)).seal)
                == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd")
        #expect(
            hex(SealedNonce(nonce: try #require(Self.ones)).seal)
                == "af9613760f72635fbdb44a5a0a63c39f12af30f950a6ee5c971be188e89c4051")
    }

    @Test func `masks and drawn numbers follow the formula for each round and seat`() throws {
        let rows: [(round: UInt8, seat: UInt8, mask: UInt32, drawn: UInt32)] = [
            (1, 1, 3_555_378_929, 4_072_354_236), (1, 2, 1_690_615_318, 779_407_771),
            (1, 8, 175_091_222, 3_287_804_971), (2, 1, 2_285_271_000, 1_903_299_440),
            (2, 2, 4_156_049_017, 2_258_827_545), (2, 8, 548_205_143, 2_800_823_147),
            (8, 1, 2_331_834_139, 3_602_235_311), (8, 2, 296_083_070, 2_770_402_938),
            (8, 8, 1_425_471_853, 911_118_776),
        ]
        let sealed = SealedNonce(nonce: try #require(Self.counting))
        for row in rows {
            #expect(sealed.mask(round: row.round, seat: Seat(row.seat)) == row.mask)
            #expect(sealed.drawnNumber(round: row.round, seat: Seat(row.seat)) == row.drawn)
        }
    }

    @Test func `the number itself ranks in draw highest, the masked number in draw sealed`() throws {
        let sealed = SealedNonce(nonce: try #require(Self.counting))
        #expect(sealed.rank(of: 99, round: 1, seat: Seat(2), draw: .highest) == 99)
        #expect(sealed.rank(of: 99, round: 1, seat: Seat(2), draw: .sealed) == 99 ^ 1_690_615_318)
    }

    @Test func `the first dice of two known matches are right`() throws {
        var two = SealedNonce(nonce: try #require(Self.counting)).dice(numbers: [1_189_998_819, 99])
        #expect(hex(two.key) == "f38e3c54ea1625f495d5a66bab3fdf8995dbd31f1b736eaa78a7eec9a41771aa")
        #expect(
            (0..<24).map { _ in two.roll() } == [
                2, 1, 3, 5, 6, 1, 3, 4, 3, 5, 2, 3, 4, 3, 5, 4, 3, 5, 2, 2, 2, 5, 2, 4,
            ])

        let numbers: [UInt32] = [0, 4_294_967_295, 7, 7, 1, 2, 3, 4_294_967_294]
        var eight = SealedNonce(nonce: try #require(Self.ones)).dice(numbers: numbers)
        #expect(hex(eight.key) == "6f21632871a484aa667b563e6a736a10ea78dda5030253d4bc8c528a85f33ce5")
        #expect(
            (0..<24).map { _ in eight.roll() } == [
                3, 1, 2, 5, 3, 1, 4, 6, 2, 6, 3, 2, 1, 1, 2, 2, 3, 4, 2, 4, 2, 2, 2, 6,
            ])
    }

    @Test func `the order of the numbers matters to the dice`() throws {
        let sealed = SealedNonce(nonce: try #require(Self.counting))
        #expect(sealed.dice(numbers: [1, 2]).key != sealed.dice(numbers: [2, 1]).key)
    }
}
