package import RaceModel

/// Keeps one event from filling the log: so many lines a second each, and a count of those left out.
package struct LogRate: Sendable {
    private struct Window {
        var start: Instant
        var written = 0
        var leftOut = 0
    }

    private let linesPerSecond: Int
    private var windows: [String: Window] = [:]

    package init(linesPerSecond: Int = 20) { self.linesPerSecond = linesPerSecond }

    /// Nil: leave the line out. Otherwise how many lines of this event were left out since the last one
    /// written.
    package mutating func admit(_ event: String, now: Instant) -> Int? {
        var window = self.windows[event] ?? Window(start: now)
        defer { self.windows[event] = window }
        if now - window.start >= .seconds(1) {
            window.start = now
            window.written = 0
        }
        guard window.written < self.linesPerSecond else {
            window.leftOut += 1
            return nil
        }
        window.written += 1
        defer { window.leftOut = 0 }
        return window.leftOut
    }
}
