/// What a person at a terminal presses.
package enum Key: Hashable, Sendable {
    case space
    case letter(UInt8)
    case help
    /// `+` and `-`.
    case plus, minus
    /// The terminal's own end of input (Ctrl-D).
    case end
}

/// Reads single keys from a terminal's bytes; the sequences of arrows and other special keys are passed over.
package struct KeyDecoder: Sendable {
    private enum State { case plain, escape, sequence }
    private var state = State.plain

    package init() {}

    package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { self.take($0) }
    }

    private mutating func take(_ byte: UInt8) -> Key? {
        switch self.state {
        case .escape:
            self.state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .plain
            return nil
        case .sequence:
            if (0x40...0x7E).contains(byte) { self.state = .plain }
            return nil
        case .plain: break
        }
        switch byte {
        case 0x1B:
            self.state = .escape
            return nil
        case UInt8(ascii: " "), 0x0A, 0x0D: return .space
        case UInt8(ascii: "?"): return .help
        case UInt8(ascii: "+"): return .plus
        case UInt8(ascii: "-"): return .minus
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return .letter(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return .letter(byte | 0x20)
        case 0x04: return .end
        default: return nil
        }
    }
}
