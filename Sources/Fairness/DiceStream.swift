package import RaceModel

/// The rolls of one match, in order: blocks SHA-256(key ‖ counter) for counters from 0, eight words each, one
/// word a roll. One hash serves eight rolls, and a roll allocates nothing.
package struct DiceStream: Hashable, Sendable {
    package let key: Bytes32
    private var block = Bytes32.zero
    /// The counter of the next block, u32 on paper.
    private var counter: UInt32 = 0
    /// Words of the block that are used up: 0...8.
    private var used: UInt8 = 8

    package init(key: Bytes32) { self.key = key }

    /// The next roll: 1...6, each equally likely.
    package mutating func roll() -> UInt8 {
        while true {
            if let face = Self.face(of: self.nextWord()) { return face }
        }
    }

    /// The roll that a word of a block gives. Nil for the four highest words: with them the faces 1 to 4
    /// would come up more often than 5 and 6.
    package static func face(of word: UInt32) -> UInt8? {
        word < 4_294_967_292 ? UInt8(truncatingIfNeeded: word % 6) + 1 : nil
    }

    private mutating func nextWord() -> UInt32 {
        if self.used == 8 {
            self.block = self.makeBlock()
            self.counter &+= 1
            self.used = 0
        }
        let index = Int(self.used)
        self.used += 1
        let pair =
            switch index / 2 {
            case 0: self.block.words.0
            case 1: self.block.words.1
            case 2: self.block.words.2
            default: self.block.words.3
            }
        return UInt32(truncatingIfNeeded: index % 2 == 0 ? pair >> 32 : pair)
    }

    private func makeBlock() -> Bytes32 {
        var message = InlineArray<36, UInt8>(repeating: 0)
        let words: InlineArray<4, UInt64> = [
            self.key.words.0, self.key.words.1, self.key.words.2, self.key.words.3,
        ]
        for word in 0..<4 {
            for index in 0..<8 {
                message[8 * word + index] = UInt8(truncatingIfNeeded: words[word] >> UInt64(56 - 8 * index))
            }
        }
        for index in 0..<4 {
            message[32 + index] = UInt8(truncatingIfNeeded: self.counter >> UInt32(24 - 8 * index))
        }
        return Digest.sha256(message.span)
    }
}
