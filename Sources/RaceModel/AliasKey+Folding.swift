extension AliasKey {
    /// Folds until nothing changes: composing may bring up a letter that has its own row in the table.
    static func fold(_ text: String) -> String {
        if let plain = Self.foldPlain(text) { return plain }
        var text = Self.normalize(text)
        for _ in 0..<4 {
            let folded = Self.foldOnce(text)
            if folded == text { break }
            text = folded
        }
        return text
    }

    private static func foldOnce(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        var dotted = false
        for scalar in text.unicodeScalars {
            // A dot on an i shows no difference, and İ is such an i in lower case.
            if scalar == "\u{307}" && dotted { continue }
            let representative = Self.fold(scalar).unicodeScalars
            folded.append(contentsOf: representative)
            if !(0x300...0x331).contains(scalar.value), let base = representative.first {
                dotted = base == "l" || base == "j" || base == "\u{1e37}"  // ḷ, of ị
            }
        }
        return Self.normalize(String(folded))
    }

    /// One scalar: width, then digits by value, then case (up and down again, so that ſ and s, ς and σ meet),
    /// then the table of look-alikes.
    package static func fold(_ scalar: Unicode.Scalar) -> String {
        var scalar = scalar
        if (0xff01...0xff5e).contains(scalar.value), let narrow = Unicode.Scalar(scalar.value - 0xfee0) {
            scalar = narrow
        }
        let properties = scalar.properties
        if properties.generalCategory == .decimalNumber, let value = properties.numericValue,
            let digit = Unicode.Scalar(0x30 + UInt32(value))
        {
            scalar = digit
        }
        var folded = ""
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            for lower in upper.properties.lowercaseMapping.unicodeScalars {
                if let representative = AliasLookAlikes.table[lower.value] {
                    folded += representative
                } else {
                    folded.unicodeScalars.append(lower)
                }
            }
        }
        return folded
    }

    /// Normal form C. The standard library compares by it but has no other public way to it than this
    /// property; the tests know its results.
    private static func normalize(_ text: String) -> String {
        String(decoding: text._nfcCodeUnits, as: UTF8.self)
    }

    /// The same for ASCII alone, as nearly all aliases are; nil for anything else.
    private static func foldPlain(_ text: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30: bytes.append(0x6f)  // 0 as o
            case 0x31, 0x49, 0x69: bytes.append(0x6c)  // 1, I and i as l
            case 0x41...0x5a: bytes.append(byte + 0x20)
            case 0x00...0x7f: bytes.append(byte)
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
