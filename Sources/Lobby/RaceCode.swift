/// The code of a private race: five syllables, to be read aloud, as in `BALU-KITO-RA`. 80 to the power of
/// five are possible (some 31 bits), so a code cannot be guessed while the race is open.
package struct RaceCode: Hashable, Sendable, CustomStringConvertible {
    /// Ten capital letters, consonant and vowel in turn.
    private let letters: String

    private static let syllables = 5
    /// Without letters that sound like another one of these (C, Q, W, X, Y).
    private static let consonants = Array("BDFGHJKLMNPRSTVZ".utf8)
    private static let vowels = Array("AEIOU".utf8)

    /// Any of all codes, each as likely.
    package init(using generator: inout some RandomNumberGenerator) {
        var bytes: [UInt8] = []
        for _ in 0..<Self.syllables {
            bytes.append(Self.consonants[Self.draw(below: Self.consonants.count, using: &generator)])
            bytes.append(Self.vowels[Self.draw(below: Self.vowels.count, using: &generator)])
        }
        self.letters = String(decoding: bytes, as: UTF8.self)
    }

    /// A code as somebody typed it: in any case, with or without dashes and spaces, and with the digits 0 and
    /// 1 for the letters they look like. Nil when it cannot be one.
    package init?(_ text: String) {
        var bytes: [UInt8] = []
        for byte in text.utf8 where byte != 0x2d && byte != 0x20 {
            let letter = Self.capital(byte)
            let allowed = bytes.count.isMultiple(of: 2) ? Self.consonants : Self.vowels
            guard allowed.contains(letter), bytes.count < 2 * Self.syllables else { return nil }
            bytes.append(letter)
        }
        guard bytes.count == 2 * Self.syllables else { return nil }
        self.letters = String(decoding: bytes, as: UTF8.self)
    }

    /// `BALU-KITO-RA`
    package var description: String {
        let letters = Array(self.letters)
        return "\(String(letters[0..<4]))-\(String(letters[4..<8]))-\(String(letters[8..<10]))"
    }

    private static func capital(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x30: 0x4f
        case 0x31: 0x49
        case 0x61...0x7a: byte - 0x20
        default: byte
        }
    }

    /// Words that would be taken more often than others are skipped.
    private static func draw(below bound: Int, using generator: inout some RandomNumberGenerator) -> Int {
        let bound = UInt64(bound)
        let usable = UInt64.max - UInt64.max % bound
        while true {
            let word = generator.next()
            if word < usable { return Int(word % bound) }
        }
    }
}
