/// What is set in the end: flags win over the environment, that over the file, that over the defaults.
package struct EffectiveSettings: Sendable {
    package private(set) var settings = ServerSettings()
    /// By key, of all that is not as by default.
    package private(set) var sources: [String: SettingSource] = [:]
    /// What is not wrong enough to refuse: a sentence each. A variable we don't know may be another program's.
    package private(set) var warnings: [String] = []
    /// By key, of what something stronger has set as well.
    private var weaker: [String: [String]] = [:]

    /// - Parameters:
    ///   - flags: key and value, in the order of the command line; a later one wins.
    ///   - environment: all of it; what does not begin with `CATRACE_` is not looked at.
    package init(
        file: SettingsFile?, environment: [(String, String)], flags: [(key: String, value: String)]
    ) throws(SettingFault) {
        for entry in file?.entries ?? [] {
            let source = SettingSource.file(path: file?.path ?? "", line: entry.line)
            guard let setting = Self.setting(entry.key) else {
                throw SettingFault(
                    "\(file?.path ?? "") line \(entry.line): there is no setting "
                        + "'\(PrintableText.of(entry.key))'\(Self.suggestion(for: entry.key))")
            }
            try self.set(setting, entry.value, source)
        }
        for (name, value) in environment.sorted(by: { $0.0 < $1.0 })
        where name.hasPrefix("CATRACE_") && !Self.variablesOfClients.contains(name) {
            guard let setting = Setting.all.first(where: { $0.variable == name }) else {
                let key = name.dropFirst("CATRACE_".count).lowercased().map { $0 == "_" ? "-" : String($0) }
                self.warnings.append(
                    "there is no setting for the variable \(PrintableText.of(name))"
                        + Self.suggestion(for: key.joined()))
                continue
            }
            try self.set(setting, value, .environment)
        }
        for (key, value) in flags {
            guard let setting = Self.setting(key) else { throw Self.unknownFlag(key) }
            try self.set(setting, value, .flag)
        }
        try Setting.check(self.settings)
    }

    private mutating func set(
        _ setting: Setting, _ value: String, _ source: SettingSource
    ) throws(SettingFault) {
        if let earlier = self.sources[setting.key], earlier != source {
            self.weaker[setting.key, default: []].append(setting.value(in: self.settings))
        }
        try setting.set(value, from: source, in: &self.settings)
        self.sources[setting.key] = source
    }

    /// Keys, in the order of the help, that the file or the environment sets to no avail: something stronger sets
    /// them otherwise.
    package var overridden: [String] {
        Setting.all.filter { setting in
            self.weaker[setting.key, default: []].contains { $0 != setting.value(in: self.settings) }
        }.map(\.key)
    }

    /// What our client is told by the same way.
    private static let variablesOfClients: Set<String> = ["CATRACE_SERVER", "CATRACE_KEY"]

    package func isSet(_ key: String) -> Bool { self.sources[key] != nil }

    package static func setting(_ key: String) -> Setting? { Setting.all.first { $0.key == key } }

    /// What `--print-config` prints: a settings file that sets everything as it is, and where each came from.
    package var text: String {
        let lines = Setting.all.map { setting in
            let value = setting.isSecret ? "(not shown)" : setting.value(in: self.settings)
            return ("\(setting.key) = \(value)", (self.sources[setting.key] ?? .byDefault).text)
        }
        let width = lines.map { $0.0.count }.max() ?? 0
        return lines.map { line, source in
            // A value that is not set is no line a file could have; nor one that goes with no other here.
            let isLine = !line.hasSuffix("= ") && !(self.settings.inMemory && line.hasPrefix("data = "))
            let shown = isLine ? line : "# " + line
            return shown + String(repeating: " ", count: max(1, width + 3 - shown.count)) + "# \(source)\n"
        }.joined()
    }

    package static func unknownFlag(_ key: String) -> SettingFault {
        SettingFault(
            "there is no flag '--\(PrintableText.of(key))'\(Self.suggestion(for: key, prefix: "--"))")
    }

    /// The nearest key, if one is near.
    private static func suggestion(for key: String, prefix: String = "") -> String {
        let near = Setting.all.map { ($0.key, Self.distance(key, $0.key)) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= max(2, key.count / 3) else {
            return ": --help lists them"
        }
        return ": did you mean \(prefix)\(near.0)?"
    }

    /// Letters to insert, drop or change to make one of the other.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8.prefix(40)), Array(right.utf8))
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(
                    above + 1, row[column] + 1, diagonal + (byte == right[column] ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
