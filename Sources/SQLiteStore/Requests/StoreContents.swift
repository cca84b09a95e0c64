/// What is in a store, as the log says it at the start.
package struct StoreContents: Hashable, Sendable {
    /// Of the directory, as it is found from anywhere.
    package var path: String
    /// Up to `mostCounted`; one more stands for all above.
    package var players: Int
    package var results: Int
    /// The file was made now.
    package var isNew: Bool

    /// A start must not take longer for each player there is.
    package static let mostCounted = 100_000
}

extension StoreFile {
    package func contents() throws(StoreFault) -> StoreContents {
        try self.read { database throws(DatabaseError) in
            let players = try database.number(
                "SELECT count(*) FROM (SELECT 1 FROM players LIMIT ?)",
                .number(Int64(StoreContents.mostCounted + 1)))
            // They are numbered as they are kept, and none is ever removed.
            let results = try database.number("SELECT max(number) FROM results")
            return StoreContents(
                path: self.directory.wholePath, players: Int(players ?? 0), results: Int(results ?? 0),
                isNew: self.isNew)
        }
    }
}
