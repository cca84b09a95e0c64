extension Alias {
    /// Most combining marks one letter carries.
    private static let marksPerLetter = 2

    static func checkShape(of text: String) throws(AliasFault) {
        // Bytes first: everything behind this is bounded, whatever was sent.
        let bytes = text.utf8.count
        if bytes == 0 { throw .empty }
        if bytes > Limits.aliasBytes { throw .tooManyBytes(bytes) }
        if text.utf8.allSatisfy(Self.isPlainASCII) { return try Self.checkPlain(text, length: bytes) }

        var count = 0
        var visible = false
        var scripts = AliasScripts()
        var marks: Int?  // on the letter just read; nil where no mark may follow
        for scalar in text.unicodeScalars {
            count += 1
            switch AliasScalar(scalar) {
            case .letter(let script):
                try scripts.insert(script)
                visible = true
                marks = 0
            case .digit(let script):
                if let script { try scripts.insert(script) }
                visible = true
                marks = nil
            case .emoji:
                visible = true
                marks = nil
            case .punctuation: marks = nil
            case .mark(let script):
                guard let before = marks else { throw .misplacedMark(scalar) }
                if before == Self.marksPerLetter { throw .tooManyMarks(scalar) }
                if let script { try scripts.insert(script) }
                marks = before + 1
            case .refused(let kind): throw .notAllowed(scalar, kind)
            }
        }
        if count > Limits.aliasScalars { throw .tooManyScalars(count) }
        if !visible { throw .nothingToRead }
    }

    private static func checkPlain(_ text: String, length: Int) throws(AliasFault) {
        if length > Limits.aliasScalars { throw .tooManyScalars(length) }
        if !text.utf8.contains(where: Self.isASCIILetterOrDigit) { throw .nothingToRead }
    }

    private static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    /// A letter, a digit, `_`, `-` or `.`.
    private static func isPlainASCII(_ byte: UInt8) -> Bool {
        Self.isASCIILetterOrDigit(byte) || byte == 0x5f || byte == 0x2d || byte == 0x2e
    }
}
