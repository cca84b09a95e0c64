import Glibc
import ServerRuntime
import WireProtocol

/// `ctl [--control PATH] VERB ...` as a line for the control socket.
struct ControlLine: Equatable {
    /// Without its end.
    var text: String
    var path: String

    private static let variable = "CATRACE_CONTROL"

    /// The arguments behind `ctl`.
    /// - Parameter folder: the directory we are in, for a path that does not begin with `/`.
    static func parse(
        _ arguments: ArraySlice<String>, environment: [(String, String)], folder: String = Self.folder
    ) throws(SettingFault) -> ControlLine {
        var path = environment.first { $0.0 == Self.variable }?.1
        var rest = arguments
        while let flag = rest.first, flag.hasPrefix("--") {
            rest.removeFirst()
            if flag.hasPrefix("--control=") {
                path = String(flag.dropFirst("--control=".count))
            } else if flag == "--control", let value = rest.popFirst() {
                path = value
            } else {
                throw SettingFault(
                    "ctl takes --control PATH and a verb, not '\(Options.printable(flag))': ctl help lists the verbs"
                )
            }
        }
        guard let path, !path.isEmpty else {
            throw SettingFault("ctl needs the server's socket: --control PATH, or \(Self.variable)")
        }
        guard let verb = rest.popFirst() else {
            throw SettingFault("ctl needs a verb: ctl --control \(Options.printable(path)) help lists them")
        }
        var words = Array(rest)
        if verb == "backup", let file = words.first, !file.hasPrefix("/") { words[0] = folder + "/" + file }
        return ControlLine(text: ([verb] + words).map(Self.word).joined(separator: " "), path: path)
    }

    /// A word of the command line as one of the line: what a shell took the quotes off gets them again.
    private static func word(_ word: String) -> String {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex,
            word[..<equals].utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { return Self.value(word) }
        return word[...equals] + Self.value(String(word[word.index(after: equals)...]))
    }

    private static func value(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.appendValue(text)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static var folder: String {
        guard let text = unsafe getcwd(nil, 0) else { return "" }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
