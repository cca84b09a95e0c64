/// Different elements in ascending order, in pieces of limited length: a change moves one piece, and a place is
/// found by counting pieces.
struct SortedList<Element: Comparable & Sendable>: Sendable {
    private static var pieceCount: Int { 512 }

    /// None is empty.
    private var pieces: [[Element]] = []
    private(set) var count = 0

    mutating func insert(_ element: Element) {
        self.count += 1
        guard !self.pieces.isEmpty else { return self.pieces.append([element]) }
        let piece = self.piece(of: element)
        let index = Self.index(of: element, in: self.pieces[piece])
        self.pieces[piece].insert(element, at: index)
        if self.pieces[piece].count > Self.pieceCount {
            let half = Array(self.pieces[piece][(Self.pieceCount / 2)...])
            self.pieces[piece].removeLast(half.count)
            self.pieces.insert(half, at: piece + 1)
        }
    }

    /// Nothing when it is not there.
    mutating func remove(_ element: Element) {
        guard !self.pieces.isEmpty else { return }
        let piece = self.piece(of: element)
        let index = Self.index(of: element, in: self.pieces[piece])
        guard index < self.pieces[piece].count, self.pieces[piece][index] == element else { return }
        self.count -= 1
        self.pieces[piece].remove(at: index)
        if self.pieces[piece].isEmpty { self.pieces.remove(at: piece) }
    }

    /// How many stand before this one, whether it is there or not.
    func count(before element: Element) -> Int {
        guard !self.pieces.isEmpty else { return 0 }
        let piece = self.piece(of: element)
        return self.pieces[..<piece].reduce(0) { $0 + $1.count }
            + Self.index(of: element, in: self.pieces[piece])
    }

    /// At most `limit` elements from place `start` on, which counts from 0.
    func elements(from start: Int, limit: Int) -> [Element] {
        var (skipped, found): (Int, [Element]) = (start, [])
        for piece in self.pieces {
            if skipped >= piece.count {
                skipped -= piece.count
                continue
            }
            found += piece[skipped...].prefix(limit - found.count)
            skipped = 0
            if found.count == limit { break }
        }
        return found
    }

    /// The last piece whose first element is not behind this one.
    private func piece(of element: Element) -> Int {
        var (low, high) = (0, self.pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if element < self.pieces[middle][0] { high = middle - 1 } else { low = middle }
        }
        return low
    }

    /// Of the first element that is not before this one.
    private static func index(of element: Element, in piece: [Element]) -> Int {
        var (low, high) = (0, piece.count)
        while low < high {
            let middle = (low + high) / 2
            if piece[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
