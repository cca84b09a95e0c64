import RaceModel
import ServerCore
import ServerRuntime

/// What the command line asks for.
enum Options {
    case run(ServerSettings, connectionsGiven: Bool)
    case help
    case version

    /// The command line is wrong: one sentence that names the flag and what is legal.
    struct Mistake: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    private static let seconds = 1...86_400

    /// The arguments behind the program's name: `--flag value` or `--flag=value`, a later one wins.
    static func parse(_ arguments: [String]) throws(Mistake) -> Options {
        var settings = ServerSettings()
        var connectionsGiven = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            let attached = parts.count == 2 ? String(parts[1]) : nil
            if ["--help", "-h", "--version"].contains(flag) {
                guard attached == nil else { throw Mistake("\(flag) takes no value") }
                return flag == "--version" ? .version : .help
            }
            guard Self.flags.contains(flag) else {
                let what = argument.hasPrefix("-") ? "there is no flag" : "what is meant by"
                throw Mistake("\(what) '\(Self.printable(flag))'? The flags are \(Self.flagList)")
            }
            guard let value = attached ?? rest.popFirst() else { throw Mistake("\(flag) needs a value") }
            connectionsGiven = connectionsGiven || flag == "--connections"
            try Self.set(flag, value, in: &settings)
        }
        return .run(settings, connectionsGiven: connectionsGiven)
    }

    private static let flags = [
        "--host", "--port", "--seed", "--fill-seconds", "--number-seconds", "--start-seconds",
        "--turn-seconds",
        "--idle-seconds", "--grace-seconds", "--rematch-seconds", "--connections", "--log-level",
    ]

    private static var flagList: String {
        (Self.flags + ["--version"]).joined(separator: ", ") + " and --help"
    }

    private static func set(
        _ flag: String, _ value: String, in settings: inout ServerSettings
    ) throws(Mistake) {
        switch flag {
        case "--host":
            guard !value.isEmpty else {
                throw Mistake("--host must be an IPv4 or IPv6 address of this machine, or localhost")
            }
            settings.host = value
        case "--port": settings.port = UInt16(try Self.number(flag, value, 0...65_535))
        case "--seed":
            guard Self.isDigits(value), let seed = UInt64(value) else {
                throw Self.mistake(flag, "a whole number from 0 to \(UInt64.max)", value)
            }
            settings.seed = seed
        case "--connections": settings.connections = try Self.number(flag, value, 1...1_000_000)
        case "--log-level":
            switch value {
            case "debug": settings.logLevel = .debug
            case "info": settings.logLevel = .info
            case "warning": settings.logLevel = .warning
            case "error": settings.logLevel = .error
            default: throw Self.mistake(flag, "debug, info, warning or error", value)
            }
        default:
            let span = Instant.Span.seconds(try Self.number(flag, value, Self.seconds))
            switch flag {
            case "--fill-seconds": settings.core.deadlines.fill = span
            case "--number-seconds": settings.core.deadlines.number = span
            case "--start-seconds": settings.core.deadlines.start = span
            case "--turn-seconds": settings.core.deadlines.turn = span
            case "--idle-seconds": settings.core.deadlines.idle = span
            case "--grace-seconds": settings.core.deadlines.grace = span
            default: settings.core.deadlines.rematch = span
            }
        }
    }

    private static func number(
        _ flag: String, _ value: String, _ range: ClosedRange<Int>
    ) throws(Mistake) -> Int {
        guard Self.isDigits(value), let number = Int(value), range.contains(number) else {
            throw Self.mistake(flag, "a whole number from \(range.lowerBound) to \(range.upperBound)", value)
        }
        return number
    }

    private static func isDigits(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func mistake(_ flag: String, _ legal: String, _ value: String) -> Mistake {
        Mistake("\(flag) must be \(legal), not '\(Self.printable(value))'")
    }

    private static func printable(_ text: String) -> String {
        var cut = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(60) {
            cut.append((" "..."~").contains(scalar) ? scalar : "?")
        }
        return String(cut)
    }
}
