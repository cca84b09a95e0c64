import RaceModel
import Testing
import WireProtocol

@testable import FuzzTargets

/// What the targets would say if something were wrong: a check that cannot fail finds nothing.
struct FindingTests {
    /// A decoder that makes one value of whatever one read brought.
    private struct ByReads: StreamDecoder {
        mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> [UInt8]? {
            guard !input.isEmpty else { return nil }
            defer { input = [] }
            return Array(input)
        }
    }

    @Test func `a decoder that minds how its stream is cut is found`() {
        #expect(ByReads.decodeTwice([1, 7, 7, 7]).finding != nil)
        #expect(ByReads.decodeTwice([9, 7, 7, 7]).finding == nil)
    }

    @Test func `a message that comes back as another is found`() {
        let aliases = [Decoded.value(ServerMessage.players(Page(number: 1, of: 1), []))]
        #expect(ServerLines.roundTripFault(aliases) == nil)
        // A text over its limit is cut when it is written, so it is not the same again.
        let long = ServerMessage.bye(.quit, text: String(repeating: "a", count: Limits.textBytes + 1))
        #expect(ServerLines.roundTripFault([.value(long)]) != nil)
    }

    @Test func `bytes that no client can read are found, in either dialect`() {
        for (first, good, bad) in [
            (Array("name".utf8), Array("pong value=7\n".utf8), Array("pong value=x\n".utf8)),
            (
                Preface.magic, Preface.magic + [0, 1, 0, 0, 0, 9, 84] + Array(repeating: 0, count: 8),
                Preface.magic + [0, 1, 0, 0, 0, 0]
            ),
        ] {
            var peer = ServerPeer(id: ConnectionID(slot: 0, generation: 1))
            peer.noteSent(first)
            var other = peer
            #expect(peer.read(good[...]) == nil)
            #expect(other.read(bad[...]) != nil)
        }
    }

    @Test func `peers that connect, play and go leave nothing, and are told everything in order`() {
        var peers = ServerPeers()
        for (index, alias) in ["ann", "bob"].enumerated() {
            peers.connect(index)
            peers.send(Array("name \(alias)\n".utf8), index)
            peers.answer(0)
            peers.send(Array("play finish=1\n".utf8), index)
        }
        for index in 0..<2 { peers.send(Array("move\n".utf8), index) }
        peers.end()
        #expect(peers.finding == nil)
    }
}
