import RaceModel
import WireProtocol

/// Frames from a server, which may be anyone's: the first byte of the input says how the rest is cut.
package enum ServerFrames: FuzzTarget {
    package static let name = "server-frames"

    package static func run(_ input: [UInt8]) -> String? {
        let (found, finding) = FrameDecoder<ServerMessage>.decodeTwice(input)
        return finding ?? ServerLines.roundTripFault(found)
    }
}
