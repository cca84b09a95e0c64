/// What is wrong with something that should be a record.
package struct RecordFault: Error, Hashable, Sendable {
    /// The first line that does not fit, from 1; nil where there are no lines.
    package var line: Int?
    /// What is wrong, and what would be right.
    package var text: String

    package init(line: Int? = nil, text: String) {
        self.line = line
        self.text = text
    }
}
