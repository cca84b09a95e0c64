package import ServerCore
import WireProtocol

/// What comes of reading the settings again.
package enum ReloadOutcome: Hashable, Sendable {
    case done(ReloadChanges)
    /// No setting has changed, and why.
    case failed(String)

    package var answer: ControlAnswer {
        switch self {
        case .failed(let text): .error(.badValue, text)
        case .done(let changes):
            changes.refused.isEmpty
                ? .ok(changes.text)
                : .error(
                    .badValue, changes.refused.map(\.reason).joined(separator: "; "), behind: changes.text)
        }
    }

    /// For the audit: `ok`, or the name of the error that `ctl` would have answered.
    package var name: String { self.answer.outcome }

    /// For the log.
    package var line: LogLine {
        switch self {
        case .failed(let text): LogLine(.error, "reload-failed", [LogLine.Field("reason", text)])
        case .done(let changes):
            LogLine(
                changes.fixed.isEmpty && changes.refused.isEmpty ? .info : .warning, "reloaded",
                changes.fields.map { LogLine.Field($0.key, $0.value) })
        }
    }
}

/// Keys of settings, in the order of the help.
package struct ReloadChanges: Hashable, Sendable {
    /// A file that goes with the settings and can't be used, so that the one before stays.
    package struct Refusal: Hashable, Sendable {
        package var part: Part
        /// A sentence for the operator.
        package var reason: String
    }
    package enum Part: String, Sendable { case certificate, audit }

    package var changed: [String] = []
    /// What differs and can't change while the server runs.
    package var fixed: [String] = []
    /// What the file, or the environment, sets to no avail, since something stronger sets it otherwise.
    package var overridden: [String] = []
    package var refused: [Refusal] = []

    package init(changed: [String] = [], fixed: [String] = []) {
        self.changed = changed
        self.fixed = fixed
    }

    var fields: [(key: String, value: String)] {
        func list(_ keys: [String]) -> String { keys.isEmpty ? "none" : keys.joined(separator: ",") }
        var fields = [("changed", list(self.changed)), ("needs-restart", list(self.fixed))]
        if !self.overridden.isEmpty { fields.append(("overridden", list(self.overridden))) }
        if !self.refused.isEmpty { fields.append(("refused", list(self.refused.map(\.part.rawValue)))) }
        return fields.map { (key: $0.0, value: $0.1) }
    }

    var text: String {
        "reloaded " + self.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ") + "\n"
    }
}

extension ServerSettings {
    /// Takes over what may change while the server runs.
    package mutating func reload(_ new: ServerSettings) -> ReloadChanges {
        var changes = ReloadChanges()
        for setting in Setting.all where setting.value(in: self) != setting.value(in: new) {
            if setting.isReloadable, setting.copy(from: new, to: &self) {
                changes.changed.append(setting.key)
            } else {
                changes.fixed.append(setting.key)
            }
        }
        return changes
    }
}
