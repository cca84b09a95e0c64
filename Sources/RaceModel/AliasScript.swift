/// The writing systems an alias can be in. The standard library does not tell a character's script, so the
/// ranges are kept here; a letter outside of all of them (mathematical letters, half-width forms, lone parts
/// of Korean syllables, dead scripts) is refused.
package enum AliasScript: UInt8, CaseIterable, Hashable, Sendable {
    case latin = 0
    case greek, cyrillic, armenian, hebrew, arabic, devanagari, bengali, gurmukhi, gujarati, oriya, tamil,
        telugu
    case kannada, malayalam, sinhala, thai, lao, tibetan, burmese, georgian, korean, ethiopic, cherokee, khmer
    case mongolian, hiragana, katakana, bopomofo, chinese

    /// For people, behind "mixes" and before "letters".
    package var name: String {
        switch self {
        case .latin: "Latin"
        case .greek: "Greek"
        case .cyrillic: "Cyrillic"
        case .armenian: "Armenian"
        case .hebrew: "Hebrew"
        case .arabic: "Arabic"
        case .devanagari: "Devanagari"
        case .bengali: "Bengali"
        case .gurmukhi: "Gurmukhi"
        case .gujarati: "Gujarati"
        case .oriya: "Oriya"
        case .tamil: "Tamil"
        case .telugu: "Telugu"
        case .kannada: "Kannada"
        case .malayalam: "Malayalam"
        case .sinhala: "Sinhala"
        case .thai: "Thai"
        case .lao: "Lao"
        case .tibetan: "Tibetan"
        case .burmese: "Burmese"
        case .georgian: "Georgian"
        case .korean: "Korean"
        case .ethiopic: "Ethiopic"
        case .cherokee: "Cherokee"
        case .khmer: "Khmer"
        case .mongolian: "Mongolian"
        case .hiragana: "Hiragana"
        case .katakana: "Katakana"
        case .bopomofo: "Bopomofo"
        case .chinese: "Chinese"
        }
    }

    /// Nil outside of all ranges. What in a range is a letter, a digit or a mark is decided elsewhere.
    package init?(of scalar: Unicode.Scalar) {
        let value = scalar.value
        var low = 0
        var high = Self.ranges.count
        while low < high {
            let middle = (low + high) / 2
            if Self.ranges[middle].range.upperBound < value { low = middle + 1 } else { high = middle }
        }
        guard low < Self.ranges.count, Self.ranges[low].range.contains(value) else { return nil }
        self = Self.ranges[low].script
    }

    /// In ascending order, without overlaps.
    package static let ranges: [(range: ClosedRange<UInt32>, script: AliasScript)] = [
        (0x0041...0x005a, .latin), (0x0061...0x007a, .latin), (0x00c0...0x00d6, .latin),
        (0x00d8...0x00f6, .latin), (0x00f8...0x0131, .latin), (0x0134...0x013e, .latin),
        (0x0141...0x0148, .latin), (0x014a...0x017f, .latin), (0x0181...0x0181, .latin),
        (0x0186...0x0186, .latin), (0x018a...0x018a, .latin), (0x018f...0x0190, .latin),
        (0x0198...0x0199, .latin), (0x01a0...0x01a1, .latin), (0x01af...0x01b0, .latin),
        (0x01b3...0x01b4, .latin), (0x01cd...0x01dc, .latin), (0x01e6...0x01ef, .latin),
        (0x01f4...0x021b, .latin), (0x0226...0x0233, .latin), (0x0253...0x0254, .latin),
        (0x0257...0x0257, .latin), (0x0259...0x0259, .latin), (0x025b...0x025b, .latin),
        (0x0386...0x0386, .greek), (0x0388...0x03ce, .greek), (0x0400...0x0481, .cyrillic),
        (0x048a...0x052f, .cyrillic), (0x0531...0x0556, .armenian), (0x0561...0x0587, .armenian),
        (0x05b0...0x05bd, .hebrew), (0x05c1...0x05c2, .hebrew), (0x05d0...0x05ea, .hebrew),
        (0x0620...0x063f, .arabic), (0x0641...0x0655, .arabic), (0x0660...0x0669, .arabic),
        (0x0671...0x0674, .arabic), (0x0679...0x06d3, .arabic), (0x06ee...0x06fc, .arabic),
        (0x0900...0x097f, .devanagari), (0x0980...0x09ff, .bengali), (0x0a00...0x0a7f, .gurmukhi),
        (0x0a80...0x0aff, .gujarati), (0x0b00...0x0b7f, .oriya), (0x0b80...0x0bff, .tamil),
        (0x0c00...0x0c7f, .telugu), (0x0c80...0x0cff, .kannada), (0x0d00...0x0d7f, .malayalam),
        (0x0d80...0x0dff, .sinhala), (0x0e00...0x0e7f, .thai), (0x0e80...0x0eff, .lao),
        (0x0f00...0x0fff, .tibetan), (0x1000...0x109f, .burmese), (0x10d0...0x10fa, .georgian),
        (0x1200...0x135a, .ethiopic), (0x13a0...0x13fd, .cherokee), (0x1780...0x17e9, .khmer),
        (0x1810...0x1878, .mongolian), (0x1c90...0x1cba, .georgian), (0x1e00...0x1e99, .latin),
        (0x1e9e...0x1e9e, .latin), (0x1ea0...0x1ef9, .latin), (0x3005...0x3005, .chinese),
        (0x3041...0x309e, .hiragana), (0x30a1...0x30fe, .katakana), (0x3105...0x312f, .bopomofo),
        (0x3400...0x4dbf, .chinese), (0x4e00...0x9fff, .chinese), (0xab70...0xabbf, .cherokee),
        (0xac00...0xd7a3, .korean), (0xff21...0xff3a, .latin), (0xff41...0xff5a, .latin),
    ]
}

/// The scripts of one alias. One may stand alone; of several only those that are written together, as in
/// Unicode's "highly restrictive" profile (UTS 39): Latin and Chinese characters with the Japanese
/// syllabaries, with Bopomofo, or with Korean. All other mixtures are refused: nearly all of them are there
/// to deceive.
struct AliasScripts {
    private var first: AliasScript?
    private var bits: UInt32 = 0

    private static func bits(_ scripts: [AliasScript]) -> UInt32 {
        scripts.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
    }
    private static let together: [UInt32] = [
        Self.bits([.latin, .chinese, .hiragana, .katakana]), Self.bits([.latin, .chinese, .bopomofo]),
        Self.bits([.latin, .chinese, .korean]),
    ]

    mutating func insert(_ script: AliasScript) throws(AliasFault) {
        guard let first = self.first else {
            self.first = script
            self.bits = Self.bits([script])
            return
        }
        let joined = self.bits | 1 << UInt32(script.rawValue)
        if joined == self.bits { return }
        guard Self.together.contains(where: { joined & ~$0 == 0 }) else { throw .mixedScripts(first, script) }
        self.bits = joined
    }
}
