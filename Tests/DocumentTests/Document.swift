import Foundation

/// A page of `Protocol/`, with its fenced blocks and its tables.
struct Document {
    /// A fenced block: what stands behind the fence, and the lines inside.
    struct Block {
        /// The first word: `session`, `vector`, `shell`.
        var kind: String
        /// Words `key=value`; words without a value have an empty one.
        var options: [String: String]
        var lines: [String]
        /// Where the lines are on the page.
        var range: Range<Int>
        /// The heading it stands under.
        var heading: String
    }

    /// The rows of a table, cells trimmed, without the head.
    struct Table {
        var heading: String
        var head: [String]
        var rows: [[String]]
    }

    let name: String
    private(set) var lines: [String]

    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Protocol")
    static let repository = directory.deletingLastPathComponent()

    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)
        self.lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var text: String { self.lines.joined(separator: "\n") }

    func save() throws {
        try self.text.write(
            to: Self.directory.appending(path: self.name), atomically: true, encoding: .utf8)
    }

    mutating func replace(_ block: Block, with lines: [String]) {
        self.lines.replaceSubrange(block.range, with: lines)
    }

    var blocks: [Block] {
        var blocks: [Block] = []
        var heading = ""
        var open: (info: [Substring], start: Int)?
        for (index, line) in self.lines.enumerated() {
            if line.hasPrefix("```") {
                if let begun = open {
                    blocks.append(self.block(begun.info, begun.start..<index, heading))
                    open = nil
                } else {
                    open = (line.dropFirst(3).split(separator: " "), index + 1)
                }
            } else if open == nil, line.hasPrefix("#") {
                heading = line.drop { $0 == "#" || $0 == " " }.description
            }
        }
        return blocks
    }

    private func block(_ info: [Substring], _ range: Range<Int>, _ heading: String) -> Block {
        var options: [String: String] = [:]
        for word in info.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            options[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
        }
        return Block(
            kind: info.first.map(String.init) ?? "", options: options, lines: Array(self.lines[range]),
            range: range, heading: heading)
    }

    var tables: [Table] {
        var tables: [Table] = []
        var heading = ""
        var isInTable = false
        var isInBlock = false
        for line in self.lines {
            if line.hasPrefix("```") { isInBlock.toggle() }
            if isInBlock { continue }
            if line.hasPrefix("#") { heading = line.drop { $0 == "#" || $0 == " " }.description }
            guard line.hasPrefix("|") else {
                isInTable = false
                continue
            }
            let cells = Self.cells(line)
            if !isInTable {
                tables.append(Table(heading: heading, head: cells, rows: []))
                isInTable = true
            } else if !cells.allSatisfy({ $0.allSatisfy { "-:".contains($0) } }) {
                tables[tables.count - 1].rows.append(cells)
            }
        }
        return tables
    }

    /// The one table under this heading.
    func table(under heading: String) -> Table? { self.tables.first { $0.heading == heading } }

    /// Behind its head and the line under it, the table gets these rows.
    mutating func replaceRows(under heading: String, with rows: [[String]]) {
        guard let start = self.lines.firstIndex(where: { $0.hasPrefix("#") && $0.hasSuffix(" \(heading)") }),
            let head = self.lines[start...].firstIndex(where: { $0.hasPrefix("|") })
        else { return }
        let end = self.lines[head...].firstIndex { !$0.hasPrefix("|") } ?? self.lines.endIndex
        self.lines.replaceSubrange(
            min(head + 2, end)..<end, with: rows.map { "| \($0.joined(separator: " | ")) |" })
    }

    /// `\|` inside a cell is a bar.
    private static func cells(_ line: String) -> [String] {
        line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst()
            .dropLast().map { $0.replacing("\u{1}", with: "|").trimmingCharacters(in: .whitespaces) }
    }
}

extension String {
    /// Without the backticks around it.
    var uncoded: String { self.replacing("`", with: "") }
}
