import RaceModel
import Testing
import WireProtocol

@Suite struct LineDecoderTests {
    private let hello = Event<TextInput>.value(.message(.hello(Hello(name: "ann"))))
    private let help = Event<TextInput>.value(.command(.help(verb: nil)))
    private let ping = Event<TextInput>.value(.message(.ping(7)))

    private func violation(_ event: Event<TextInput>?) -> ErrorCode? {
        guard case .value(.violation(let violation)) = event else { return nil }
        return violation.code
    }

    @Test func `each line end makes exactly one line, also when a read cuts it`() {
        for end in ["\n", "\r\n", "\r\0", "\r", "\n\r"] {
            let bytes = Array("name ann\(end)help\(end)".utf8)
            for cut in 0...bytes.count {
                #expect(Feed.lines(Feed.pieces(bytes, cutAt: cut)) == [self.hello, self.help])
            }
            #expect(Feed.lines(Feed.pieces(bytes, of: 1)) == [self.hello, self.help])
        }
    }

    @Test func `several lines in one read are answered one by one`() {
        #expect(Feed.lines("help\r\nping 7\r\nquit\r\n") == [self.help, self.ping, .value(.message(.quit))])
        #expect(
            Feed.lines("name ann\nwho\nplay 2\nwho\n") == [
                self.hello, .value(.message(.listPlayers(prefix: "", page: 1))),
                .value(.message(.findMatch(RaceRequest()))),
                .value(.message(.listPlayers(prefix: "", page: 1))),
            ])
        #expect(
            Feed.lines("a\r\nb\nc\r\n").map { self.violation($0) } == [
                .unknownVerb, .unknownVerb, .unknownVerb,
            ])
    }

    @Test func `empty lines, blank lines and notes are passed over`() {
        #expect(Feed.lines("\n\r\n  \t \n# a note\n#\nping 7\n") == [self.ping])
    }

    @Test func `a line is kept until its end comes, and no longer`() throws {
        var decoder = LineDecoder()
        var input = Array("pin".utf8)[...]
        #expect(try decoder.next(in: &input) == nil)
        #expect(input.isEmpty && decoder.isInsideLine)
        input = Array("g 7\nqu".utf8)[...]
        #expect(try decoder.next(in: &input) == .message(.ping(7)))
        #expect(Array(input) == Array("qu".utf8) && !decoder.isInsideLine)
    }

    @Test func `a line of the limit is read, one more byte closes, terminated or not`() {
        let verb = "join "
        for end in ["\n", ""] {
            for size in [1, 100, 512, 513, 2000] {
                let line = verb + String(repeating: "a", count: Limits.lineBytes + 1 - verb.utf8.count) + end
                #expect(Feed.lines(Feed.pieces(Array(line.utf8), of: size)) == [.fault(.lineTooLong)])
            }
        }
        let line = verb + String(repeating: "a", count: Limits.lineBytes - verb.utf8.count) + "\n"
        for size in [1, 512, 513] {
            let events = Feed.lines(Feed.pieces(Array(line.utf8), of: size))
            #expect(events.map { self.violation($0) } == [.badValue])
        }
    }

    @Test func `a megabyte without a line end is refused at the limit, for ever, and not kept`() {
        var decoder = LineDecoder()
        var refused = 0
        for _ in 0..<1000 {
            var input = Array(repeating: UInt8(ascii: "a"), count: 1000)[...]
            do throws(ProtocolViolation) {
                #expect(try decoder.next(in: &input) == nil)
            } catch {
                #expect(error.code == .lineTooLong && error.code.closesConnection)
                refused += 1
            }
        }
        #expect(refused == 1000)
        #expect(!decoder.isInsideLine)
    }

    @Test func `backspace and delete take back whole characters`() {
        #expect(Feed.lines("namx\u{8}e \u{1F600}\u{7F}anm\u{7F}n\n") == [self.hello])
        #expect(Feed.lines("\u{8}\u{8}\u{7F}ping 78\u{8}\n") == [self.ping])
        for cut in 0...12 {
            let bytes = Array("ping \u{44F}\u{8}7\u{1F600}\u{7F}\n".utf8)
            #expect(Feed.lines(Feed.pieces(bytes, cutAt: min(cut, bytes.count))) == [self.ping])
        }
    }

    @Test func `a character cut by a read arrives whole`() {
        let name = "\u{041C}\u{044F}\u{1F600}"
        #expect(
            Feed.lines(Feed.pieces(Array("name \(name)\nname \u{44F}\n".utf8), of: 1)) == [
                .value(.message(.hello(Hello(name: name)))), .value(.message(.hello(Hello(name: "\u{44F}")))),
            ])
    }

    @Test func `control bytes and bytes that are not UTF-8 cost one error line`() {
        for bytes: [UInt8] in [[0xC3], [0x80], [0xFF, 0xFF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
            let events = Feed.lines([(bytes + [0x0A] + Array("help\r\n".utf8))[...]])
            #expect(events.map { self.violation($0) } == [.notUTF8, nil])
            #expect(events.last == self.help)
        }
        for control: UInt8 in [0, 1, 7, 0x1B, 0x1F] {
            let events = Feed.lines([(Array("ping ".utf8) + [control, 0x0A] + Array("ping 7\n".utf8))[...]])
            #expect(events.map { self.violation($0) } == [.badValue, nil])
            #expect(events.last == self.ping)
        }
    }

    @Test func `telnet's bytes are skipped wherever they are, also cut by a read`() {
        let interrupt: [UInt8] = [0xFF, 0xF4, 0xFF, 0xFD, 0x06] + Array("help\r\n".utf8)
        for cut in 0...interrupt.count {
            #expect(
                Feed.lines(Feed.pieces(interrupt, cutAt: cut)) == [
                    .value(.reply([0xFF, 0xFC, 0x06])), self.help,
                ])
        }
        let terminal: [UInt8] =
            [0xFF, 0xFA, 0x18, 0x00, 0x78, 0x74, 0x65, 0x72, 0x6D, 0xFF, 0xF0] + Array("help\r\n".utf8)
        for cut in 0...terminal.count {
            #expect(Feed.lines(Feed.pieces(terminal, cutAt: cut)) == [self.help])
        }
        let inside: [UInt8] =
            Array("pi".utf8) + [0xFF, 0xF1, 0xFF, 0xF6] + Array("ng 7\r".utf8) + [0xFF, 0xF1, 0, 0x0A]
        for size in 1...4 { #expect(Feed.lines(Feed.pieces(inside, of: size)) == [self.ping]) }
        let erase: [UInt8] = Array("quit".utf8) + [0xFF, 0xF8] + Array("ping 78".utf8) + [0xFF, 0xF7, 0x0A]
        #expect(Feed.lines([erase[...]]) == [self.ping])
    }

    @Test func `an option is refused once, a repeat is not answered, a timing mark always is`() {
        let bytes: [UInt8] = [
            255, 253, 1, 255, 253, 1, 255, 251, 31, 255, 251, 31, 255, 254, 1, 255, 252, 31, 255, 253, 6, 255,
            253, 6,
        ]
        let replies: [Event<TextInput>] = [
            .value(.reply([255, 252, 1])), .value(.reply([255, 254, 31])), .value(.reply([255, 252, 6])),
            .value(.reply([255, 252, 6])),
        ]
        for size in 1...5 { #expect(Feed.lines(Feed.pieces(bytes, of: size)) == replies) }
    }

    @Test func `a subnegotiation without an end closes at the limit`() {
        let start: [UInt8] = [255, 250, 24]
        let within =
            start + Array(repeating: 65, count: Limits.lineBytes - 3) + [255, 240] + Array("ping 7\n".utf8)
        #expect(Feed.lines([within[...]]) == [self.ping])
        let over = start + Array(repeating: 65, count: Limits.lineBytes + 1)
        for size in [1, 100, 1000] {
            #expect(Feed.lines(Feed.pieces(over, of: size)) == [.fault(.lineTooLong)])
        }
    }

    @Test func `HTTP is told apart on the first line only`() {
        for verb in ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH"] {
            let request = Array("\(verb) / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
            for size in [1, 5, 100] { #expect(Feed.lines(Feed.pieces(request, of: size)) == [.value(.http)]) }
        }
        let long = Array(("GET /" + String(repeating: "a", count: 3000)).utf8)
        for size in [1, 100, 5000] { #expect(Feed.lines(Feed.pieces(long, of: size)) == [.value(.http)]) }
        #expect(self.violation(Feed.lines("ping 7\nGET / HTTP/1.1\n").last) == .unknownVerb)
        #expect(self.violation(Feed.lines("get / HTTP/1.1\n").last) == .unknownVerb)
    }
}
