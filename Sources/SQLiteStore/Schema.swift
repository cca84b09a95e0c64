import CSQLite

/// The tables, and how an older file becomes one of today.
package enum Schema {
    /// Tells our files from those of other programs that use SQLite.
    package static let applicationID: Int64 = 0x4361_5263  // "CaRc"

    /// Step n makes version n of version n-1. What once went out is never changed: a new version is a new step.
    package static let steps = [
        """
        CREATE TABLE players (
            id INTEGER PRIMARY KEY AUTOINCREMENT,  -- so that no id is given out twice
            alias TEXT NOT NULL,
            alias_key TEXT NOT NULL UNIQUE,        -- folded: equal keys look the same
            key_digest BLOB NOT NULL CHECK (length(key_digest) = 32),
            has_raced INTEGER NOT NULL DEFAULT 0,  -- others are forgotten a day after going
            seen INTEGER NOT NULL                  -- of who has not raced; seconds since 1970
        ) STRICT;
        CREATE INDEX guests ON players (seen) WHERE has_raced = 0;

        CREATE TABLE results (
            match INTEGER PRIMARY KEY,
            number INTEGER NOT NULL UNIQUE,        -- in the order of keeping, from 1
            rule INTEGER NOT NULL,
            ended INTEGER NOT NULL,                -- seconds since 1970
            record BLOB NOT NULL                   -- all of the race; the rest of the file follows from these
        ) STRICT;

        CREATE TABLE standings (
            player INTEGER NOT NULL REFERENCES players (id),
            rule INTEGER NOT NULL,
            races INTEGER NOT NULL,
            wins INTEGER NOT NULL,
            forfeits INTEGER NOT NULL,
            best INTEGER NOT NULL,
            run INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (player, rule)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX leaderboard ON standings (rule, wins DESC, since, player);

        -- How many players have so many wins: a rank is a short sum.
        CREATE TABLE win_counts (
            rule INTEGER NOT NULL,
            wins INTEGER NOT NULL,
            players INTEGER NOT NULL,
            PRIMARY KEY (rule, wins)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE counters (
            name TEXT PRIMARY KEY,                 -- match: ids up to this one may be in use
            value INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO counters VALUES ('match', 0);

        -- Races under way when a server came to its end, for the next one; empty while one runs.
        CREATE TABLE saved_matches (
            match INTEGER PRIMARY KEY,
            saved BLOB NOT NULL                    -- its secret nonce, too
        ) STRICT;
        """,
        """
        CREATE TABLE bans (
            subject TEXT PRIMARY KEY,              -- as operators write it: 192.0.2.0/24, #17
            until INTEGER,                         -- seconds since 1970; NULL: for good
            reason TEXT NOT NULL,
            made INTEGER NOT NULL                  -- seconds since 1970
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE INDEX names ON players (alias_key, alias);  -- all that a name being typed is completed from
        """,
    ]

    /// What a file is, by its header.
    enum Kind: Hashable, Sendable {
        case empty
        /// One of ours, of this version.
        case ours(Int)
        case foreign
    }

    static func kind(of database: Database) throws(DatabaseError) -> Kind {
        let application = try database.number("PRAGMA application_id") ?? 0
        let version = try database.number("PRAGMA user_version") ?? 0
        if application == Self.applicationID { return .ours(Int(version)) }
        let tables = try database.number("SELECT count(*) FROM sqlite_schema") ?? 0
        return application == 0 && version == 0 && tables == 0 ? .empty : .foreign
    }

    /// Brings a file up to the last of the steps, all or nothing. `version`: 0 for an empty one.
    package static func migrate(
        _ database: Database, from version: Int, steps: [String] = Self.steps
    ) throws(DatabaseError) {
        guard version < steps.count else { return }
        try database.run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            for step in steps[version...] { try database.run(step) }
            try database.run("PRAGMA application_id = \(Self.applicationID)")
            try database.run("PRAGMA user_version = \(steps.count)")
            try database.run("COMMIT")
        } catch {
            try? database.run("ROLLBACK")
            throw error
        }
    }
}
