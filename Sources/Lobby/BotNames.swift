package import RaceModel

/// What computer opponents are called. No player can take these aliases, nor ones that look like them.
package enum BotNames {
    private static let all: [Alias] = [
        .bot("Minka"), .bot("Tom"), .bot("Felix"), .bot("Luna"), .bot("Simba"), .bot("Cleo"), .bot("Oscar"),
        .bot("Misty"), .bot("Tiger"), .bot("Nala"), .bot("Socks"), .bot("Ginger"),
    ]

    /// A different alias for each of up to 7 bots; matches one after the other begin with different ones.
    package static func aliases(_ count: UInt8, for match: MatchID) -> [Alias] {
        let first = Int(match.value % UInt64(self.all.count))
        return (0..<min(Int(count), Limits.playersPerMatch - 1)).map {
            self.all[(first + $0) % self.all.count]
        }
    }
}
