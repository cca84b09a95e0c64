import RaceModel
import WireProtocol

/// Lines from a server, which may be anyone's: the first byte of the input says how the rest is cut.
package enum ServerLines: FuzzTarget {
    package static let name = "server-lines"

    package static func run(_ input: [UInt8]) -> String? {
        let (found, finding) = ServerLineDecoder.decodeTwice(input)
        return finding ?? Self.roundTripFault(found)
    }

    /// What was read must be the same again from both its forms.
    static func roundTripFault(_ found: [Decoded<ServerMessage>]) -> String? {
        for case .value(let message) in found {
            var frame: [UInt8] = []
            BinaryEncoder.append(message, to: &frame)
            guard FrameDecoder<ServerMessage>.decode(frame[...], pieces: .max) == [.value(message)] else {
                return "\(message) is another message as a frame: \(frame)"
            }
            var line: [UInt8] = []
            LineEncoder.append(message, names: .none, to: &line)
            guard ServerLineDecoder.decode(line[...], pieces: .max) == [.value(message)] else {
                return "\(message) is another message as lines: \(String(decoding: line, as: UTF8.self))"
            }
        }
        return nil
    }
}
