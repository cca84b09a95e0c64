package import RaceModel

/// Where players' keys may travel.
package enum KeyPolicy: Hashable, Sendable {
    /// Everywhere: who reads along on the network can be that player later.
    case any
    /// Over TLS, and within this machine.
    case tls
}

/// What an operator can set of the core.
package struct ServerConfiguration: Hashable, Sendable {
    package var deadlines = Deadlines()
    /// Aliases remembered beside those of players who are here.
    package var cachedAliases = Limits.cachedAliases
    /// Who may come in.
    package var door = DoorSettings()
    /// How much one connection may ask for.
    package var budgets = RequestBudgets()

    /// Log lines below it are not made.
    package var logLevel = LogLine.Level.info

    /// The first match id that nobody has used.
    package var firstMatch = MatchID(1)

    package var keys = KeyPolicy.any
    /// Races under way when it stops are saved, for whoever serves next.
    package var keepsMatches = false
    /// When this server begins, if the one before it came to no orderly end: races under way with that have no result.
    package var beginsAfterSuddenEnd: Instant?

    package init() {}
}
