import RaceModel
import Testing
import WireProtocol

@Suite struct FrameDecoderTests {
    // Goal: how a stream is cut never changes what is read. Method: every sample whole, byte by byte, at
    // every cut and doubled, in both directions.
    private func verify<Message: BinaryMessage>(_ message: Message, _ frame: [UInt8]) {
        let expected: [Event<Message>] = [.value(message)]
        #expect(Feed.frames([frame[...]], as: Message.self) == expected)
        #expect(Feed.frames(Feed.pieces(frame, of: 1), as: Message.self) == expected)
        #expect(Feed.frames([(frame + frame)[...]], as: Message.self) == expected + expected)
        for cut in 0...frame.count {
            let pieces = Feed.pieces(frame + frame, cutAt: cut)
            if Feed.frames(pieces, as: Message.self) != expected + expected {
                Issue.record("\(message) cut at \(cut)")
            }
        }
    }

    @Test func `every client message is read whole, byte by byte, at every cut and doubled`() {
        for message in Samples.client { self.verify(message, Feed.frame(message)) }
        #expect(Set(Samples.client.map(\.number)) == Set(ClientMessageNumber.allCases))
    }

    @Test func `every server message is read whole, byte by byte, at every cut and doubled`() {
        for message in Samples.server { self.verify(message, Feed.frame(message)) }
        #expect(Set(Samples.server.map(\.number)) == Set(ServerMessageNumber.allCases))
    }

