package import RaceModel

/// What text lines of a match repeat for people, and binary messages leave out: aliases and the finish. What
/// is not known is left out of the lines.
package struct RosterNames: Hashable, Sendable {
    /// Aliases in order of seats; empty until they are known.
    package private(set) var aliases: [Alias]
    /// Seats in order of play; empty until the numbers are drawn.
    package var order: [Seat]
    /// Where the race ends.
    package var finish: UInt32?

    /// ` alias=ann` for each seat, quoted where it must be: written once, sent many times.
    private let written: [[UInt8]]

    /// Nothing is known.
    package static let none = RosterNames(aliases: [])

    package init(aliases: [Alias], order: [Seat] = [], finish: UInt32? = nil) {
        self.aliases = aliases
        self.order = order
        self.finish = finish
        self.written = aliases.map { alias in
            var bytes: [UInt8] = []
            bytes.append(" alias=", value: alias.text)
            return bytes
        }
    }

    package func alias(of seat: Seat) -> Alias? {
        self.aliases.indices.contains(seat.index) ? self.aliases[seat.index] : nil
    }

    package func alias(of player: PlayerNumber) -> Alias? { self.seat(of: player).flatMap(self.alias(of:)) }

    private func seat(of player: PlayerNumber) -> Seat? {
        self.order.indices.contains(player.index) ? self.order[player.index] : nil
    }

    func appendAlias(of seat: Seat, to buffer: inout [UInt8]) {
        guard self.written.indices.contains(seat.index) else { return }
        buffer.append(contentsOf: self.written[seat.index])
    }

    func appendAlias(of player: PlayerNumber, to buffer: inout [UInt8]) {
        guard let seat = self.seat(of: player) else { return }
        self.appendAlias(of: seat, to: &buffer)
    }
}
