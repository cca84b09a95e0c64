/// A JSON object that is written as it is built; keys keep their order.
struct JSONText {
    private(set) var text = "{"
    private var isFirst = true

    /// The object, closed.
    var closed: String { self.text + "}" }

    mutating func add(_ key: String, _ value: String) { self.add(key, raw: Self.quoted(value)) }
    mutating func add(_ key: String, _ value: Int) { self.add(key, raw: String(value)) }
    mutating func add(_ key: String, _ value: Bool) { self.add(key, raw: value ? "true" : "false") }
    /// Rounded to six places; never in powers of ten. What is no number becomes null.
    mutating func add(_ key: String, _ value: Double?) {
        guard let value, value.isFinite, abs(value) < 1e12 else { return self.add(key, raw: "null") }
        let millionths = Int64((value * 1_000_000).rounded())
        let (whole, part) = abs(millionths).quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(part)
        let zeros = String(repeating: "0", count: 6 - digits.count)
        self.add(key, raw: (millionths < 0 ? "-" : "") + "\(whole).\(zeros)\(digits)")
    }
    mutating func add(_ key: String, _ value: JSONText) { self.add(key, raw: value.closed) }
    mutating func add(_ key: String, _ values: [JSONText]) {
        self.add(key, raw: "[" + values.map(\.closed).joined(separator: ",") + "]")
    }

    private mutating func add(_ key: String, raw: String) {
        self.text += (self.isFirst ? "" : ",") + Self.quoted(key) + ":" + raw
        self.isFirst = false
    }

    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case " "..."~": out.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return out + "\""
    }
}
