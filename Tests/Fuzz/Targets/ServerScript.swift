import RaceModel
import ServerCore

/// The whole server without sockets. The input is a script: of each step the lower three bits of the first
/// byte say what happens, the next three to which of eight peers.
///
/// | bits | what |
/// |---|---|
/// | 0 | it connects, or is cut and connects again |
/// | 1 | it is gone: a byte says how |
/// | 2 | it sends no more |
/// | 3 | time passes: a byte, whose square is milliseconds |
/// | 4 | its bytes: a count, and so many bytes |
/// | 5 | its line: up to LF; 01 in it stands for the key told last, 02 for the code of a private race |
/// | 6 | the store answers: a byte picks the request, from 128 on by `unavailable` |
/// | 7 | a byte says: it reads no more, it reads again, a deadline too early, the preface, or a frame of the \
/// type and with the body behind it |
package enum ServerScript: FuzzTarget {
    package static let name = "server"

    package static func run(_ input: [UInt8]) -> String? {
        var rest = input[...]
        var peers = ServerPeers()
        while peers.finding == nil, let first = rest.popFirst() {
            Self.step(first & 7, peer: Int(first >> 3 & 7), &rest, &peers)
        }
        if peers.finding == nil { peers.end() }
        return peers.finding
    }

    private static func step(
        _ kind: UInt8, peer: Int, _ rest: inout ArraySlice<UInt8>, _ peers: inout ServerPeers
    ) {
        switch kind {
        case 0: peers.connect(peer)
        case 1: peers.disconnect(peer, [.reset, .closed, .slowReader][Int(rest.popFirst() ?? 0) % 3])
        case 2: peers.endInput(peer)
        case 3:
            let time = Int64(rest.popFirst() ?? 0)
            peers.pass(milliseconds: time * time)
        case 4: peers.send(Self.take(Int(rest.popFirst() ?? 0), from: &rest), peer)
        case 5:
            let line = Self.take(rest.firstIndex(of: 0x0A).map { $0 - rest.startIndex + 1 } ?? 0, from: &rest)
            peers.send(peers.filledIn(line), peer)
        case 6: peers.answer(Int(rest.popFirst() ?? 0))
        default:
            switch (rest.popFirst() ?? 0) % 8 {
            case 0: peers.setBackedUp(true, peer)
            case 1: peers.setBackedUp(false, peer)
            case 2: peers.handle(.deadlinePassed)
            case 3: peers.send([0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 1], peer)
            default:
                let type = rest.popFirst() ?? 0
                let body = Self.take(Int(rest.popFirst() ?? 0), from: &rest)
                peers.send([0, UInt8(clamping: body.count + 1), type] + body, peer)
            }
        }
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let taken = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return taken
    }
}
