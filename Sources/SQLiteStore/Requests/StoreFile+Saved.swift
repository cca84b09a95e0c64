import RaceModel
package import Records
import WireProtocol

/// Races under way, between two servers.
extension StoreFile {
    /// In place of all that were saved before. Only within `write`.
    func save(_ matches: [SavedMatch]) throws(DatabaseError) {
        try self.database.run("DELETE FROM saved_matches")
        for match in matches {
            guard let id = Int64(exactly: match.found.match.value) else { continue }
            try self.database.run(
                "INSERT INTO saved_matches (match, saved) VALUES (?, ?)", .number(id), .bytes(match.bytes))
        }
    }

    /// The matches that were saved last, once: whoever takes them goes on with them, and should it die, they have no
    /// result. What can't be read is left out.
    package func takeSavedMatches() throws(StoreFault) -> [SavedMatch] {
        try self.write { database throws(DatabaseError) in
            var matches: [SavedMatch] = []
            try database.rows("SELECT saved FROM saved_matches ORDER BY match", []) { row in
                if let match = try? SavedMatch(bytes: row.bytes(0)) { matches.append(match) }
            }
            if !matches.isEmpty { try database.run("DELETE FROM saved_matches") }
            return matches
        }
    }
}
