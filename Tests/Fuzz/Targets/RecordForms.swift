import Records

/// The forms in which races are kept: whatever is read is written again to the letter, and checking it bears all.
package enum RecordForms: FuzzTarget {
    package static let name = "records"

    /// The first byte says which form: a record's text, its bytes, or a saved match.
    package static func run(_ input: [UInt8]) -> String? {
        guard let first = input.first else { return nil }
        let bytes = Array(input.dropFirst())
        switch first % 3 {
        case 0:
            guard let record = try? MatchRecord(text: bytes) else { return nil }
            _ = RecordCheck(record).findings()
            return record.text == bytes ? nil : "another text was read"
        case 1:
            guard let record = try? MatchRecord(bytes: bytes) else { return nil }
            _ = RecordCheck(record).findings()
            return record.bytes == bytes ? nil : "other bytes were read"
        default:
            guard let match = try? SavedMatch(bytes: bytes) else { return nil }
            return match.bytes == bytes ? nil : "another match was read"
        }
    }
}
