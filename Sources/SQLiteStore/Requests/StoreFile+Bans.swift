package import RaceModel

extension StoreFile {
    /// Only within `write`.
    func keep(_ change: BanChange) throws(DatabaseError) {
        switch change {
        case .set(let ban):
            try self.database.run(
                "INSERT OR REPLACE INTO bans (subject, until, reason, made) VALUES (?, nullif(?, -1), ?, ?)",
                .text("\(ban.subject)"), .number(ban.until?.seconds ?? -1), .text(ban.reason),
                .number(ban.made.seconds))
        case .lifted(let subject):
            try self.database.run("DELETE FROM bans WHERE subject = ?", .text("\(subject)"))
        }
    }

    /// Those that hold; the others are forgotten.
    package func bans(now: WallTime) throws(StoreFault) -> [Ban] {
        try self.write { database throws(DatabaseError) in
            try database.run("DELETE FROM bans WHERE until <= ?", .number(now.seconds))
            var bans: [Ban] = []
            let sql = "SELECT subject, until, reason, made FROM bans ORDER BY made, subject LIMIT ?"
            try database.rows(sql, [.number(Int64(Limits.bans))]) { row in
                // `check` tells of what can't be read.
                guard let subject = Ban.Subject(row.text(0)) else { return }
                bans.append(
                    Ban(
                        subject: subject, until: row.optionalNumber(1).map { WallTime(seconds: $0) },
                        reason: row.text(2), made: WallTime(seconds: row.number(3))))
            }
            return bans
        }
    }
}
