import RaceModel

/// Writes a piece straight into the room that a buffer has made for it. The frames and lines of every move are written
/// so: the buffer is asked once, not word by word.
@safe struct BytePen {
    fileprivate private(set) var next: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>

    /// - Parameter room: of some bytes at least.
    fileprivate init?(_ room: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = room.baseAddress else { return nil }
        unsafe self.next = unsafe start
        unsafe self.end = unsafe start + room.count
    }

    @inline(__always)
    mutating func write(_ word: StaticString) {
        unsafe self.write(word.utf8Start, word.utf8CodeUnitCount)
    }

    @inline(__always)
    mutating func write(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer {
            if let start = $0.baseAddress { unsafe self.write(start, $0.count) }
        }
    }

    @inline(__always)
    private mutating func write(_ start: UnsafePointer<UInt8>, _ count: Int) {
        self.need(count)
        unsafe self.next.update(from: start, count: count)
        unsafe self.next += count
    }

    /// In decimal digits, ten at most.
    @inline(__always)
    mutating func write(_ value: UInt32) {
        let digits = Self.digits(of: value)
        self.need(digits)
        unsafe self.next += digits
        var place = unsafe self.next
        var rest = value
        // Two digits a division.
        while rest >= 100 {
            let pair = rest % 100
            rest /= 100
            unsafe place -= 2
            unsafe place[0] = UInt8(truncatingIfNeeded: 48 &+ pair / 10)
            unsafe place[1] = UInt8(truncatingIfNeeded: 48 &+ pair % 10)
        }
        if rest >= 10 { unsafe place[-2] = UInt8(truncatingIfNeeded: 48 &+ rest / 10) }
        unsafe place[-1] = UInt8(truncatingIfNeeded: 48 &+ rest % 10)
    }

    @inline(__always)
    private func need(_ count: Int) {
        unsafe precondition(count <= self.end - self.next, "more is written than there is room for")
    }

    @inline(__always)
    private static func digits(of value: UInt32) -> Int {
        if value < 10_000 { return value < 100 ? (value < 10 ? 1 : 2) : (value < 1000 ? 3 : 4) }
        if value < 1_000_000 { return value < 100_000 ? 5 : 6 }
        if value < 100_000_000 { return value < 10_000_000 ? 7 : 8 }
        return value < 1_000_000_000 ? 9 : 10
    }
}

extension [UInt8] {
    /// Appends what `body` writes, which is at most so many bytes. (It gives the pen back, so that it need not lie in
    /// memory.)
    @inline(__always)
    mutating func appendPiece(most: Int, _ body: (BytePen) -> BytePen) {
        self.append(addingCapacity: most) { (output: inout OutputSpan<UInt8>) in
            unsafe output.withUnsafeMutableBufferPointer { room, count in
                guard let pen = unsafe BytePen(UnsafeMutableBufferPointer(rebasing: room[count...])) else {
                    return
                }
                let start = unsafe pen.next
                let end = body(pen)
                unsafe count += end.next - start
            }
        }
    }
}
