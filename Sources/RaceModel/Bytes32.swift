/// Thirty-two bytes: a nonce, a seal, a digest. Four big-endian words, so that copying allocates nothing.
package struct Bytes32: Hashable, Sendable, BitwiseCopyable {
    package var words: (UInt64, UInt64, UInt64, UInt64)

    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    package static let zero = Bytes32(words: (0, 0, 0, 0))

    /// Nil unless there are exactly 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (offset, byte) in bytes.enumerated() { words[offset / 8] = words[offset / 8] << 8 | UInt64(byte) }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// Byte `index` of 32, in the order they are written and hashed.
    package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < 32)
        let word =
            switch index / 8 {
            case 0: self.words.0
            case 1: self.words.1
            case 2: self.words.2
            default: self.words.3
            }
        return UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8)))
    }

    package var bytes: [UInt8] { (0..<32).map { self[$0] } }

    package static func == (left: Bytes32, right: Bytes32) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.words.0)
        hasher.combine(self.words.1)
        hasher.combine(self.words.2)
        hasher.combine(self.words.3)
    }
}

/// The secret that makes a player themselves again on another connection: 128 random bits, shown once.
package struct PlayerKey: Sendable, BitwiseCopyable, Hashable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
