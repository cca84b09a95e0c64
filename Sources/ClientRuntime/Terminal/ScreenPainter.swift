package import ClientCore

/// Turns screens into what a terminal must be sent: only the rows that changed, in one piece.
package struct ScreenPainter: Sendable {
    private var shown: [ScreenRow] = []
    private let hasColours: Bool

    package init(hasColours: Bool) { self.hasColours = hasColours }

    /// The next frame is drawn whole: the screen was cleared or has another size.
    package mutating func invalidate() { self.shown = [] }

    /// - Parameter columns: the width of the screen.
    package mutating func frame(_ rows: [ScreenRow], columns: Int) -> [UInt8] {
        var text = ""
        if self.shown.count != rows.count {
            self.shown = []
            text += "\u{1B}[2J"
        }
        for (index, row) in rows.enumerated() where self.shown.isEmpty || self.shown[index] != row {
            text += "\u{1B}[\(index + 1);1H"
            text += self.hasColours ? row.coloured : row.text
            // Behind a full row the cursor still stands on its last column, and would clear it.
            if row.width < columns { text += "\u{1B}[K" }
        }
        self.shown = rows
        return Array(text.utf8)
    }
}
