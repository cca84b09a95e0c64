/// xoshiro256** by Blackman and Vigna, seeded through SplitMix64: one seed gives one sequence, on every
/// machine and with every version of the standard library. For tests, simulations and `--seed`; never for
/// secrets.
package struct SeededGenerator: RandomNumberGenerator, Sendable, Hashable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        var mixer = seed
        func next() -> UInt64 {
            mixer &+= 0x9E37_79B9_7F4A_7C15
            var z = mixer
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        self.state = (next(), next(), next(), next())
    }

    package mutating func next() -> UInt64 {
        func rotate(_ value: UInt64, _ by: UInt64) -> UInt64 { value << by | value >> (64 - by) }
        let result = rotate(self.state.1 &* 5, 7) &* 9
        let shifted = self.state.1 << 17
        self.state.2 ^= self.state.0
        self.state.3 ^= self.state.1
        self.state.1 ^= self.state.2
        self.state.0 ^= self.state.3
        self.state.2 ^= shifted
        self.state.3 = rotate(self.state.3, 45)
        return result
    }

    /// Evenly among 0..<bound, by rejection. Bound is at least 1.
    package mutating func below(_ bound: UInt64) -> UInt64 {
        precondition(bound > 0)
        let usable = UInt64.max - UInt64.max % bound
        while true {
            let word = self.next()
            if word < usable { return word % bound }
        }
    }

    package static func == (left: Self, right: Self) -> Bool { left.state == right.state }
    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.state.0)
        hasher.combine(self.state.1)
        hasher.combine(self.state.2)
        hasher.combine(self.state.3)
    }
}
