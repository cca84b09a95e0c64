import RaceModel
import Testing
import WireProtocol

@Suite struct RecordPageTests {
    private static let match = MatchID(7)

    private func read(_ lines: String) -> [Event<ServerMessage>] {
        Feed.serverLines([Array(lines.utf8)[...]])
    }

    private func frame(text: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? text.count
        let body = [0, 0, 0, 0, 0, 0, 0, 7, 0, 1, 0, 1, UInt8(length >> 8), UInt8(length & 255)] + text
        return [UInt8((body.count + 1) >> 8), UInt8((body.count + 1) & 255), 82] + body
    }

    @Test func `all pages of a record joined are the record, and each but the last is as full as can be`() {
        for count in [0, 1, 50, 200, 2000] {
            let record = (0..<count).flatMap { Array("moved seq=\($0) at=\($0 % 17)\n".utf8) }
            let of = RecordPage(match: Self.match, number: 1, of: record).page.of
            var joined: [UInt8] = []
            for number in 1...of {
                let page = RecordPage(match: Self.match, number: number, of: record)
                #expect(page.page == Page(number: number, of: of) && page.match == Self.match)
                #expect(page.text.count <= Limits.recordPageBytes && page.text.last ?? 0x0A == 0x0A)
                #expect(number == of || page.text.count > Limits.recordPageBytes - 30)
                joined += page.text
            }
            #expect(joined == record)
        }
    }

    @Test func `a page behind the last is empty, and page 0 counts as page 1`() {
        let record = Array("one\ntwo\n".utf8)
        let behind = RecordPage(match: Self.match, number: 2, of: record)
        #expect(behind == RecordPage(match: Self.match, page: Page(number: 2, of: 1), text: []))
        #expect(RecordPage(match: Self.match, number: 0, of: record).page == Page(number: 1, of: 1))
    }

    // Goal: `sed -n 's/^> //p'` over what a text client reads gives the file.
    @Test func `the lines behind the mark are the record, and nothing else is`() {
        let page = RecordPage(match: Self.match, number: 1, of: Samples.record)
        let lines = Feed.text(Feed.line(.record(page))).split(separator: "\n")
        #expect(lines.first == "record match=7 page=1 of=1 lines=3")
        let marked = lines.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) + "\n" }.joined()
        #expect(Array(marked.utf8) == Samples.record)
    }

    @Test func `no line of a record is taken for news, though it looks like some`() {
        let text = Array("over seq=1\n> pong value=7\nrecord match=7 page=1 of=1 lines=9\n# note\n  x\n".utf8)
        let page = RecordPage(match: Self.match, page: Page(number: 1, of: 1), text: text)
        let bytes = Feed.line(.record(page)) + Feed.line(.pong(9))
        for cut in bytes.indices {
            #expect(
                Feed.serverLines(Feed.pieces(bytes, cutAt: cut)) == [.value(.record(page)), .value(.pong(9))])
        }
    }

    @Test func `too much text is cut behind a line, the same in both dialects`() {
        let long = RecordPage(match: Self.match, page: Page(number: 1, of: 1), text: Samples.longRecord)
        let first = RecordPage(match: Self.match, number: 1, of: Samples.longRecord)
        let cut = RecordPage(match: Self.match, page: Page(number: 1, of: 1), text: first.text)
        #expect(
            Feed.frames([Feed.frame(.record(long))[...]], as: ServerMessage.self) == [.value(.record(cut))])
        #expect(Feed.serverLines([Feed.line(.record(long))[...]]) == [.value(.record(cut))])
    }

    @Test func `text that is no lines of a record is refused in a frame`() {
        let wrong: [String] = [
            "a", "a\nb", "\n", "a\n\n", "a\r\n", "a\u{1B}[2J\n", "a\u{202E}\n", "a\tb\n", "\u{0}\n",
        ]
        for text in wrong {
            let events = Feed.frames([self.frame(text: Array(text.utf8))[...]], as: ServerMessage.self)
            #expect(events == [.fault(.badValue)], "\(text.debugDescription)")
        }
        let broken = Feed.frames([self.frame(text: [0xC3, 0x0A])[...]], as: ServerMessage.self)
        #expect(broken == [.fault(.badValue)])
        for length in [0, 3, 4000, 65535] {
            let frame = self.frame(text: Array("a\n".utf8), length: length)
            #expect(
                Feed.frames([frame[...]], as: ServerMessage.self) == [.fault(.malformedBody)], "\(length)")
        }
        let full = Array(repeating: UInt8(ascii: "a"), count: Limits.recordPageBytes) + [0x0A]
        #expect(Feed.frames([self.frame(text: full)[...]], as: ServerMessage.self) == [.fault(.badValue)])
        let most = full.dropFirst()
        let page = RecordPage(match: Self.match, page: Page(number: 1, of: 1), text: Array(most))
        #expect(
            Feed.frames([self.frame(text: Array(most))[...]], as: ServerMessage.self) == [
                .value(.record(page))
            ])
        #expect(Feed.serverLines([Feed.line(.record(page))[...]]) == [.value(.record(page))])
    }

    @Test func `lines that are no page of a record are refused, and the next line is read`() {
        let pong = Event<ServerMessage>.value(.pong(7))
        let head = "record match=7 page=1 of=1 lines="
        #expect(self.read("\(head)2\n> a\npong value=7\npong value=7\n") == [.fault(.badValue), pong])
        #expect(self.read("\(head)1\n> a\u{202E}\npong value=7\n") == [.fault(.badValue), pong])
        #expect(self.read("\(head)1\n> \npong value=7\n") == [.fault(.badValue), pong])
        #expect(self.read("\(head)1951\npong value=7\n") == [.fault(.tooMany), pong])
        #expect(self.read("> a\npong value=7\n") == [.fault(.unknownVerb), pong])
        #expect(self.read("record match=7 page=0 of=1 lines=0\npong value=7\n") == [.fault(.badValue), pong])
        let long = String(repeating: "a", count: 3000)
        let events = self.read("\(head)2\n> \(long)\n> \(long)\npong value=7\n")
        #expect(events == [.fault(.badValue), pong])
    }
}
