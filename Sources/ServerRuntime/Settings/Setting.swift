import RaceModel

/// One thing an operator can set: by a line of the file, by the environment, by a flag. All three know it under
/// the same key.
package struct Setting: Sendable {
    /// What a value may be, for people: `a whole number from 1 to 86400`.
    package let legal: String
    /// `turn-seconds`: in the file as it is, as a flag `--turn-seconds`, in the environment `CATRACE_TURN_SECONDS`.
    package let key: String
    /// What stands for the value in the help: `N`, `ADDRESS`; nil for a switch, whose flag takes no value.
    package let placeholder: String?
    package let group: SettingGroup
    /// For the help.
    package let meaning: String
    /// Whether a running server takes a new value over when it is told to reload.
    package let isReloadable: Bool
    /// Whether the value must not be shown.
    package let isSecret: Bool

    private let take: @Sendable (String, inout ServerSettings) -> Bool
    private let tell: @Sendable (ServerSettings) -> String

    init(
        _ key: String, _ placeholder: String?, _ group: SettingGroup, legal: String, _ meaning: String,
        reloadable: Bool = false, secret: Bool = false,
        take: @escaping @Sendable (String, inout ServerSettings) -> Bool,
        tell: @escaping @Sendable (ServerSettings) -> String
    ) {
        self.key = key
        self.placeholder = placeholder
        self.group = group
        self.legal = legal
        self.meaning = meaning
        self.isReloadable = reloadable
        self.isSecret = secret
        self.take = take
        self.tell = tell
    }

    package var flag: String { "--" + self.key }
    package var variable: String {
        "CATRACE_" + self.key.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
    package var isSwitch: Bool { self.placeholder == nil }

    /// - Parameter source: where the value was read, for the fault.
    func set(
        _ value: String, from source: SettingSource, in settings: inout ServerSettings
    ) throws(SettingFault) {
        guard self.take(value, &settings) else {
            let shown = self.isSecret ? "" : ", not '\(PrintableText.of(value))'"
            throw SettingFault("\(source.name(of: self)) must be \(self.legal)\(shown)")
        }
    }

    /// The value of some settings to others; false: it can't be written as a line, and stays.
    func copy(from settings: ServerSettings, to others: inout ServerSettings) -> Bool {
        self.take(self.tell(settings), &others)
    }

    /// As a line of the file would say it.
    package func value(in settings: ServerSettings) -> String { self.tell(settings) }
}

/// Under which heading of the help a setting stands.
package enum SettingGroup: String, CaseIterable, Sendable {
    case place = "WHERE"
    case keeping = "WHAT IT KEEPS: players, results and the record of each race"
    case door = "WHO MAY COME IN"
    case transport = "TLS AND PROXIES"
    case patience = "HOW LONG IT WAITS, in whole seconds from 1 to 86400"
    case operation = "FOR THOSE WHO RUN IT"
    case other = "OTHER"
}

/// Where a value came from, from weakest to strongest.
package enum SettingSource: Hashable, Sendable {
    case byDefault
    /// A line of the settings file, from 1.
    case file(path: String, line: Int)
    case environment
    case flag

    /// How a fault names the setting.
    func name(of setting: Setting) -> String {
        switch self {
        case .byDefault: setting.key
        case .file(let path, let line): "\(path) line \(line): \(setting.key)"
        case .environment: setting.variable
        case .flag: setting.flag
        }
    }

    package var text: String {
        switch self {
        case .byDefault: "default"
        case .file(let path, let line): "\(path) line \(line)"
        case .environment: "environment"
        case .flag: "flag"
        }
    }
}

/// A setting is wrong: one sentence that names it and what is legal.
package struct SettingFault: Error, Hashable, Sendable {
    package var text: String
    package init(_ text: String) { self.text = text }
}

enum PrintableText {
    /// All of it, with `?` for all but printable ASCII.
    static func whole(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
    }

    /// The first 60 characters, with `?` for all but printable ASCII.
    static func of(_ text: String) -> String {
        var cut = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(60) {
            cut.append((" "..."~").contains(scalar) ? scalar : "?")
        }
        return String(cut)
    }
}
