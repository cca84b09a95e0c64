// What text lines need of bytes. Lines are never looked at by `Character`: CR LF is one of those.
extension Collection<UInt8> {
    /// ASCII letters compared in any case.
    func equalsIgnoringCase(_ text: String) -> Bool {
        let other = text.utf8
        guard self.count == other.count else { return false }
        for (left, right) in zip(self, other) where left.asciiLowercased != right.asciiLowercased {
            return false
        }
        return true
    }

    /// A decimal number; what is wrong otherwise.
    func decimal<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type) -> DecimalResult<Number> {
        guard !self.isEmpty else { return .notANumber }
        var result: Number = 0
        var tooBig = false
        for byte in self {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return .notANumber }
            guard !tooBig else { continue }
            let (product, over) = result.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Number(byte - UInt8(ascii: "0")))
            tooBig = over || carry
            result = sum
        }
        return tooBig ? .tooBig : .number(result)
    }
}

enum DecimalResult<Number> {
    case number(Number)
    case notANumber
    case tooBig
}

extension UInt8 {
    var asciiLowercased: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
