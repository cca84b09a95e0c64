import RaceModel

/// Telnet's own bytes between those of the lines (RFC 854): what is no option of ours is refused once (RFC
/// 1143), the rest is skipped.
struct TelnetFilter: Sendable {
    enum Result: Equatable {
        case nothing
        case data(UInt8)
        case eraseCharacter
        case eraseLine
        case reply([UInt8])
        /// A subnegotiation without an end.
        case overlong
    }

    private enum State: Sendable {
        case data, command, subnegotiation, subnegotiationCommand
        case option(UInt8)
    }

    private static let (will, wont, `do`, dont): (UInt8, UInt8, UInt8, UInt8) = (251, 252, 253, 254)
    private static let interpretAsCommand: UInt8 = 255
    private static let timingMark: UInt8 = 6

    private var state = State.data
    private var skipped = 0
    private var refusedWill = OptionSet256()
    private var refusedDo = OptionSet256()

    /// Whether the next byte is telnet's, whatever it is.
    var isInside: Bool {
        if case .data = self.state { return false }
        return true
    }

    /// Takes a byte 255, or any byte while `isInside`.
    mutating func take(_ byte: UInt8) -> Result {
        switch self.state {
        case .data:
            self.state = .command
            return .nothing
        case .command: return self.takeCommand(byte)
        case .option(let verb):
            self.state = .data
            return self.answer(verb, option: byte)
        case .subnegotiation:
            self.skipped += 1
            if byte == Self.interpretAsCommand { self.state = .subnegotiationCommand }
            return self.skipped > Limits.lineBytes ? .overlong : .nothing
        case .subnegotiationCommand:
            self.skipped += 1
            self.state = byte == 240 ? .data : .subnegotiation
            return .nothing
        }
    }

    private mutating func takeCommand(_ byte: UInt8) -> Result {
        self.state = .data
        switch byte {
        case Self.interpretAsCommand: return .data(byte)
        case 247: return .eraseCharacter
        case 248: return .eraseLine
        case 250:
            self.skipped = 0
            self.state = .subnegotiation
            return .nothing
        case Self.will...Self.dont:
            self.state = .option(byte)
            return .nothing
        default: return .nothing
        }
    }

    /// All options are off on both sides, so WONT and DONT change nothing and are not answered. A timing mark
    /// is no option: after Ctrl-C, telnet shows nothing until its mark is answered, each time.
    private mutating func answer(_ verb: UInt8, option: UInt8) -> Result {
        switch verb {
        case Self.will:
            return self.refusedWill.insert(option)
                ? .reply([Self.interpretAsCommand, Self.dont, option]) : .nothing
        case Self.do:
            return self.refusedDo.insert(option) || option == Self.timingMark
                ? .reply([Self.interpretAsCommand, Self.wont, option]) : .nothing
        default: return .nothing
        }
    }
}

/// A set of bytes.
private struct OptionSet256: Sendable {
    private var words: InlineArray<4, UInt64> = InlineArray(repeating: 0)

    /// Whether it is new.
    mutating func insert(_ option: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(option & 63)
        let word = Int(option >> 6)
        let isNew = self.words[word] & bit == 0
        self.words[word] |= bit
        return isNew
    }
}
