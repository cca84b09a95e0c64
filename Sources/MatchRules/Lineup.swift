public import RaceModel

/// Who is which player, settled by the draw. Public and inlinable for the same reason as the identifiers.
public struct Lineup: Hashable, Sendable, BitwiseCopyable {
    /// 2...8
    public let count: UInt8
    // One byte a place, so that an effect that carries a lineup stays small.
    @usableFromInline var seats: UInt64 = 0
    @usableFromInline var players: UInt64 = 0

    /// Seats in order of play, each once.
    public init(_ order: some Collection<Seat>) {
        self.count = UInt8(order.count)
        for (index, seat) in order.enumerated() {
            self.seats |= UInt64(seat.value) << (8 * UInt64(index))
            self.players |= UInt64(index + 1) << (8 * UInt64(seat.index))
        }
    }

    @inlinable public func seat(of player: PlayerNumber) -> Seat {
        Seat(UInt8(truncatingIfNeeded: self.seats >> (8 * UInt64(player.index))))
    }

    @inlinable public func player(at seat: Seat) -> PlayerNumber {
        PlayerNumber(UInt8(truncatingIfNeeded: self.players >> (8 * UInt64(seat.index))))
    }

    /// In order of play.
    public var order: [Seat] { (0..<Int(self.count)).map { self.seat(of: PlayerNumber(index: $0)) } }
}
