import RaceModel

/// Sorts the sends of a batch by connection, so that each is written to once. Memory is kept from batch to
/// batch.
struct OutputGather {
    /// A range of the outbox, and the next one for the same connection.
    struct Piece {
        var range: Range<Int>
        var next: Int
    }

    /// One connection, with the first and last of its pieces; negative: they were taken.
    struct Touched: Equatable {
        var connection: ConnectionID
        var first: Int
        var last: Int
    }

    private(set) var touched: [Touched] = []
    private(set) var pieces: [Piece] = []
    /// By slot, where in `touched` it is; right only if the connection there is the one asked for, so it is
    /// never cleared.
    private var places: [Int32] = []

    mutating func add(_ connection: ConnectionID, _ range: Range<Int>) {
        let slot = Int(connection.slot)
        if slot >= self.places.count {
            self.places.append(contentsOf: repeatElement(0, count: max(slot + 1, 64) * 2 - self.places.count))
        }
        let place = Int(self.places[slot])
        guard place < self.touched.count, self.touched[place].connection == connection,
            self.touched[place].first >= 0
        else {
            self.places[slot] = Int32(self.touched.count)
            self.touched.append(
                Touched(connection: connection, first: self.pieces.count, last: self.pieces.count))
            self.pieces.append(Piece(range: range, next: -1))
            return
        }
        let last = self.touched[place].last
        guard self.pieces[last].range.upperBound != range.lowerBound else {
            self.pieces[last].range = self.pieces[last].range.lowerBound..<range.upperBound
            return
        }
        self.pieces[last].next = self.pieces.count
        self.touched[place].last = self.pieces.count
        self.pieces.append(Piece(range: range, next: -1))
    }

    /// What was added for a connection so far, taken out; what is added behind this comes by itself. Nil:
    /// nothing was.
    mutating func take(_ connection: ConnectionID) -> Touched? {
        let slot = Int(connection.slot)
        guard slot < self.places.count else { return nil }
        let place = Int(self.places[slot])
        guard place < self.touched.count, self.touched[place].connection == connection,
            self.touched[place].first >= 0
        else { return nil }
        defer { self.touched[place].first = -1 }
        return self.touched[place]
    }

    mutating func clear() {
        self.touched.removeAll(keepingCapacity: true)
        self.pieces.removeAll(keepingCapacity: true)
    }
}
