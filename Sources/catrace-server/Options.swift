import ServerRuntime

/// What the command line asks for.
enum Options {
    case run(EffectiveSettings)
    case printConfig(EffectiveSettings)
    case tool(ToolOptions)
    /// Does the server with these settings answer?
    case health(EffectiveSettings)
    /// A line to the server that listens for operators there.
    case control(line: String, path: String)
    /// The manual; of one verb, if it is named.
    case help(of: String? = nil)
    case version

    /// Beside serving.
    static let verbs = ToolOptions.verbs + ["health", "ctl"]

    /// The arguments behind the program's name: `--flag value` or `--flag=value`, a later one wins.
    /// - Parameter read: the text of a settings file.
    static func parse(
        _ arguments: [String], environment: [(String, String)],
        read: (String) throws(SettingFault) -> String
    ) throws(SettingFault) -> Options {
        var flags: [(key: String, value: String)] = []
        var config = environment.first { $0.0 == Self.configVariable }?.1
        var printsConfig = false
        var rest = arguments[...]
        if let help = try Self.help(rest) { return help }
        if let verb = rest.first, ToolOptions.verbs.contains(verb) {
            return .tool(try ToolOptions.parse(verb, rest.dropFirst(), environment: environment))
        }
        if rest.first == "ctl" {
            let line = try ControlLine.parse(rest.dropFirst(), environment: environment)
            return .control(line: line.text, path: line.path)
        }
        let asksHealth = rest.first == "health"
        if asksHealth { rest.removeFirst() }
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            let attached = parts.count == 2 ? String(parts[1]) : nil
            switch flag {
            case "--help", "-h", "--version", "--print-config":
                guard attached == nil else { throw SettingFault("\(flag) takes no value") }
                if flag != "--print-config" { return flag == "--version" ? .version : .help() }
                printsConfig = true
            case "--config": config = try Self.value(of: flag, attached, &rest)
            default:
                guard flag.hasPrefix("--") else {
                    throw SettingFault("what is meant by '\(Self.printable(flag))'? A flag begins with --")
                }
                let key = String(flag.dropFirst(2))
                guard let setting = EffectiveSettings.setting(key) else {
                    throw EffectiveSettings.unknownFlag(key)
                }
                let value = setting.isSwitch ? attached ?? "yes" : try Self.value(of: flag, attached, &rest)
                flags.append((key, value))
            }
        }
        var file: SettingsFile?
        if let config { file = try SettingsFile(try read(config), path: config) }
        let effective = try EffectiveSettings(
            file: file, environment: environment.filter { $0.0 != Self.configVariable }, flags: flags)
        guard !effective.settings.inMemory || !effective.isSet("data") else {
            throw SettingFault("memory keeps nothing, and data keeps all in a directory: choose one")
        }
        if asksHealth { return .health(effective) }
        return printsConfig ? .printConfig(effective) : .run(effective)
    }

    /// `help`, `help VERB` or `VERB --help`; nil: something else is wanted.
    private static func help(_ words: ArraySlice<String>) throws(SettingFault) -> Options? {
        guard let first = words.first else { return nil }
        if first == "help" {
            guard let verb = words.dropFirst().first else { return .help() }
            guard words.count == 2, Self.verbs.contains(verb) else {
                throw SettingFault(
                    "there is no help on '\(Self.printable(words.dropFirst().joined(separator: " ")))': help alone"
                        + " is the whole manual, and \(Self.verbs.joined(separator: ", ")) have one of their own"
                )
            }
            return .help(of: verb)
        }
        // Behind the verb of `ctl` it is a word to say.
        let asked = first == "ctl" ? words.dropFirst().prefix(1) : words.dropFirst()
        guard Self.verbs.contains(first), asked.contains("--help") || asked.contains("-h") else { return nil }
        return .help(of: first)
    }

    /// The settings alone, of the same arguments as at the start.
    static func read(
        _ arguments: [String], environment: [(String, String)],
        read: (String) throws(SettingFault) -> String
    ) throws(SettingFault) -> EffectiveSettings {
        guard case .run(let effective) = try Self.parse(arguments, environment: environment, read: read)
        else {
            throw SettingFault("these arguments start no server")
        }
        return effective
    }

    private static let configVariable = "CATRACE_CONFIG"

    private static func value(
        of flag: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(SettingFault) -> String {
        guard let value = attached ?? rest.popFirst() else { throw SettingFault("\(flag) needs a value") }
        return value
    }

    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(60).map { (" "..."~").contains($0) ? $0 : "?" }))
    }
}
