import Foundation

/// `Protocol/messages.def`, read by itself: nothing here knows the code that encodes messages.
struct MessageTable {
    struct Field: Equatable {
        var name: String
        var type: String
    }

    struct Message {
        var number: UInt8
        var name: String
        var from: String
        var verbs: [String]
        var fields: [Field]
    }

    private(set) var choices: [String: (type: String, names: [(value: UInt64, name: String)])] = [:]
    private(set) var structs: [String: [Field]] = [:]
    private(set) var messages: [Message] = []
    private(set) var structNames: [String] = []
    private(set) var choiceNames: [String] = []

    init() throws {
        let text = try String(
            contentsOf: Document.directory.appending(path: "messages.def"), encoding: .utf8)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            switch cells.first {
            case "enum":
                let names = cells[3].split(separator: " ").map { word in
                    let parts = word.split(separator: "=")
                    return (UInt64(parts[0]) ?? .max, String(parts[1]))
                }
                self.choices[cells[1]] = (cells[2], names)
                self.choiceNames.append(cells[1])
            case "struct":
                self.structs[cells[1]] = Self.fields(cells[2])
                self.structNames.append(cells[1])
            case "message":
                self.messages.append(
                    Message(
                        number: UInt8(cells[1]) ?? .max, name: cells[2], from: cells[3],
                        verbs: cells[4].split(separator: ",").map(String.init), fields: Self.fields(cells[7]))
                )
            default: break
            }
        }
    }

    private static func fields(_ text: String) -> [Field] {
        text.split(separator: " ").map { word in
            let parts = word.split(separator: ":")
            return Field(name: String(parts[0]), type: String(parts[1]))
        }
    }

    func message(_ number: UInt8, from: String) -> Message? {
        self.messages.first { $0.number == number && $0.from == from }
    }

    // MARK: Sizes

    /// How many bytes a field takes; nil when that varies.
    func size(of type: String) -> Int? {
        switch type {
        case "u8", "type?", "flag", "seat", "player", "seat?", "player?": return 1
        case "u16", "u16?", "page": return 2
        case "u32", "u32?": return 4
        case "u64": return 8
        case "bytes32": return 32
        default:
            if let choice = self.choices[type] { return self.size(of: choice.type) }
            guard let fields = self.structs[type] else { return nil }
            return fields.reduce(0) { sum, field in
                sum.flatMap { sum in self.size(of: field.type).map { sum + $0 } }
            }
        }
    }

    /// The same as a table shows it.
    func sizeText(of type: String) -> String {
        if let size = self.size(of: type) { return "\(size)" }
        if type == "key?" { return "1 or 17" }
        let arguments = type.split { "(,)".contains($0) }
        if arguments.first == "string" { return "1 + n" }
        if arguments.first == "lines" { return "2 + n" }
        if arguments.first == "list" {
            return "1 + n × " + (self.size(of: String(arguments[2])).map { "\($0)" } ?? "…")
        }
        return "…"
    }

    /// The rows `offset, size, type, name` of a table of these fields. Behind the first field of no fixed
    /// size, an
    /// offset is only said to follow.
    func rows(of fields: [Field]) -> [[String]] {
        var offset: Int? = 0
        return fields.map { field in
            defer { offset = offset.flatMap { start in self.size(of: field.type).map { start + $0 } } }
            return [offset.map { "\($0)" } ?? "…", self.sizeText(of: field.type), field.type, field.name]
        }
    }

    // MARK: Frames taken apart

    /// A whole frame, length included, as pieces of hexadecimal digits and what they mean. Nil when the
    /// frame does not
    /// fit the table exactly.
    func takeApart(_ frame: ArraySlice<UInt8>, from: String) -> (name: String, pieces: [FramePiece])? {
        guard frame.count >= 3, let message = self.message(frame[frame.startIndex + 2], from: from) else {
            return nil
        }
        var rest = frame.dropFirst(3)
        var pieces: [FramePiece] = []
        for field in message.fields {
            guard self.take(field, &rest, &pieces) else { return nil }
        }
        return rest.isEmpty ? (message.name, pieces) : nil
    }

    private func take(_ field: Field, _ rest: inout ArraySlice<UInt8>, _ pieces: inout [FramePiece]) -> Bool {
        if let fields = self.structs[field.type] {
            var parts: [FramePiece] = []
            for inner in fields { guard self.take(inner, &rest, &parts) else { return false } }
            pieces.append(
                FramePiece(
                    hex: parts.map(\.hex).joined(separator: " "),
                    meaning: parts.map(\.meaning).joined(separator: ", ")))
            return true
        }
        let arguments = field.type.split { "(,)".contains($0) }.map(String.init)
        switch arguments[0] {
        case "string", "key?":
            guard let count = rest.first, rest.count > Int(count) else { return false }
            let bytes = rest.dropFirst().prefix(Int(count))
            let shown =
                arguments[0] == "string"
                ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : count == 0 ? "none" : "of \(count) bytes"
            pieces.append(
                FramePiece(
                    hex: FramePiece.hex(rest.prefix(1 + Int(count))), meaning: "\(field.name) \(shown)"))
            rest = rest.dropFirst(1 + Int(count))
            return true
        case "lines":
            let count = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 2 + count else { return false }
            pieces.append(
                FramePiece(
                    hex: FramePiece.hex(rest.prefix(2 + count)), meaning: "\(field.name) of \(count) bytes"))
            rest = rest.dropFirst(2 + count)
            return true
        case "list":
            guard let count = rest.popFirst() else { return false }
            pieces.append(FramePiece(hex: FramePiece.hex([count]), meaning: "\(count) \(field.name)"))
            for _ in 0..<count {
                guard self.take(Field(name: "", type: arguments[2]), &rest, &pieces) else { return false }
            }
            return true
        default: return self.takeNumber(field, &rest, &pieces)
        }
    }

    private func takeNumber(
        _ field: Field, _ rest: inout ArraySlice<UInt8>, _ pieces: inout [FramePiece]
    ) -> Bool {
        guard let size = self.size(of: field.type), rest.count >= size else { return false }
        let bytes = rest.prefix(size)
        rest = rest.dropFirst(size)
        guard size <= 8 else {
            pieces.append(FramePiece(hex: FramePiece.hex(bytes), meaning: field.name))
            return true
        }
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var shown = "\(value)"
        if let choice = self.choices[field.type] {
            guard let name = choice.names.first(where: { $0.value == value })?.name else { return false }
            shown = name
        } else if field.type.hasSuffix("?"), value == 0 && size == 1 || value == UInt64.max >> (64 - 8 * size)
        {
            shown = "none"
        } else if field.type == "flag" {
            shown = value == 0 ? "no" : "yes"
        }
        pieces.append(FramePiece(hex: FramePiece.hex(bytes), meaning: "\(field.name) \(shown)"))
        return true
    }
}

/// Some bytes of a frame, and what they mean.
struct FramePiece {
    var hex: String
    var meaning: String

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
