/// The text of a settings file: a `key = value` a line. A `#` at the beginning, or behind a blank, begins a comment.
package struct SettingsFile: Sendable {
    package struct Entry: Hashable, Sendable {
        /// From 1.
        package var line: Int
        package var key: String
        package var value: String
    }

    package static let mostBytes = 64 * 1024

    package var path: String
    package private(set) var entries: [Entry] = []

    /// - Parameter path: for the messages.
    package init(_ text: String, path: String) throws(SettingFault) {
        self.path = path
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let trimmed = Self.trim(Self.withoutComment(line))
            guard !trimmed.isEmpty else { continue }
            guard let equals = trimmed.firstIndex(of: "=") else {
                throw SettingFault(
                    "\(path) line \(index + 1): a line is `key = value`, not '\(PrintableText.of(trimmed))'")
            }
            let key = Self.trim(trimmed[..<equals])
            let value = Self.trim(trimmed[trimmed.index(after: equals)...])
            if let earlier = self.entries.first(where: { $0.key == key }) {
                throw SettingFault(
                    "\(path) line \(index + 1): \(PrintableText.of(key)) is set in line \(earlier.line) already"
                )
            }
            self.entries.append(Entry(line: index + 1, key: key, value: value))
        }
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        var before: Character = " "
        for index in line.indices {
            if line[index] == "#", before == " " || before == "\t" { return line[..<index] }
            before = line[index]
        }
        return line
    }

    static func trim(_ text: some StringProtocol) -> String {
        func isBlank(_ character: Character) -> Bool {
            character == " " || character == "\t" || character == "\r"
        }
        let start = text.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(start[...last])
    }
}
