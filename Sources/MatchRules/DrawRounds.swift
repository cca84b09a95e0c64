package import RaceModel

/// The draw: rounds of numbers, until every seat has a place of its own.
///
/// Equal numbers are drawn again by the tied alone, and settle the places they share. The tied draw three
/// rounds themselves, the server draws for them from then on, and after eight rounds the lower seat goes
/// first.
package struct DrawRounds: Hashable, Sendable {
    package private(set) var round: UInt8 = 1
    /// Who draws in this round.
    package private(set) var drawing: SeatSet
    /// Whose number of this round is in.
    package private(set) var received = SeatSet()
    /// Whose number of this round the server drew.
    package private(set) var byServer = SeatSet()
    private let count: UInt8
    /// Each seat's latest number. Once the draw is settled these are the final numbers, which go into the
    /// dice.
    private var numbers = SeatTable<UInt32>(repeating: 0)
    /// How many seats are ahead for certain; the tied share a value.
    private var places = SeatTable<UInt8>(repeating: 0)

    package init(count: UInt8) {
        self.count = count
        self.drawing = .first(Int(count))
    }

    package var isComplete: Bool { self.received == self.drawing }

    package func number(of seat: Seat) -> UInt32 { self.numbers[seat] }

    mutating func take(_ number: UInt32, of seat: Seat, byServer: Bool) {
        self.numbers[seat] = number
        self.received.insert(seat)
        if byServer { self.byServer.insert(seat) }
    }

    /// Ranks this round, which is complete, and opens the next among those still tied. The lineup, once
    /// nobody is.
    mutating func settle(rank: (UInt32, Seat) -> UInt32) -> Lineup? {
        var ranks = SeatTable<UInt32>(repeating: 0)
        for seat in self.drawing { ranks[seat] = rank(self.numbers[seat], seat) }
        let before = self.places
        for seat in self.drawing {
            for other in self.drawing where before[other] == before[seat] && ranks[other] > ranks[seat] {
                self.places[seat] += 1
            }
        }
        if self.round == Limits.drawRounds { self.separateBySeat() }
        var tied = SeatSet()
        for seat in self.drawing {
            for other in self.drawing where other != seat && self.places[other] == self.places[seat] {
                tied.insert(seat)
            }
        }
        guard tied.isEmpty else {
            self.round += 1
            self.drawing = tied
            self.received = SeatSet()
            self.byServer = SeatSet()
            return nil
        }
        return Lineup(SeatSet.first(Int(self.count)).sorted { self.places[$0] < self.places[$1] })
    }

    private mutating func separateBySeat() {
        let shared = self.places
        for seat in self.drawing {
            for other in self.drawing where other < seat && shared[other] == shared[seat] {
                self.places[seat] += 1
            }
        }
    }
}
