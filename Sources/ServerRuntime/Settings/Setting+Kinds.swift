import RaceModel

/// The kinds of values there are.
extension Setting {
    static func seconds(
        _ key: String, _ path: any WritableKeyPath<ServerSettings, Instant.Span> & Sendable,
        from least: Int = 1,
        _ meaning: String
    ) -> Setting {
        Setting(
            key, "N", .patience, legal: "a whole number from \(least) to 86400", meaning, reloadable: true,
            take: { value, settings in
                guard let seconds = Self.number(value, least...86_400) else { return false }
                settings[keyPath: path] = .seconds(seconds)
                return true
            }, tell: { "\($0[keyPath: path].seconds)" })
    }

    static func count(
        _ key: String, _ path: any WritableKeyPath<ServerSettings, Int> & Sendable, _ range: ClosedRange<Int>,
        _ group: SettingGroup, _ meaning: String, reloadable: Bool = false
    ) -> Setting {
        Setting(
            key, "N", group, legal: "a whole number from \(range.lowerBound) to \(range.upperBound)", meaning,
            reloadable: reloadable,
            take: { value, settings in
                guard let number = Self.number(value, range) else { return false }
                settings[keyPath: path] = number
                return true
            }, tell: { "\($0[keyPath: path])" })
    }

    /// A path, an address, or nothing.
    static func text(
        _ key: String, _ placeholder: String, _ path: any WritableKeyPath<ServerSettings, String?> & Sendable,
        _ group: SettingGroup, legal: String, _ meaning: String, reloadable: Bool = false
    ) -> Setting {
        Setting(
            key, placeholder, group, legal: legal, meaning, reloadable: reloadable,
            take: { value, settings in
                guard !value.isEmpty else { return false }
                settings[keyPath: path] = value
                return true
            }, tell: { $0[keyPath: path] ?? "" })
    }

    /// Given as a flag without a value; in the file and the environment `yes` or `no`.
    static func toggle(
        _ key: String, _ path: any WritableKeyPath<ServerSettings, Bool> & Sendable, _ group: SettingGroup,
        _ meaning: String, reloadable: Bool = false
    ) -> Setting {
        Setting(
            key, nil, group, legal: "yes or no", meaning, reloadable: reloadable,
            take: { value, settings in
                guard value == "yes" || value == "no" else { return false }
                settings[keyPath: path] = value == "yes"
                return true
            }, tell: { $0[keyPath: path] ? "yes" : "no" })
    }

    /// One of some words.
    static func choice<Value: Hashable & Sendable>(
        _ key: String, _ placeholder: String, _ path: any WritableKeyPath<ServerSettings, Value> & Sendable,
        _ words: [(String, Value)], _ group: SettingGroup, _ meaning: String, reloadable: Bool = false
    ) -> Setting {
        let names = words.map(\.0)
        let legal = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        return Setting(
            key, placeholder, group, legal: legal, meaning, reloadable: reloadable,
            take: { value, settings in
                guard let word = words.first(where: { $0.0 == value }) else { return false }
                settings[keyPath: path] = word.1
                return true
            },
            tell: { settings in words.first { $0.1 == settings[keyPath: path] }?.0 ?? "" })
    }

    /// What stands between commas; blanks around each are of no account.
    static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { SettingsFile.trim($0) }
    }

    static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }
}
