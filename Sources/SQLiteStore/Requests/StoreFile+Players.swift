package import Lobby
package import RaceModel

extension StoreFile {
    /// Nil for requests that have no answer. Changes the file: only within `write`.
    ///
    /// - Parameter now: seconds since 1970.
    package func claim(
        _ alias: Alias, keyDigest: Bytes32, now: Int64
    ) throws(DatabaseError) -> DirectoryAnswer {
        let key = AliasKey(alias).text
        let owner = try self.database.number("SELECT id FROM players WHERE alias_key = ?", .text(key))
        guard owner == nil else { return .taken }
        try self.database.run(
            "INSERT INTO players (alias, alias_key, key_digest, seen) VALUES (?, ?, ?, ?)",
            .text(alias.text), .text(key), .bytes(keyDigest.bytes), .number(now))
        let id = PlayerID(UInt64(self.database.lastID))
        self.heardOf.insert(id)
        return .claimed(id)
    }

    package func find(_ alias: Alias) throws(DatabaseError) -> DirectoryAnswer {
        try self.player("WHERE alias_key = ?", .text(AliasKey(alias).text))
    }

    package func find(_ id: PlayerID) throws(DatabaseError) -> DirectoryAnswer {
        guard let id = Self.number(id) else { return .notFound }
        return try self.player("WHERE id = ?", .number(id))
    }

    private func player(_ condition: String, _ value: Value) throws(DatabaseError) -> DirectoryAnswer {
        var found: PlayerRecord?
        let columns = "SELECT id, alias, key_digest, has_raced FROM players "
        try self.database.rows(columns + condition, [value]) { row throws(DatabaseError) in
            guard let alias = Alias(row.text(1)), let digest = Bytes32(row.bytes(2)) else {
                throw DatabaseError.damaged("player \(row.number(0))")
            }
            found = PlayerRecord(
                id: PlayerID(UInt64(row.number(0))), alias: alias, keyDigest: digest,
                hasRaced: row.number(3) != 0)
        }
        guard let found else { return .notFound }
        if !found.hasRaced { self.heardOf.insert(found.id) }
        return .found(found)
    }

    /// One query for all of them.
    package func aliases(_ ids: [PlayerID]) throws(DatabaseError) -> DirectoryAnswer {
        let list = "[" + ids.compactMap { Self.number($0).map(String.init) }.joined(separator: ",") + "]"
        var known: [PlayerID: Alias] = [:]
        try self.database.rows(
            "SELECT id, alias FROM players WHERE id IN (SELECT value FROM json_each(?))", [.text(list)]
        ) { row throws(DatabaseError) in
            known[PlayerID(UInt64(row.number(0)))] = Alias(row.text(1))
        }
        return .aliases(ids.map { KnownAlias(id: $0, alias: known[$0]) })
    }

    /// Answered from the index `names` alone: rows found one by one would lie all over a large file.
    package static let completionsQuery =
        "SELECT id, alias FROM players WHERE alias_key >= ? AND alias_key < ? ORDER BY alias_key LIMIT ?"

    /// Players whose folded aliases begin so, in their order.
    package func completions(_ prefix: String, limit: Int) throws(DatabaseError) -> DirectoryAnswer {
        var names: [PlayerName] = []
        // No alias has the last scalar there is: in bytes, all that begin with the prefix are below it.
        try self.database.rows(
            Self.completionsQuery,
            [.text(prefix), .text(prefix + "\u{10ffff}"), .number(Int64(max(0, limit)))]
        ) { row throws(DatabaseError) in
            guard let alias = Alias(row.text(1)) else { throw .damaged("player \(row.number(0))") }
            names.append(PlayerName(id: PlayerID(UInt64(row.number(0))), alias: alias))
        }
        return .completions(names)
    }

    /// Of a guest alone: who has raced stays. Only within `write`.
    package func forget(_ id: PlayerID) throws(DatabaseError) {
        guard let number = Self.number(id) else { return }
        try self.database.run("DELETE FROM players WHERE id = ? AND has_raced = 0", .number(number))
        self.heardOf.remove(id)
    }

    /// Forgets the guests of earlier runs of the server who went a day ago, and notes that the others may still be
    /// here. Only within `write`, once in `guestSweep`.
    ///
    /// - Parameter now: seconds since 1970.
    package func sweepGuests(now: Int64) throws(DatabaseError) {
        let list = "[" + self.heardOf.map { String($0.value) }.joined(separator: ",") + "]"
        try self.database.run(
            "UPDATE players SET seen = ? WHERE has_raced = 0 AND id IN (SELECT value FROM json_each(?))",
            .number(now), .text(list))
        // As much longer as `seen` may be too early.
        let span = (Limits.guestMemory.nanoseconds + Self.guestSweep.nanoseconds) / 1_000_000_000
        try self.database.run("DELETE FROM players WHERE has_raced = 0 AND seen < ?", .number(now - span))
    }

    package static let guestSweep = Instant.Span.seconds(3600)

    /// An id in the form of the file; nil: none in it can be so large.
    static func number(_ id: PlayerID) -> Int64? { Int64(exactly: id.value) }
}

extension DatabaseError {
    /// Something in the file that this program did not write so.
    static func damaged(_ what: String) -> DatabaseError {
        DatabaseError(code: 11, text: "\(what) makes no sense")
    }
}