    @Test func `fifty messages in one read are fifty messages, in order`() {
        let messages = [.hello(Hello(name: "ann"))] + (1...50).map { ClientMessage.ping($0) }
        let bytes = messages.flatMap { Feed.frame($0) }
        #expect(Feed.frames([bytes[...]], as: ClientMessage.self) == messages.map { .value($0) })
        for size in 1...30 {
            #expect(
                Feed.frames(Feed.pieces(bytes, of: size), as: ClientMessage.self)
                    == messages.map { .value($0) })
        }
    }

    @Test func `a number is read the same at every offset`() {
        for length in 0...9 {
            let hello = ClientMessage.hello(Hello(name: String(repeating: "a", count: length)))
            let number = ClientMessage.randomNumber(round: 0, number: 0x0102_0304)
            let bytes = Feed.frame(hello) + Feed.frame(number)
            #expect(Feed.frames([bytes[...]], as: ClientMessage.self) == [.value(hello), .value(number)])
        }
    }

    @Test func `lengths out of range close the stream at once and for ever`() {
        let heads: [([UInt8], ErrorCode)] = [
            ([0, 0, 0, 0], .badLength), ([0x7F, 0xFF, 0xFF, 0xFF], .frameTooLong),
            ([0x80, 0, 0, 0], .frameTooLong), ([0xFF, 0xFF, 0xFF, 0xFF], .frameTooLong),
            ([0xFF, 0xFF, 0xFF, 0xFB], .frameTooLong), ([0x10, 0x01], .frameTooLong), ([0, 0], .badLength),
        ]
        for (head, code) in heads {
            for size in 1...4 {
                #expect(Feed.frames(Feed.pieces(head, of: size), as: ClientMessage.self) == [.fault(code)])
            }
            var decoder = FrameDecoder<ClientMessage>()
            var input = head[...]
            for _ in 0..<3 {
                #expect(throws: ProtocolViolation.self) { try decoder.next(in: &input) }
                input = Feed.frame(.ping(1))[...]
            }
            #expect(!decoder.isInsideFrame)
        }
    }

    @Test func `a frame of exactly the limit is read, one more byte is refused`() {
        // Type 21 with a count that is too large: the frame itself is in order.
        let longest: [UInt8] = [0x10, 0x00, 21, 255] + Array(repeating: 0, count: 4094)
        let ping = Feed.frame(.ping(1))
        for size in [1, 7, 4098, 5000] {
            #expect(
                Feed.frames(Feed.pieces(longest + ping, of: size), as: ClientMessage.self)
                    == [.fault(.tooMany), .value(.ping(1))])
        }
        #expect(Feed.frames([[0x10, 0x01, 21]], as: ClientMessage.self) == [.fault(.frameTooLong)])
    }

    @Test func `a fault of one message is thrown once and the next one is read`() {
        let ping = Feed.frame(.ping(9))
        let faults: [([UInt8], ErrorCode)] = [
            ([0, 1, 200], .unknownType), ([0, 1, 37], .unknownType), ([0, 3, 91, 1, 2], .unknownType),
            ([0, 4, 31, 2, 0, 1], .badValue), ([0, 4, 31, 0, 0, 0], .badValue), ([0, 1, 31], .malformedBody),
            ([0, 11, 32, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0], .badValue), ([0, 3, 36, 1, 0xFF], .notUTF8),
            ([0, 1, 3], .wrongDirection), ([0, 1, 64], .wrongDirection), ([0, 1, 89], .wrongDirection),
            ([0, 4, 2, 0, 0, 0], .malformedBody), ([0, 6, 2, 0, 0, 0, 0, 0], .malformedBody),
            ([0, 2, 1, 0], .malformedBody),
            ([0, 8, 16, 1, 0xFF, 0, 0, 0, 0, 0], .notUTF8),
            ([0, 10, 16, 3, 0xED, 0xA0, 0x80, 0, 0, 0, 0, 0], .notUTF8),
            ([0, 7, 16, 0, 15, 0, 0, 0, 0], .badValue),
            ([0, 2, 21, 0], .badValue), ([0, 2, 21, 65], .tooMany), ([0, 2, 21, 64], .malformedBody),
            ([0, 3, 23, 0, 0], .badValue),
            ([0, 10, 27, 0, 0, 0, 0, 0, 0, 0, 1, 2], .badValue),
            ([0, 14, 17, 2, 2, 2, 0, 0, 0, 0, 25, 0, 0, 0, 0, 0], .badValue),
            ([0, 14, 17, 2, 2, 0, 2, 0, 0, 0, 25, 0, 0, 0, 0, 0], .badValue),
        ]
        for (frame, code) in faults {
            for size in [1, 2, 3, 100] {
                #expect(
                    Feed.frames(Feed.pieces(frame + ping, of: size), as: ClientMessage.self)
                        == [.fault(code), .value(.ping(9))])
            }
        }
        let serverFaults: [([UInt8], ErrorCode)] = [
            ([0, 1, 16], .wrongDirection), ([0, 1, 35], .wrongDirection), ([0, 1, 91], .unknownType),
            ([0, 10, 81, 2, 0, 1, 0, 1, 0, 0, 0, 1], .badValue),
            ([0, 10, 81, 0, 0, 1, 0, 0, 0, 0, 0, 1], .badValue),
            ([0, 11, 81, 0, 0, 1, 0, 1, 0, 0, 0, 1, 21], .tooMany),
            ([0, 12, 90, 0, 0, 0, 0, 0, 0, 0, 1, 1, 97, 3], .tooMany),
            ([0, 3, 74, 0, 1], .badValue), ([0, 3, 74, 9, 1], .badValue), ([0, 2, 89, 5], .badValue),
            ([0, 2, 71, 9], .tooMany), ([0, 10, 64, 0, 0, 0, 0, 0, 0, 0, 1, 0], .badAlias),
        ]
        for (frame, code) in serverFaults {
            #expect(
                Feed.frames([(frame + Feed.frame(.pong(1)))[...]], as: ServerMessage.self)
                    == [.fault(code), .value(.pong(1))])
        }
    }

    @Test func `text fields are read up to their limit and refused one byte over it`() {
        func hello(_ count: UInt8) -> [UInt8] {
            [0, 7 + count, 16, count] + Array(repeating: 0x61, count: Int(count)) + [0, 0, 0, 0, 0]
        }
        let name = String(repeating: "a", count: 64)
        #expect(Feed.frames([hello(64)[...]], as: ClientMessage.self) == [.value(.hello(Hello(name: name)))])
        #expect(Feed.frames([hello(65)[...]], as: ClientMessage.self) == [.fault(.badAlias)])
        func join(_ count: UInt8) -> [UInt8] {
            [0, 2 + count, 30, count] + Array(repeating: 0x61, count: Int(count))
        }
        let code = String(repeating: "a", count: 16)
        #expect(Feed.frames([join(16)[...]], as: ClientMessage.self) == [.value(.joinPrivate(code: code))])
        #expect(Feed.frames([join(17)[...]], as: ClientMessage.self) == [.fault(.badValue)])
    }

    @Test func `a character cut by a read arrives whole`() {
        for name in ["\u{041C}\u{044F}\u{1F600}", "\u{044F}"] {
            let message = ClientMessage.hello(Hello(name: name))
            #expect(
                Feed.frames(Feed.pieces(Feed.frame(message), of: 1), as: ClientMessage.self) == [
                    .value(message)
                ])
        }
    }

    @Test func `binary carries any number of players for the server to judge`() {
        for raw in [UInt8(0), 1, 9, 127, 128, 254, 255] {
            let request = RaceRequest(minimum: raw, maximum: raw, bots: raw)
            #expect(
                Feed.frames([Feed.frame(.findMatch(request))[...]], as: ClientMessage.self)
                    == [.value(.findMatch(request))])
        }
    }

    // Goal: no number from a peer traps. Method: each sample, with every run of 1, 2, 4 and 8 bytes of its
    // body set to the extremes.
    @Test func `extreme numbers in every field give a message or an error`() {
        let extremes: [[UInt8]] = [[0xFF], [0xFE], [0x80], [0x7F], [0x00]]
        var tried = 0
        func attack<Message: BinaryMessage>(_ frame: [UInt8], _ type: Message.Type) {
            for width in [1, 2, 4, 8] where frame.count >= 3 + width {
                for start in 3...(frame.count - width) {
                    for extreme in extremes {
                        var changed = frame
                        for index in start..<(start + width) { changed[index] = 0xFF }
                        changed[start + width - 1] = extreme[0]
                        if extreme[0] == 0x80 {
                            for index in start..<(start + width) {
                                changed[index] = index == start ? 0x80 : 0
                            }
                        }
                        let events = Feed.frames([(changed + frame)[...]], as: Message.self)
                        if events.count != 2 { Issue.record("\(events) of \(changed)") }
                        tried += 1
                    }
                }
            }
        }
        for message in Samples.client { attack(Feed.frame(message), ClientMessage.self) }
        for message in Samples.server where Feed.frame(message).count < 300 {
            attack(Feed.frame(message), ServerMessage.self)
        }
        #expect(tried > 10_000)
    }
}
