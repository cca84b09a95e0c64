/// What one scalar is to an alias.
enum AliasScalar {
    case letter(AliasScript)
    /// Nil: written with every script (ASCII and full-width digits).
    case digit(AliasScript?)
    case emoji
    /// `_`, `-` and `.`
    case punctuation
    /// Nil: the common accents, for letters of every script.
    case mark(AliasScript?)
    case refused(AliasFault.Kind)

    init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "_", "-", ".": self = .punctuation
        case "0"..."9", "\u{ff10}"..."\u{ff19}": self = .digit(nil)
        case "\u{300}"..."\u{331}": self = .mark(nil)
        default: self = Self.byProperties(of: scalar)
        }
    }

    private static func byProperties(of scalar: Unicode.Scalar) -> AliasScalar {
        let properties = scalar.properties
        // Fillers and joiners are letters or marks by category and show nothing.
        if properties.isDefaultIgnorableCodePoint { return .refused(.invisible) }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            return AliasScript(of: scalar).map { .letter($0) } ?? .refused(.unusualLetter)
        case .decimalNumber: return AliasScript(of: scalar).map { .digit($0) } ?? .refused(.symbol)
        case .nonspacingMark, .spacingMark:
            return AliasScript(of: scalar).map { .mark($0) } ?? .refused(.symbol)
        case .otherSymbol:
            if (0x1f1e6...0x1f1ff).contains(scalar.value) { return .refused(.flag) }
            return properties.isEmojiPresentation ? .emoji : .refused(.symbol)
        case .modifierSymbol: return .refused(properties.isEmojiModifier ? .flag : .symbol)
        case .control, .surrogate: return .refused(.control)
        case .format, .privateUse, .unassigned: return .refused(.invisible)
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return .refused(.space)
        case .enclosingMark, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
            .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
            .mathSymbol, .currencySymbol:
            return .refused(.symbol)
        @unknown default: return .refused(.symbol)
        }
    }
}
