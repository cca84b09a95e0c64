import RaceModel

extension SeededGenerator {
    /// True in so many of a thousand cases.
    mutating func chance(_ thousandths: UInt64) -> Bool { self.below(1000) < thousandths }

    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(self.below(UInt64(range.upperBound - range.lowerBound) + 1))
    }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Instant.Span {
        // Microseconds, so that few things happen at the very same moment.
        let low = range.lowerBound * 1000
        return Instant.Span(nanoseconds: Int64(self.within(low...(range.upperBound * 1000))) * 1000)
    }

    /// One of them; there is at least one.
    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[self.within(0...choices.count - 1)]
    }

    /// A generator of its own for a part, so that what one part draws does not change the others.
    mutating func fork() -> SeededGenerator { SeededGenerator(seed: self.next()) }
}
