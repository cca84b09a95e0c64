import RaceModel

/// What both sides of a binary connection send before their first frame.
package enum Preface {
    /// The version of the protocol this code speaks.
    package static let version: UInt16 = 1
    /// The first four bytes, from either side. Text is below 80, so it can't be mistaken for the first.
    package static let magic: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0]
    package static let byteCount = 8

    /// The versions a client speaks, both inclusive.
    package struct Offer: Hashable, Sendable, BitwiseCopyable {
        package var lowest: UInt16
        package var highest: UInt16
        package init(lowest: UInt16, highest: UInt16) {
            self.lowest = lowest
            self.highest = highest
        }

        /// The version both speak; 0 when there is none.
        package var chosen: UInt16 {
            self.lowest <= Preface.version && Preface.version <= self.highest ? Preface.version : 0
        }
    }

    /// What a client sends.
    package static func append(_ offer: Offer, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: Self.magic)
        buffer.appendU16(offer.lowest)
        buffer.appendU16(offer.highest)
    }

    /// What the server answers. Where no version is common (0), an error that every version can read follows.
    package static func appendAnswer(to offer: Offer, to buffer: inout [UInt8]) {
        let chosen = offer.chosen
        buffer.append(contentsOf: Self.magic)
        buffer.appendU16(chosen)
        buffer.appendU16(0)
        guard chosen == 0 else { return }
        BinaryEncoder.append(
            .error(ErrorReply(code: .version, request: nil, text: Self.refusal)), to: &buffer)
    }

    /// Names the versions the server speaks.
    package static let refusal = "this server speaks version 1"
}

/// The server's side: reads a client's preface, cut anywhere.
package struct OfferDecoder: Sendable {
    private var count: UInt8 = 0
    private var versions: UInt32 = 0

    package init() {}

    /// The offer once all of it came; what follows it stays in `input`. Nil when more bytes are needed.
    ///
    /// - Throws: `version` as soon as a byte can't belong to a preface.
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> Preface.Offer?
    {
        while let byte = input.popFirst() {
            if self.count < 4 {
                guard byte == Preface.magic[Int(self.count)] else {
                    throw ProtocolViolation(
                        code: .version, request: nil, text: "a binary connection begins with CA 7E AC E0")
                }
            } else {
                self.versions = self.versions << 8 | UInt32(byte)
            }
            self.count += 1
            if self.count == Preface.byteCount {
                let versions = self.versions
                self = OfferDecoder()
                return Preface.Offer(
                    lowest: UInt16(truncatingIfNeeded: versions >> 16),
                    highest: UInt16(truncatingIfNeeded: versions))
            }
        }
        return nil
    }
}

/// The client's side: skips whatever text comes first, then reads the server's answer.
package struct AnswerDecoder: Sendable {
    private var skipped = 0
    private var offer = OfferDecoder()
    private var begun = false

    package init() {}

    /// The chosen version (0: none in common, an Error frame follows); nil when more bytes are needed.
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> UInt16? {
        while !self.begun, let byte = input.first {
            if byte >= 0x80 {
                self.begun = true
            } else {
                self.skipped += 1
                guard self.skipped <= Limits.frameBytes else {
                    throw ProtocolViolation(
                        code: .version, request: nil, text: "the server does not speak the binary protocol")
                }
                _ = input.popFirst()
            }
        }
        guard self.begun else { return nil }
        return try self.offer.next(in: &input)?.lowest
    }
}
