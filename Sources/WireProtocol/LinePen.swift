import RaceModel

/// Writes one line straight into the room that a buffer has made for it. The lines that every move makes are written
/// so: the buffer is asked once, not word by word.
@safe struct LinePen {
    private let room: UnsafeMutableBufferPointer<UInt8>
    fileprivate private(set) var count: Int

    fileprivate init(_ room: UnsafeMutableBufferPointer<UInt8>, from count: Int) {
        unsafe self.room = unsafe room
        self.count = count
    }

    @inline(__always)
    mutating func write(_ word: StaticString) {
        unsafe self.write(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func write(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe self.write($0) }
    }

    @inline(__always)
    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        let end = self.count + bytes.count
        unsafe precondition(end <= self.room.count, "a line is longer than its room")
        guard let source = bytes.baseAddress, let start = unsafe self.room.baseAddress else { return }
        unsafe (start + self.count).update(from: source, count: bytes.count)
        self.count = end
    }

    /// In decimal digits, ten at most.
    @inline(__always)
    mutating func write(_ value: UInt32) {
        var digits = 1
        var bound: UInt64 = 10
        while bound <= UInt64(value) {
            digits += 1
            bound &*= 10
        }
        let end = self.count + digits
        unsafe precondition(end <= self.room.count, "a line is longer than its room")
        var rest = value
        var place = end
        repeat {
            place -= 1
            unsafe self.room[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while place > self.count
        self.count = end
    }
}

extension [UInt8] {
    /// Appends what `body` writes, which is at most so many bytes.
    @inline(__always)
    mutating func appendLine(most: Int, _ body: (inout LinePen) -> Void) {
        self.append(addingCapacity: most) { (output: inout OutputSpan<UInt8>) in
            unsafe output.withUnsafeMutableBufferPointer { room, count in
                var pen = unsafe LinePen(room, from: count)
                body(&pen)
                count = pen.count
            }
        }
    }
}
