import Fairness
import RaceModel
import Testing

struct DiceStreamTests {
    @Test func `words that would bias the die are skipped, and no others`() {
        #expect(DiceStream.face(of: 0) == 1)
        #expect(DiceStream.face(of: 5) == 6)
        #expect(DiceStream.face(of: 6) == 1)
        #expect(DiceStream.face(of: 4_294_967_291) == 6)
        for word: UInt32 in 4_294_967_292...4_294_967_295 { #expect(DiceStream.face(of: word) == nil) }
    }

    /// Goal: no face is favoured. Method: 60,000 rolls of one fixed nonce; chi squared with five degrees of
    /// freedom stays below 20.5 in 999 of 1000 fair series, and the series here is always the same one.
    @Test func `every face comes up equally often`() {
        var generator = SeededGenerator(seed: 7223)
        let nonce = Bytes32(
            words: (generator.next(), generator.next(), generator.next(), generator.next()))
        var dice = SealedNonce(nonce: nonce).dice(numbers: [1, 2])
        var counts = [Int](repeating: 0, count: 6)
        for _ in 0..<60_000 { counts[Int(dice.roll()) - 1] += 1 }
        let chiSquared = counts.reduce(0.0) { $0 + Double(($1 - 10_000) * ($1 - 10_000)) / 10_000 }
        #expect(chiSquared < 20.5, "\(counts)")
    }

    /// Goal: a sealed draw gives the one who always sends the maximum no more than an even chance.
    /// Method: 20,000 two-player draws with nonces of one seed; the other number is as fixed as the first.
    @Test func `sending the maximum wins half of the sealed draws`() {
        var generator = SeededGenerator(seed: 45)
        var firsts = 0
        for _ in 0..<20_000 {
            let nonce = Bytes32(
                words: (generator.next(), generator.next(), generator.next(), generator.next()))
            let sealed = SealedNonce(nonce: nonce)
            let maximum = sealed.rank(of: .max, round: 1, seat: Seat(1), draw: .sealed)
            if maximum > sealed.rank(of: 5, round: 1, seat: Seat(2), draw: .sealed) { firsts += 1 }
        }
        // Five standard deviations of 71 around the even share.
        #expect((9_645...10_355).contains(firsts), "\(firsts)")
    }

    @Test func `a copy of the dice goes on where the original was`() {
        var dice = DiceStream(key: Bytes32(words: (1, 2, 3, 4)))
        for _ in 0..<11 { _ = dice.roll() }
        var copy = dice
        #expect((0..<30).map { _ in dice.roll() } == (0..<30).map { _ in copy.roll() })
        #expect(dice == copy)
    }
}
