import WireProtocol

/// Frames from clients: the first byte of the input says how the rest is cut.
package enum ClientFrames: FuzzTarget {
    package static let name = "client-frames"

    package static func run(_ input: [UInt8]) -> String? {
        let (found, finding) = FrameDecoder<ClientMessage>.decodeTwice(input)
        if let finding { return finding }
        for case .value(let message) in found {
            var frame: [UInt8] = []
            BinaryEncoder.append(message, to: &frame)
            guard FrameDecoder<ClientMessage>.decode(frame[...], pieces: .max) == [.value(message)] else {
                return "\(message) is another message after encoding: \(frame)"
            }
            // Frames carry what no line can: the line must be in order, but need not mean the same.
            var line: [UInt8] = []
            LineEncoder.append(message, to: &line)
            if let fault = Self.fault(of: line) { return "\(message) is written as \(line): \(fault)" }
        }
        return nil
    }

    private static func fault(of line: [UInt8]) -> String? {
        guard line.last == 0x0A, String(validating: line, as: UTF8.self) != nil else { return "no line" }
        return line.dropLast().contains { $0 < 0x20 || $0 == 0x7F } && !line.dropLast().contains(0x0A)
            ? "a control byte" : nil
    }
}
