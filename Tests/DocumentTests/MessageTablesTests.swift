import RaceModel
import Testing
import WireProtocol

/// The pages of messages, against `messages.def` (which other tests hold to the code) and the codecs.
@Suite struct MessageTablesTests {
    let table: MessageTable
    let pages: [(name: String, from: String, page: Document)]
    let parts: Document

    init() throws {
        self.table = try MessageTable()
        self.pages = [
            ("from-clients.md", "client", try Document("from-clients.md")),
            ("from-the-server.md", "server", try Document("from-the-server.md")),
        ]
        self.parts = try Document("messages.md")
    }

    @Test func `every message has its section, with the rows of its body`() {
        for (name, from, page) in self.pages {
            let messages = self.table.messages.filter { $0.from == from }
            let headings = page.lines.filter { $0.hasPrefix("## ") }
            #expect(headings == messages.map { "## \($0.number) \($0.name)" }, "\(name)")
            for message in messages {
                let rows = page.table(under: "\(message.number) \(message.name)")?.rows ?? []
                #expect(
                    rows.map { $0.prefix(4).map(\.uncoded) } == self.table.rows(of: message.fields),
                    "\(name), \(message.name)")
                for row in rows { #expect(row.count == 6 && !row[4].isEmpty && !row[5].isEmpty, "\(row)") }
            }
        }
    }

    @Test func `every length of a body is that of messages.def`() throws {
        let definition = try Document("messages.def").lines.filter { $0.hasPrefix("message |") }
            .map { $0.split(separator: "|").map { $0.trimming() } }
        for (name, from, page) in self.pages {
            let bodies = page.lines.filter { $0.hasPrefix("Body: ") }.map { $0.split(separator: " ")[1] }
            let lengths = definition.filter { $0[3] == from }.map { $0[5] }
            #expect(bodies.map(String.init) == lengths, "\(name)")
        }
    }

    @Test func `every part and every choice is written out`() {
        for name in self.table.structNames {
            let rows = self.parts.table(under: "`\(name)`")?.rows ?? []
            #expect(
                rows.map { $0.prefix(4).map(\.uncoded) }
                    == self.table.rows(of: self.table.structs[name] ?? []),
                "\(name)")
        }
        // The three others are in protocol.md.
        for name in self.table.choiceNames where !["ErrorCode", "ByeReason", "NoticeCode"].contains(name) {
            let rows = self.parts.table(under: "`\(name)`")?.rows.map { $0.prefix(2).map(\.uncoded) }
            let names = self.table.choices[name]?.names.map { ["\($0.value)", $0.name] }
            #expect(rows == names, "\(name)")
        }
    }

    @Test func `every example is read and written by both codecs`() throws {
        for (name, from, page) in self.pages {
            let blocks = page.blocks.filter { $0.kind == "vector" }
            let messages = self.table.messages.filter { $0.from == from }
            #expect(blocks.count == messages.count, "\(name)")
            for (block, message) in zip(blocks, messages) {
                #expect(block.options.keys.sorted() == [from, message.name].sorted())
                let words = block.lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
                let frame = try #require(words.first { $0[0] == "frame" }.flatMap { Hex.bytes($0[1].utf8) })
                let text = words.filter { $0[0] == "text" }.map { $0[1] + "\n" }.joined()
                #expect(self.table.takeApart(frame[...], from: from)?.name == message.name)
                let (again, lines) = try from == "client" ? Self.client(frame) : Self.server(frame)
                #expect(again == frame, "\(message.name)")
                #expect(String(decoding: lines, as: UTF8.self) == text, "\(message.name)")
            }
        }
    }

    /// Each key that any golden vector shows stands in the tables of its message.
    @Test func `every key of a text form is in the tables`() throws {
        let server = self.pages[1].page
        let parts = self.parts.text
        let sections = server.text.split(separator: "\n## ").dropFirst()
        var checked = 0
        for vectors in try Document("vectors/server.txt").text.split(separator: "\n\n") {
            let lines = vectors.split(separator: "\n").filter { !$0.hasPrefix(";") }
            guard let name = lines.first?.split(separator: " ").last else { continue }
            let section = try #require(sections.first { $0.prefix { $0 != "\n" }.hasSuffix(" \(name)") })
            // What stands behind `>` are lines of other messages.
            for line in lines where line.hasPrefix("text ") && !line.hasPrefix("text > ") {
                for key in line.matches(of: #/\ ([a-z0-9]+)=/#).map(\.1) {
                    checked += 1
                    #expect(section.contains("`\(key)=") || parts.contains("`\(key)="), "\(name): \(key)=")
                }
            }
        }
        #expect(checked > 100)
    }

    private static func client(_ frame: [UInt8]) throws -> (frame: [UInt8], text: [UInt8]) {
        var input = frame[...]
        var frames = FrameDecoder<ClientMessage>()
        let message = try #require(try frames.next(in: &input))
        var (again, text): ([UInt8], [UInt8]) = ([], [])
        BinaryEncoder.append(message, to: &again)
        LineEncoder.append(message, to: &text)
        var lines = LineDecoder()
        var line = text[...]
        #expect(try lines.next(in: &line) == .message(message))
        return (again, text)
    }

    private static func server(_ frame: [UInt8]) throws -> (frame: [UInt8], text: [UInt8]) {
        var input = frame[...]
        var frames = FrameDecoder<ServerMessage>()
        let message = try #require(try frames.next(in: &input))
        let names = RosterNames(
            aliases: ["ann", "bob"].compactMap { Alias($0) }, order: [Seat(1), Seat(2)], finish: 25)
        var (again, text): ([UInt8], [UInt8]) = ([], [])
        BinaryEncoder.append(message, to: &again)
        LineEncoder.append(message, names: names, to: &text)
        var lines = ServerLineDecoder()
        var line = text[...]
        #expect(try lines.next(in: &line) == message)
        return (again, text)
    }
}

extension Substring {
    fileprivate func trimming() -> String {
        String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
