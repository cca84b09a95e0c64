package import RaceModel

/// What text lines of a match repeat for people, and binary messages leave out: aliases and the finish. What
/// is not known is left out of the lines.
package struct RosterNames: Hashable, Sendable {
    /// Aliases in order of seats; empty until they are known.
    package private(set) var aliases: [Alias]
    /// Seats in order of play; empty until the numbers are drawn.
    package var order: [Seat]
    /// Where the race ends.
    package let finish: UInt32?

    /// ` of=100`, if the finish is known, and then ` alias=ann` for each seat, quoted where it must be: written once,
    /// sent many times.
    let written: [UInt8]
    private let finishEnd: UInt16
    private let ends: SeatTable<UInt16>

    /// Nothing is known.
    package static let none = RosterNames(aliases: [])

    package init(aliases: [Alias], order: [Seat] = [], finish: UInt32? = nil) {
        self.aliases = aliases
        self.order = order
        self.finish = finish
        var written: [UInt8] = []
        if let finish { written.append(" of=", finish) }
        self.finishEnd = UInt16(written.count)
        var ends = SeatTable<UInt16>(repeating: 0)
        for seat in SeatSet.first(Limits.playersPerMatch) {
            if aliases.indices.contains(seat.index) {
                written.append(" alias=", value: aliases[seat.index].text)
            }
            ends[seat] = UInt16(written.count)
        }
        self.written = written
        self.ends = ends
    }

    package func alias(of seat: Seat) -> Alias? {
        self.aliases.indices.contains(seat.index) ? self.aliases[seat.index] : nil
    }

    package func alias(of player: PlayerNumber) -> Alias? { self.seat(of: player).flatMap(self.alias(of:)) }

    private func seat(of player: PlayerNumber) -> Seat? {
        self.order.indices.contains(player.index) ? self.order[player.index] : nil
    }

    /// ` of=100`, as a range of `written`; empty when it is not known.
    @inline(__always)
    var finishWritten: Range<Int> { 0..<Int(self.finishEnd) }

    /// ` alias=ann`, as a range of `written`; empty for one that is not known.
    @inline(__always)
    func alias(writtenOf seat: Seat) -> Range<Int> {
        let start = seat.index == 0 ? self.finishEnd : self.ends[Seat(index: seat.index - 1)]
        return Int(start)..<Int(self.ends[seat])
    }

    @inline(__always)
    func alias(writtenOf player: PlayerNumber) -> Range<Int> {
        self.seat(of: player).map { self.alias(writtenOf: $0) } ?? 0..<0
    }

    func appendAlias(of seat: Seat, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: self.written[self.alias(writtenOf: seat)])
    }

    func appendAlias(of player: PlayerNumber, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: self.written[self.alias(writtenOf: player)])
    }
}
