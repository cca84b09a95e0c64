package import ServerCore

/// How a log line is written: one line an event, nothing a player wrote unescaped.
package enum LogFormat: Hashable, Sendable {
    /// `key=value` pairs.
    case text
    /// An object; every value is a string, as in the text form.
    case json

    /// A value's UTF-8 bytes; a longer one is cut and ends in `...`.
    static let valueBytes = 200

    /// With the newline. `leftOut` counts earlier lines of this event that were not written.
    package func line(_ line: LogLine, time: String, leftOut: Int = 0) -> String {
        switch self {
        case .text: Self.textLine(line, time: time, leftOut: leftOut)
        case .json: Self.jsonLine(line, time: time, leftOut: leftOut)
        }
    }

    private static func jsonLine(_ line: LogLine, time: String, leftOut: Int) -> String {
        var text = "{\"time\":\"\(time)\",\"level\":\"\(line.level)\",\"event\":\"\(line.event)\""
        for field in line.fields { text += ",\(Self.jsonString(field.key)):\(Self.jsonString(field.value))" }
        if leftOut > 0 { text += ",\"left-out\":\"\(leftOut)\"" }
        return text + "}\n"
    }

    /// Of printable ASCII alone, cut as in the text form.
    private static func jsonString(_ value: String) -> String {
        var text = "\""
        var bytes = 0
        for scalar in value.unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > Self.valueBytes {
                text += "..."
                break
            }
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case " "..."~": text.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return text + "\""
    }

    private static func textLine(_ line: LogLine, time: String, leftOut: Int) -> String {
        var text = "time=\(time) level=\(line.level) event=\(line.event)"
        for field in line.fields { text += " \(field.key)=\(Self.value(field.value))" }
        if leftOut > 0 { text += " left-out=\(leftOut)" }
        return text + "\n"
    }

    /// Plain as it is; anything else in quotes, with all but printable ASCII escaped.
    package static func value(_ value: String) -> String {
        if !value.isEmpty, value.utf8.count <= Self.valueBytes, value.utf8.allSatisfy(Self.isPlain) {
            return value
        }
        var text = "\""
        var bytes = 0
        for scalar in value.unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > Self.valueBytes {
                text += "..."
                break
            }
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case " "..."~": text.unicodeScalars.append(scalar)
            default: text += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return text + "\""
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
            UInt8(ascii: "+"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
