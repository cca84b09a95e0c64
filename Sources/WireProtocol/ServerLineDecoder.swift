import RaceModel

/// Reads the server's lines back into messages; a list is one message once its last entry came. Notes, blank
/// lines and the greeting are passed over.
///
/// Kept are an unfinished line, at most `Limits.frameBytes`, and the lines of an unfinished list. A longer
/// line is thrown, and again for ever; any other fault once.
package struct ServerLineDecoder: Sendable {
    private struct OpenList: Sendable {
        var header: LineFields
        var entryVerb: String
        var count: Int
        var entries: [LineFields]
        /// Of a record, whose lines are not ours to read.
        var text: [UInt8] = []
    }

    private var line: [UInt8] = []
    private var open: OpenList?
    private var isTooLong = false

    package init() {}

    /// Whether a line or a list has begun and its end is still to come.
    package var isInsideMessage: Bool { !self.line.isEmpty || self.open != nil }

    /// The next message; nil when more bytes are needed, and then all of `input` was consumed.
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> ServerMessage?
    {
        if self.isTooLong { throw Self.lineTooLong }
        while !input.isEmpty {
            let end = input.firstIndex { $0 == 0x0A || $0 == 0x0D }
            let part = input[..<(end ?? input.endIndex)]
            guard part.count <= Limits.frameBytes - self.line.count else {
                self.isTooLong = true
                self.line = []
                self.open = nil
                throw Self.lineTooLong
            }
            input = end.map { input[($0 + 1)...] } ?? input[input.endIndex...]
            self.line.append(contentsOf: part)
            guard end != nil else { return nil }
            let line = self.line
            self.line = []
            if let message = try self.read(line[...]) { return message }
        }
        return nil
    }

    private static let lineTooLong = ProtocolViolation(
        code: .lineTooLong, request: nil, text: "a line of the server has at most \(Limits.frameBytes) bytes")

    private mutating func read(_ line: ArraySlice<UInt8>) throws(ProtocolViolation) -> ServerMessage? {
        guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }), !line.starts(with: "# ".utf8),
            !line.elementsEqual("#".utf8)
        else { return nil }
        try LineScanner.check(line)
        if let list = self.open, list.entryVerb == Self.recordMark { return try self.read(line, of: list) }
        let fields = try LineFields(line)
        if var list = self.open {
            self.open = nil
            guard fields.verb == list.entryVerb else {
                throw fields.bad("\(list.count - list.entries.count) more \(list.entryVerb) were expected")
            }
            list.entries.append(fields)
            guard list.entries.count == list.count else {
                self.open = list
                return nil
            }
            return try ServerMessage(list.header, entries: list.entries)
        }
        // The greeting, and the answer to `set`: they are about the connection, and are no messages.
        if fields.verb == "hello" || fields.verb == "set" { return nil }
        guard let form = Self.listForms[fields.verb] else { return try ServerMessage(fields, entries: []) }
        let count: UInt16 = try fields.number(form.countKey)
        guard count <= form.limit else {
            throw ProtocolViolation(
                code: .tooMany, request: nil,
                text: "a line \(fields.verb) announces at most \(form.limit) entries")
        }
        if count == 0 { return try ServerMessage(fields, entries: []) }
        self.open = OpenList(header: fields, entryVerb: form.entryVerb, count: Int(count), entries: [])
        return nil
    }

    /// Before each line of a record, so that nobody takes it for news.
    private static let recordMark = ">"

    private mutating func read(
        _ line: ArraySlice<UInt8>, of list: OpenList
    ) throws(ProtocolViolation) -> ServerMessage? {
        var list = list
        self.open = nil
        guard line.starts(with: "> ".utf8) else {
            throw list.header.bad("\(list.count) more lines of the record were expected")
        }
        list.text += line.dropFirst(2)
        list.text.append(0x0A)
        list.count -= 1
        guard list.text.count <= Limits.recordPageBytes else {
            throw list.header.bad("a page of a record has at most \(Limits.recordPageBytes) bytes")
        }
        if list.count == 0 { return .record(try RecordPage(list.header, text: list.text)) }
        self.open = list
        return nil
    }

    private struct ListForm: Sendable {
        var countKey: String
        var entryVerb: String
        var limit: Int
    }

    private static let listForms: [String: ListForm] = [
        "found": ListForm(countKey: "of", entryVerb: "seat", limit: Limits.playersPerMatch),
        "snapshot": ListForm(countKey: "of", entryVerb: "runner", limit: Limits.playersPerMatch),
        "over": ListForm(countKey: "places", entryVerb: "place", limit: Limits.playersPerMatch),
        "aliases": ListForm(countKey: "count", entryVerb: "alias", limit: Limits.lookUpIDs),
        "players": ListForm(countKey: "count", entryVerb: "player", limit: Limits.pageEntries),
        "matches": ListForm(countKey: "count", entryVerb: "match", limit: Limits.pageEntries),
        "top": ListForm(countKey: "count", entryVerb: "rank", limit: Limits.pageEntries),
        "history": ListForm(countKey: "count", entryVerb: "standing", limit: History.mostEntries),
        // A line has at least a character and its LF.
        "record": ListForm(countKey: "lines", entryVerb: Self.recordMark, limit: Limits.recordPageBytes / 2),
    ]
}
