import RaceModel
import Testing
import WireProtocol

@Suite struct PrefaceTests {
    private func bytes(_ lowest: UInt16, _ highest: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        Preface.append(Preface.Offer(lowest: lowest, highest: highest), to: &bytes)
        return bytes
    }

    @Test func `the first byte tells what a connection is`() {
        #expect(FirstByte(0xCA) == .binary)
        #expect(FirstByte(0x16) == .tls)
        for byte: UInt8 in [0, 0x0D, 0x41, 0x61, 0x7F, 0x80, 0xFF] { #expect(FirstByte(byte) == .text) }
    }

    @Test func `a preface is read however it is cut, and what follows stays`() throws {
        let preface = self.bytes(1, 0x0203)
        #expect(preface == [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 2, 3])
        for cut in 0...8 {
            var decoder = OfferDecoder()
            var first = preface[..<cut]
            var rest = (preface[cut...] + [0, 1, 35])[...]
            let early = try decoder.next(in: &first)
            let offer = try early ?? decoder.next(in: &rest)
            #expect(offer == Preface.Offer(lowest: 1, highest: 0x0203))
            #expect(Array(rest.suffix(3)) == [0, 1, 35])
            #expect(first.isEmpty)
        }
        for index in 0..<4 {
            var wrong = preface
            wrong[index] ^= 1
            var decoder = OfferDecoder()
            var input = wrong[...]
            #expect(throws: ProtocolViolation.self) { try decoder.next(in: &input) }
        }
    }

    @Test func `the version both speak is chosen, or none`() {
        let offers: [(UInt16, UInt16, UInt16)] = [
            (1, 1, 1), (0, 1, 1), (1, .max, 1), (0, .max, 1), (2, 3, 0), (0, 0, 0), (3, 2, 0), (2, 0, 0),
            (.max, 1, 0),
        ]
        for (lowest, highest, chosen) in offers {
            #expect(Preface.Offer(lowest: lowest, highest: highest).chosen == chosen)
        }
    }

    @Test func `the answer is found behind any text, and a refusal says which versions there are`() throws {
        var answer: [UInt8] = []
        LineEncoder.appendGreeting(to: &answer)
        Preface.appendAnswer(to: Preface.Offer(lowest: 2, highest: 9), to: &answer)
        for size in [1, 3, 1000] {
            var decoder = AnswerDecoder()
            var version: UInt16?
            var frames: [UInt8] = []
            for piece in Feed.pieces(answer, of: size) {
                var input = piece
                if version == nil { version = try decoder.next(in: &input) }
                if version != nil { frames += input }
            }
            #expect(version == 0)
            #expect(
                Feed.frames([frames[...]], as: ServerMessage.self) == [
                    .value(
                        .error(ErrorReply(code: .version, request: nil, text: "this server speaks version 1"))
                    )
                ])
        }
        var good: [UInt8] = []
        Preface.appendAnswer(to: Preface.Offer(lowest: 1, highest: 1), to: &good)
        #expect(good == [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0])
        var decoder = AnswerDecoder()
        var input = good[...]
        #expect(try decoder.next(in: &input) == 1)
        var endless = AnswerDecoder()
        var text = Array(repeating: UInt8(ascii: "a"), count: Limits.frameBytes + 1)[...]
        #expect(throws: ProtocolViolation.self) { try endless.next(in: &text) }
    }

    @Test func `hexadecimal text is read in either case and written in lower case`() {
        #expect(Hex.text([0, 0xAB, 0xFF]) == "00abff")
        #expect(Hex.bytes("00aBfF".utf8) == [0, 0xAB, 0xFF])
        #expect(Hex.bytes("0".utf8) == nil && Hex.bytes("0g".utf8) == nil)
        #expect(Hex.bytes32(Hex.text(Samples.digest.bytes).utf8) == Samples.digest)
        #expect(Hex.bytes32("00".utf8) == nil)
        #expect(Hex.key("6F1C0000000000010102030405060708".utf8) == Samples.key)
        #expect(Hex.key("6F1C".utf8) == nil)
    }
}
