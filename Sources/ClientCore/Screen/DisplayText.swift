/// How wide text is on a terminal, in columns.
package enum DisplayText {
    package static func width(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + self.width($1) }
    }

    /// 0 for what is drawn onto the scalar before it, 2 for wide letters and emoji, 1 for the rest.
    package static func width(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(value) { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    /// As much of it as fits; `~` stands for what did not.
    package static func cut(_ text: String, to columns: Int) -> String {
        guard self.width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var kept = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            let width = self.width(scalar)
            guard used + width <= columns - 1 else { break }
            used += width
            kept.append(scalar)
        }
        return String(kept) + "~"
    }

    /// Text from outside, without anything that could steer a terminal, and with right-to-left text kept to
    /// itself.
    package static func harmless(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        var turnsRight = false
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator:
                shown.append("?")
            default: shown.append(scalar)
            }
            turnsRight = turnsRight || Self.isRightToLeft(scalar)
        }
        return turnsRight ? "\u{2068}\(String(shown))\u{2069}" : String(shown)
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
