package import Records

/// The record of a race as people keep it, read strictly; with what to say of files that are something else.
package enum RecordFile {
    package enum Fault: Error, Hashable, Sendable {
        /// It is what a session showed, with more lines than a record has: the first of those, from 1, and its verb.
        case session(line: Int, verb: String)
        /// It is what a text client's `replay` showed.
        case pages
        /// A line that does not fit, from 1; the text is empty behind the last.
        case line(Int, text: String, fault: String)
    }

    /// More than the longest race that is kept has.
    package static let mostBytes = 8 << 20
    /// Longer than any line of a record; the rest of what is no such line is not shown.
    private static let shownColumns = 500

    package static func read(_ bytes: [UInt8]) throws(Fault) -> MatchRecord {
        do throws(RecordFault) {
            return try MatchRecord(text: bytes)
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            func text(_ index: Int) -> String {
                lines.indices.contains(index) ? String(decoding: lines[index], as: UTF8.self) : ""
            }
            if lines.contains(where: { $0.starts(with: "> found ".utf8) }) { throw .pages }
            if let index = lines.firstIndex(where: Self.isOfSession) {
                // No more of it: there may be a key in the line.
                throw .session(line: index + 1, verb: String(text(index).prefix { $0 != " " }))
            }
            let line = error.line ?? 1
            throw .line(line, text: text(line - 1), fault: error.text)
        }
    }

    private static let verbs = [
        "hello", "set", "welcome", "queued", "again", "begin", "turn", "gone", "back", "snapshot", "runner",
        "rematch", "stopped", "bye", "notice", "waiting", "error", "name", "play", "move", "#",
    ].map { Array($0.utf8) }

    /// Whether a session shows such a line, and a record does not have it.
    private static func isOfSession(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        guard let verb = words.first else { return false }
        if self.verbs.contains(Array(verb)) { return true }
        // A player's own `found` names their seat.
        return verb.elementsEqual("found".utf8) && words.count > 2 && words[2].starts(with: "seat=".utf8)
    }

    /// What to do with such a file.
    ///
    /// - Parameter name: of the file, for the commands that are proposed.
    package static func words(for fault: Fault, _ name: String) -> String {
        switch fault {
        case .session(let line, let verb):
            """
            \(name) is what a session showed, and no record file: a record has no line like line \(line) (\(verb))
            Get the record with:  catrace replay MATCH --save FILE
            or take it out:       grep -E '^(found|seat|number|order|moved|forfeit|over|place) ' FILE |
                                  sed 's/^\\(found match=[0-9]*\\) seat=[0-9]*/\\1/'
            """
        case .pages:
            """
            \(name) is what replay showed in a session, and no record file
            Take the record out:  sed -n 's/^> //p' FILE
            """
        case .line(let line, let text, let fault):
            "line \(line) does not fit: \(DisplayText.harmless(fault))"
                + (text.isEmpty
                    ? "" : "\n  " + DisplayText.cut(DisplayText.harmless(text), to: Self.shownColumns))
        }
    }
}
