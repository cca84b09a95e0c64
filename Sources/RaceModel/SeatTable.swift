/// One value for each of the eight possible places, held in line: copying a match allocates nothing.
///
/// Public and inlinable, like the sets below: otherwise other modules go through its unspecialised form, several times
/// a move.
public struct SeatTable<Element: Hashable & Sendable & BitwiseCopyable>: Hashable, Sendable {
    @usableFromInline var storage: InlineArray<8, Element>

    @inlinable public init(repeating value: Element) { self.storage = InlineArray(repeating: value) }

    @inlinable public subscript(seat: Seat) -> Element {
        get { self.storage[seat.index] }
        set { self.storage[seat.index] = newValue }
    }

    @inlinable public subscript(player: PlayerNumber) -> Element {
        get { self.storage[player.index] }
        set { self.storage[player.index] = newValue }
    }

    @inlinable public static func == (left: Self, right: Self) -> Bool {
        for index in 0..<8 where left.storage[index] != right.storage[index] { return false }
        return true
    }

    @inlinable public func hash(into hasher: inout Hasher) {
        for index in 0..<8 { hasher.combine(self.storage[index]) }
    }
}

/// A set of seats, one bit each.
public struct SeatSet: Hashable, Sendable, BitwiseCopyable, Sequence {
    public var bits: UInt8

    @inlinable public init() { self.bits = 0 }
    @inlinable public init(bits: UInt8) { self.bits = bits }
    @inlinable public init(_ seats: some Sequence<Seat>) {
        self.bits = 0
        for seat in seats { self.insert(seat) }
    }

    /// Seats 1...count.
    @inlinable public static func first(_ count: Int) -> SeatSet { SeatSet(bits: UInt8((1 << count) - 1)) }

    @inlinable public var count: Int { self.bits.nonzeroBitCount }
    @inlinable public var isEmpty: Bool { self.bits == 0 }
    @inlinable public func contains(_ seat: Seat) -> Bool { self.bits & (1 << seat.index) != 0 }
    @inlinable public mutating func insert(_ seat: Seat) { self.bits |= 1 << seat.index }
    @inlinable public mutating func remove(_ seat: Seat) { self.bits &= ~(1 << seat.index) }
    @inlinable public func subtracting(_ other: SeatSet) -> SeatSet { SeatSet(bits: self.bits & ~other.bits) }
    @inlinable public func isSuperset(of other: SeatSet) -> Bool { other.bits & ~self.bits == 0 }

    /// In order of seats, lowest first.
    @inlinable public func makeIterator() -> Iterator { Iterator(bits: self.bits) }

    public struct Iterator: IteratorProtocol {
        @usableFromInline var bits: UInt8
        @inlinable init(bits: UInt8) { self.bits = bits }
        @inlinable public mutating func next() -> Seat? {
            guard self.bits != 0 else { return nil }
            let index = self.bits.trailingZeroBitCount
            self.bits &= self.bits - 1
            return Seat(index: index)
        }
    }
}
