import RaceModel
import WireProtocol

/// Lines from clients, telnet's bytes among them: the first byte of the input says how the rest is cut.
package enum ClientLines: FuzzTarget {
    package static let name = "client-lines"

    package static func run(_ input: [UInt8]) -> String? {
        let (found, finding) = LineDecoder.decodeTwice(input)
        if let finding { return finding }
        for case .value(.message(let message)) in found {
            var line: [UInt8] = []
            LineEncoder.append(message, to: &line)
            guard LineDecoder.decode(line[...], pieces: .max) == [.value(.message(message))] else {
                return "\(message) is another message after encoding: \(line)"
            }
            var frame: [UInt8] = []
            BinaryEncoder.append(message, to: &frame)
            guard FrameDecoder<ClientMessage>.decode(frame[...], pieces: .max) == [.value(message)] else {
                return "\(message) is another message as a frame: \(frame)"
            }
        }
        return nil
    }
}
