package import Records

/// A race as it goes into the file: small enough to wait in a list.
package struct FinishedRace: Sendable {
    package let result: MatchResult
    package let record: [UInt8]
    /// Seconds since 1970.
    package let ended: Int64

    package init(_ record: MatchRecord, ended: Int64) {
        self.result = MatchResult(record)
        self.record = record.bytes
        self.ended = ended
    }
}
