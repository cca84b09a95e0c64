package import ServerCore
import WireProtocol

/// What comes of reading the settings again.
package enum ReloadOutcome: Hashable, Sendable {
    /// Keys, in the order of the help. - fixed: what differs and can't change while the server runs.
    case done(changed: [String], fixed: [String])
    /// Nothing has changed, and why.
    case failed(String)

    package var answer: ControlAnswer {
        switch self {
        case .failed(let text): .error(.badValue, text)
        case .done(let changed, let fixed):
            .ok(
                "reloaded changed=\(Self.list(changed)) needs-restart=\(Self.list(fixed))\n")
        }
    }

    /// For the log.
    package var line: LogLine {
        switch self {
        case .failed(let text): LogLine(.error, "reload-failed", [LogLine.Field("reason", text)])
        case .done(let changed, let fixed):
            LogLine(
                fixed.isEmpty ? .info : .warning, "reloaded",
                [
                    LogLine.Field("changed", Self.list(changed)),
                    LogLine.Field("needs-restart", Self.list(fixed)),
                ])
        }
    }

    private static func list(_ keys: [String]) -> String {
        keys.isEmpty ? "none" : keys.joined(separator: ",")
    }
}

extension ServerSettings {
    /// Takes over what may change while the server runs.
    package mutating func reload(_ new: ServerSettings) -> ReloadOutcome {
        var (changed, fixed): ([String], [String]) = ([], [])
        for setting in Setting.all where setting.value(in: self) != setting.value(in: new) {
            if setting.isReloadable, setting.copy(from: new, to: &self) {
                changed.append(setting.key)
            } else {
                fixed.append(setting.key)
            }
        }
        return .done(changed: changed, fixed: fixed)
    }
}
