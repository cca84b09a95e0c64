/// Where a function or initializer with a body stands in a file, in lines from 1, first and last included.
struct FunctionSpan: Equatable {
    var first: Int
    var last: Int
    var lineCount: Int { self.last - self.first + 1 }

    /// All of them, nested ones too, in the order of their first lines.
    static func all(in file: HouseFile) -> [FunctionSpan] {
        let code = Array(file.code.joined(separator: "\n").utf8)
        var spans: [FunctionSpan] = []
        var line = 1
        var index = 0
        while index < code.count {
            if code[index] == UInt8(ascii: "\n") { line += 1 }
            if let afterKeyword = Self.keywordEnd(code, at: index),
                let brace = Self.bodyStart(code, from: afterKeyword),
                let end = Self.bodyEnd(code, from: brace)
            {
                let newlines = code[index...end].count { $0 == UInt8(ascii: "\n") }
                spans.append(FunctionSpan(first: line, last: line + newlines))
            }
            index += 1
        }
        return spans
    }

    private static func starts(_ code: [UInt8], at index: Int, with word: String) -> Bool {
        guard index == 0 || !(isWordByte(code[index - 1]) || code[index - 1] == UInt8(ascii: ".")) else {
            return false
        }
        let end = index + word.utf8.count
        guard end <= code.count, code[index..<end].elementsEqual(word.utf8) else { return false }
        return end == code.count || !isWordByte(code[end])
    }

    private static func keywordEnd(_ code: [UInt8], at index: Int) -> Int? {
        for word in ["func", "init", "subscript"] where self.starts(code, at: index, with: word) {
            return index + word.utf8.count
        }
        return nil
    }

    /// The `{` of the body, or nil for a requirement of a protocol, where the next declaration comes first.
    private static func bodyStart(_ code: [UInt8], from start: Int) -> Int? {
        let declarations = [
            "func", "var", "let", "init", "subscript", "package", "public", "private", "fileprivate",
            "internal", "static",
            "mutating", "struct", "enum", "class", "extension", "protocol", "associatedtype", "typealias",
            "case",
        ]
        var depth = 0
        var sawParameters = false
        for index in start..<code.count {
            switch code[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return nil }
                sawParameters = true
            case UInt8(ascii: "{") where depth == 0: return sawParameters ? index : nil
            case UInt8(ascii: "}") where depth == 0: return nil
            default:
                if depth == 0, sawParameters,
                    declarations.contains(where: { self.starts(code, at: index, with: $0) })
                {
                    return nil
                }
            }
        }
        return nil
    }

    private static func bodyEnd(_ code: [UInt8], from brace: Int) -> Int? {
        var depth = 0
        for index in brace..<code.count {
            if code[index] == UInt8(ascii: "{") { depth += 1 }
            if code[index] == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }
}
