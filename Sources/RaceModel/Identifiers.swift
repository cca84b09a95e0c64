// Public and inlinable, where all else is for the package only: the compiler inlines nothing else across modules, and
// other modules compare ids many times a move.

/// Who plays. Given out once, from 1, and never used again.
public struct PlayerID: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var value: UInt64
    @inlinable public init(_ value: UInt64) { self.value = value }
    @inlinable public static func == (left: PlayerID, right: PlayerID) -> Bool { left.value == right.value }
    @inlinable public static func < (left: PlayerID, right: PlayerID) -> Bool { left.value < right.value }
}

/// One race, from the moment its seats are known. Given out once, from 1.
public struct MatchID: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var value: UInt64
    @inlinable public init(_ value: UInt64) { self.value = value }
    @inlinable public static func == (left: MatchID, right: MatchID) -> Bool { left.value == right.value }
    @inlinable public static func < (left: MatchID, right: MatchID) -> Bool { left.value < right.value }
}

/// One invite from one player to another. Given out once, from 1.
public struct InviteID: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var value: UInt64
    @inlinable public init(_ value: UInt64) { self.value = value }
    @inlinable public static func == (left: InviteID, right: InviteID) -> Bool { left.value == right.value }
    @inlinable public static func < (left: InviteID, right: InviteID) -> Bool { left.value < right.value }
}

/// A place at the table, in order of joining: 1...8. Fixed for the whole match.
public struct Seat: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var value: UInt8
    @inlinable public init(_ value: UInt8) { self.value = value }
    @inlinable public init(index: Int) { self.value = UInt8(index + 1) }
    /// 0...7
    @inlinable public var index: Int { Int(self.value) - 1 }
    @inlinable public static func == (left: Seat, right: Seat) -> Bool { left.value == right.value }
    @inlinable public static func < (left: Seat, right: Seat) -> Bool { left.value < right.value }
}

/// A place in the order of play: 1...8, known once the numbers are drawn. 1 is player 1, who begins the race.
public struct PlayerNumber: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var value: UInt8
    @inlinable public init(_ value: UInt8) { self.value = value }
    @inlinable public init(index: Int) { self.value = UInt8(index + 1) }
    /// 0...7
    @inlinable public var index: Int { Int(self.value) - 1 }
    @inlinable public static func == (left: PlayerNumber, right: PlayerNumber) -> Bool {
        left.value == right.value
    }
    @inlinable public static func < (left: PlayerNumber, right: PlayerNumber) -> Bool {
        left.value < right.value
    }
}

/// One connection. The slot is an index into tables and is used again; the generation, from 1, tells its
/// users apart.
public struct ConnectionID: Hashable, Sendable, BitwiseCopyable {
    public var slot: UInt32
    public var generation: UInt32
    @inlinable public init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
    @inlinable public static func == (left: ConnectionID, right: ConnectionID) -> Bool {
        left.slot == right.slot && left.generation == right.generation
    }
}
