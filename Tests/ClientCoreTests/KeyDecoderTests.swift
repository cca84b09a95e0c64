import Testing

@testable import ClientCore

@Suite struct KeyDecoderTests {
    @Test func `keys are read one by one, and the sequences of special keys are passed over`() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(in: " \r\nqQ?\u{4}".utf8).count == 7)
        #expect(decoder.keys(in: "\u{1B}[A\u{1B}OP\u{1B}[1;5Cr".utf8) == [.letter(UInt8(ascii: "r"))])
        // An arrow that comes in pieces is no letter either.
        #expect(decoder.keys(in: "\u{1B}".utf8) == [])
        #expect(decoder.keys(in: "[".utf8) == [])
        #expect(decoder.keys(in: "Bw".utf8) == [.letter(UInt8(ascii: "w"))])
        #expect(decoder.keys(in: [0xC3, 0xA9, 0xFF, 0x00]) == [])
    }
}
