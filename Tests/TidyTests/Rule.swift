/// A rule of the house that one file alone can break.
struct Rule: Sendable {
    struct Finding: Equatable, Sendable, CustomStringConvertible {
        var path: String
        /// From 1.
        var line: Int
        var text: String
        var description: String { "\(self.path):\(self.line): \(self.text)" }
    }

    /// A file that breaks the rule in the line given, or, with no line, one that keeps it although it looks
    /// close.
    struct Sample: Sendable {
        var path: String
        var text: String
        var line: Int?
    }

    var name: String
    var samples: [Sample]
    /// Line (from 1) and what is wrong there.
    var check: @Sendable (HouseFile) -> [(line: Int, text: String)]

    func findings(in file: HouseFile) -> [Finding] {
        self.check(file).map { Finding(path: file.path, line: $0.line, text: "\($0.text) [\(self.name)]") }
    }

    static let all: [Rule] = imports + words + sizes + tests + descriptors + paths
}

/// Does `word` stand in `line` with nothing before it that would make it part of a longer one?
func contains(_ word: String, in line: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    let bytes = Array(line.utf8)
    let wanted = Array(word.utf8)
    guard bytes.count >= wanted.count else { return false }
    for start in 0...(bytes.count - wanted.count)
    where bytes[start] == first && bytes[start..<start + wanted.count].elementsEqual(wanted) {
        let isFree = start == 0 || !isWordByte(first) || !isWordByte(bytes[start - 1])
        let end = start + wanted.count
        let isWhole = end == bytes.count || !isWordByte(wanted[wanted.count - 1]) || !isWordByte(bytes[end])
        if isFree && isWhole { return true }
    }
    return false
}

func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
    default:
        byte >= 0x80
    }
}
