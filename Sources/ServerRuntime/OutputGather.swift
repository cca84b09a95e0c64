import RaceModel

/// Sorts the sends of a batch by connection, so that each is written to once. Memory is kept from batch to
/// batch.
struct OutputGather {
    /// A range of the outbox that does not lie behind the one before it, and the next such one of the connection.
    struct Piece {
        var range: Range<Int>
        var next = -1
    }

    /// One connection, with the first of its ranges, mostly the only one, and where the others begin and end.
    struct Touched: Equatable {
        var connection: ConnectionID
        var range: Range<Int>
        var next = -1
        var last = -1
        var isTaken = false
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
        guard let place = self.place(of: connection) else {
            self.places[slot] = Int32(truncatingIfNeeded: self.touched.count)
            return self.touched.append(Touched(connection: connection, range: range))
        }
        let last = self.touched[place].last
        if last < 0, self.touched[place].range.upperBound == range.lowerBound {
            self.touched[place].range = self.touched[place].range.lowerBound..<range.upperBound
        } else if last >= 0, self.pieces[last].range.upperBound == range.lowerBound {
            self.pieces[last].range = self.pieces[last].range.lowerBound..<range.upperBound
        } else {
            let next = self.pieces.count
            self.pieces.append(Piece(range: range))
            self.touched[place].last = next
            if last < 0 { self.touched[place].next = next } else { self.pieces[last].next = next }
        }
    }

    /// What was added for a connection so far, taken out; what is added behind this comes by itself. Nil:
    /// nothing was.
    mutating func take(_ connection: ConnectionID) -> Touched? {
        guard Int(connection.slot) < self.places.count, let place = self.place(of: connection) else {
            return nil
        }
        let touched = self.touched[place]
        self.touched[place].isTaken = true
        return touched
    }

    private func place(of connection: ConnectionID) -> Int? {
        let place = Int(self.places[Int(connection.slot)])
        guard place < self.touched.count, self.touched[place].connection == connection,
            !self.touched[place].isTaken
        else { return nil }
        return place
    }

    mutating func clear() {
        self.touched.removeAll(keepingCapacity: true)
        if !self.pieces.isEmpty { self.pieces.removeAll(keepingCapacity: true) }
    }
}
