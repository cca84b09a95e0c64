/// One row of a screen: pieces of text, each in one style.
package struct ScreenRow: Hashable, Sendable {
    package enum Style: UInt8, Sendable {
        case plain, title, dim, own, onTurn, warning, good, strong
    }

    package struct Piece: Hashable, Sendable {
        package var text: String
        package var style: Style
    }

    package private(set) var pieces: [Piece] = []
    package private(set) var width = 0

    package init() {}

    package init(_ text: String, _ style: Style = .plain) { self.append(text, style) }

    package mutating func append(_ text: String, _ style: Style = .plain) {
        guard !text.isEmpty else { return }
        self.pieces.append(Piece(text: text, style: style))
        self.width += DisplayText.width(text)
    }

    /// Fills up with spaces.
    package mutating func pad(to column: Int) {
        if column > self.width { self.append(String(repeating: " ", count: column - self.width)) }
    }

    /// No more than so many columns.
    package func cut(to columns: Int) -> ScreenRow {
        guard self.width > columns else { return self }
        var row = ScreenRow()
        for piece in self.pieces {
            let room = columns - row.width
            guard room > 0 else { break }
            row.append(DisplayText.cut(piece.text, to: room), piece.style)
        }
        return row
    }

    /// Without styles and without spaces at its end.
    package var text: String {
        var text = self.pieces.map(\.text).joined()
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    /// As a terminal that knows colours wants it.
    package var coloured: String {
        self.pieces.map { piece in
            Self.code(piece.style).map { "\u{1B}[\($0)m\(piece.text)\u{1B}[0m" } ?? piece.text
        }.joined()
    }

    private static func code(_ style: Style) -> String? {
        switch style {
        case .plain: nil
        case .title: "1;36"
        case .dim: "2"
        case .own: "1;32"
        case .onTurn: "1;33"
        case .warning: "1;31"
        case .good: "32"
        case .strong: "1"
        }
    }
}
