/// A date and a time of day, in whole seconds since the beginning of 1970, UTC. For what people read and what
/// outlives the process; all else goes by `Instant`.
package struct WallTime: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
    package var seconds: Int64
    package init(seconds: Int64) { self.seconds = seconds }

    package static func < (left: WallTime, right: WallTime) -> Bool { left.seconds < right.seconds }

    /// So much later; at the ends of what can be written, no further.
    package func adding(seconds: Int64) -> WallTime {
        let (sum, isOver) = self.seconds.addingReportingOverflow(seconds)
        return WallTime(seconds: isOver ? Self.last.seconds : min(sum, Self.last.seconds))
    }

    /// 9999-12-31 23:59:59 UTC.
    private static let last = WallTime(seconds: 253_402_300_799)

    /// `2026-01-31 12:00:00 UTC`
    package var description: String {
        let day = self.seconds >= 0 ? self.seconds / 86_400 : (self.seconds + 1) / 86_400 - 1
        let second = self.seconds - day * 86_400
        // Years begin in March here, so that the day that comes every four years is the last of one.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month))-\(padded(dayOfYear - (153 * march + 2) / 5 + 1)) "
            + "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60)) UTC"
    }
}
