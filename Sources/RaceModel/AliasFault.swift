/// Why a text is no alias a player can have. The message says what is wrong and what would be right; it never
/// holds a character of the text itself.
package enum AliasFault: Error, Hashable, Sendable {
    /// Why a single character is refused.
    package enum Kind: Hashable, Sendable { case control, space, invisible, symbol, unusualLetter, flag }

    case empty
    case tooManyScalars(Int)
    case tooManyBytes(Int)
    case notAllowed(Unicode.Scalar, Kind)
    case misplacedMark(Unicode.Scalar)
    case tooManyMarks(Unicode.Scalar)
    case mixedScripts(AliasScript, AliasScript)
    case nothingToRead
    case reserved

    package var message: String {
        switch self {
        case .empty: "the alias is empty; use 1 to 20 letters, digits or _ - ."
        case .tooManyScalars(let count):
            "the alias has \(count) characters; at most \(Limits.aliasScalars) fit"
        case .tooManyBytes(let count): "the alias takes \(count) bytes; at most \(Limits.aliasBytes) fit"
        case .notAllowed(let scalar, let kind): Self.message(for: scalar, kind)
        case .misplacedMark(let scalar):
            "the accent \(Self.name(of: scalar)) stands alone; put it directly behind a letter"
        case .tooManyMarks: "a letter in the alias has more than 2 accents; use 1 or 2"
        case .mixedScripts(let first, let second):
            "the alias mixes \(first.name) and \(second.name) letters; use letters of one alphabet"
        case .nothingToRead: "the alias is only punctuation; use at least one letter or digit"
        case .reserved: "that alias is kept for the server's own use; choose another one"
        }
    }

    private static func message(for scalar: Unicode.Scalar, _ kind: Kind) -> String {
        let name = self.name(of: scalar)
        return switch kind {
        case .control: "the alias holds a control character (\(name)); use letters, digits or _ - ."
        case .space: "the alias holds a space (\(name)); use _ - or . in its place"
        case .invisible: "the alias holds an invisible character (\(name)); leave it out"
        case .symbol: "\(name) is not allowed in an alias; use letters, digits or _ - ."
        case .unusualLetter:
            "the letter \(name) is not allowed in an alias; use the letters of a living alphabet"
        case .flag: "\(name) is part of a flag or a combined emoji; use a simple emoji"
        }
    }

    /// `U+202E`
    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
