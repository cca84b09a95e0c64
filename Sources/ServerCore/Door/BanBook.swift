import RaceModel

/// Who is banned. Looked into at every connect, so by hash: once for each length of range there is, however
/// many bans there are.
struct BanBook: Sendable {
    private var bans: [Ban.Subject: Ban] = [:]
    /// How many bans of ranges there are of each length, in bits; only those there are.
    private var lengths: [UInt8: Int] = [:]

    var count: Int { self.bans.count }

    /// Adds the ban, in place of an older one of the same subject.
    /// - Returns: false when there are as many as there can be.
    mutating func set(_ ban: Ban, now: WallTime) -> Bool {
        if self.bans[ban.subject] == nil, self.bans.count >= Limits.bans { self.dropPast(now) }
        guard self.bans[ban.subject] != nil || self.bans.count < Limits.bans else { return false }
        if self.bans.updateValue(ban, forKey: ban.subject) == nil, case .range(let range) = ban.subject {
            self.lengths[range.bits, default: 0] += 1
        }
        return true
    }

    /// - Returns: the ban that was lifted; nil when there was none.
    mutating func lift(_ subject: Ban.Subject) -> Ban? {
        guard let ban = self.bans.removeValue(forKey: subject) else { return nil }
        if case .range(let range) = subject {
            let left = (self.lengths[range.bits] ?? 1) - 1
            self.lengths[range.bits] = left > 0 ? left : nil
        }
        return ban
    }

    /// The ban that keeps this address out now; of several, the one that holds longest.
    func ban(of address: NetworkAddress, now: WallTime) -> Ban? {
        guard !self.lengths.isEmpty else { return nil }
        var found: Ban?
        // The order of a dictionary must not be seen: of equals, the longest range counts.
        for bits in self.lengths.keys.sorted() {
            let range = NetworkRange(around: address, bits: bits)
            guard let ban = self.bans[.range(range)], ban.holds(at: now) else { continue }
            if let known = found, known.outlasts(ban) { continue }
            found = ban
        }
        return found
    }

    func ban(of player: PlayerID, now: WallTime) -> Ban? {
        guard let ban = self.bans[.player(player)], ban.holds(at: now) else { return nil }
        return ban
    }

    /// The ban of just this subject.
    func ban(of subject: Ban.Subject, now: WallTime) -> Ban? {
        guard let ban = self.bans[subject], ban.holds(at: now) else { return nil }
        return ban
    }

    /// Those that hold, in order: ranges, then players.
    mutating func list(now: WallTime) -> [Ban] {
        self.dropPast(now)
        return self.bans.values.sorted { left, right in
            switch (left.subject, right.subject) {
            case (.range(let left), .range(let right)): left < right
            case (.player(let left), .player(let right)): left < right
            case (.range, .player): true
            case (.player, .range): false
            }
        }
    }

    private mutating func dropPast(_ now: WallTime) {
        for ban in Array(self.bans.values) where !ban.holds(at: now) { _ = self.lift(ban.subject) }
    }
}
