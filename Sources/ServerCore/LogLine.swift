/// One event for the log: `key=value` when it is written, values escaped there. Never holds a key of a
/// player.
package struct LogLine: Hashable, Sendable {
    package enum Level: UInt8, Comparable, Sendable {
        case debug = 0
        case info, warning, error
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Field: Hashable, Sendable {
        package var key: String
        package var value: String
        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    package var level: Level
    /// A short fixed name: `connected`, `match-over`.
    package var event: String
    package var fields: [Field]

    package init(_ level: Level, _ event: String, _ fields: [Field] = []) {
        self.level = level
        self.event = event
        self.fields = fields
    }
}
