import Foundation
import Testing
import WireProtocol

/// Reads the files of `Protocol/`.
enum ProtocolFiles {
    static func lines(_ name: String) throws -> [Substring] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Protocol/\(name)"), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    struct Vector {
        var message: String
        var frame: [UInt8]
        /// With its line ends.
        var text: [UInt8]
    }

    static func vectors(_ name: String) throws -> [Vector] {
        var vectors: [Vector] = []
        for line in try self.lines("vectors/\(name)") where !line.isEmpty && !line.hasPrefix(";") {
            let parts = line.split(separator: " ", maxSplits: 1)
            let value = parts.count == 2 ? String(parts[1]) : ""
            switch parts[0] {
            case "message": vectors.append(Vector(message: value, frame: [], text: []))
            case "frame":
                let frame = try #require(Hex.bytes(value.utf8), "\(line)")
                vectors[vectors.count - 1].frame = frame
            case "text": vectors[vectors.count - 1].text += Array("\(value)\n".utf8)
            default: Issue.record("\(name): \(line)")
            }
        }
        return vectors
    }
}

/// `messages.def`, taken apart.
struct MessageTable {
    struct Field {
        var name: String
        var type: String
    }

    struct Row {
        var number: UInt8
        var name: String
        var sender: String
        var verbs: [String]
        var bytes: ClosedRange<Int>
        var states: [String]
        var fields: [Field]
    }

    var enums: [String: (bytes: Int, names: [UInt64: String])] = [:]
    var structs: [String: [Field]] = [:]
    var rows: [Row] = []

    init() throws {
        for line in try ProtocolFiles.lines("messages.def") where !line.isEmpty && !line.hasPrefix("#") {
            var columns = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            switch columns[0] {
            case "enum":
                var names: [UInt64: String] = [:]
                for pair in columns[3].split(separator: " ") {
                    let parts = pair.split(separator: "=")
                    names[try #require(UInt64(parts[0]))] = String(parts[1])
                }
                self.enums[columns[1]] = (columns[2] == "u16" ? 2 : 1, names)
            case "struct": self.structs[columns[1]] = Self.fields(columns[2])
            case "message":
                if columns.count == 7 { columns.append("") }
                let ends = try columns[5].split(separator: "-").map { try #require(Int($0)) }
                self.rows.append(
                    Row(
                        number: try #require(UInt8(columns[1])), name: columns[2], sender: columns[3],
                        verbs: columns[4].split(separator: ",").map { String($0) },
                        bytes: ends[0]...ends[ends.count - 1],
                        states: columns[6].split(separator: ",").map { String($0) },
                        fields: Self.fields(columns[7])))
            default: Issue.record("messages.def: \(line)")
            }
        }
    }

    private static func fields(_ text: String) -> [Field] {
        text.split(separator: " ").map { field in
            let parts = field.split(separator: ":")
            return Field(name: String(parts[0]), type: String(parts[1]))
        }
    }

    /// How many bytes the fields take at the beginning of a body; nil when it does not have their layout.
    func length(of fields: [Field], in body: ArraySlice<UInt8>) -> Int? {
        var rest = body
        for field in fields {
            guard let length = self.length(of: field.type, in: rest), length <= rest.count else { return nil }
            rest = rest.dropFirst(length)
        }
        return body.count - rest.count
    }

    private func length(of type: String, in rest: ArraySlice<UInt8>) -> Int? {
        let first = rest.first.map { Int($0) }
        switch type {
        case "u8", "type?": return 1
        case "u16", "u16?": return 2
        case "u32", "u32?": return 4
        case "u64": return 8
        case "bytes32": return 32
        case "page": return rest.prefix(2).contains { $0 > 0 } ? 2 : nil
        case "flag": return first.map { $0 <= 1 } == true ? 1 : nil
        case "seat", "player": return first.map { 1...8 ~= $0 } == true ? 1 : nil
        case "seat?", "player?": return first.map { $0 <= 8 } == true ? 1 : nil
        case "key?": return first == 0 ? 1 : first == 16 ? 17 : nil
        default: break
        }
        if let choice = self.enums[type] {
            let value = rest.prefix(choice.bytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return choice.names[value] == nil ? nil : choice.bytes
        }
        if let fields = self.structs[type] { return self.length(of: fields, in: rest) }
        let call = type.split { "(,)".contains($0) }
        if call[0] == "lines", let limit = Int(call[1]) {
            let count = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            return rest.count >= 2 && count <= limit ? 2 + count : nil
        }
        guard let first, call.count >= 2, let limit = Int(call[1]), first <= limit else { return nil }
        if call[0] == "string" { return 1 + first }
        guard call[0] == "list", let entry = self.structs[String(call[2])] else { return nil }
        var length = 1
        for _ in 0..<first {
            guard let next = self.length(of: entry, in: rest.dropFirst(length)) else { return nil }
            length += next
        }
        return length
    }
}
