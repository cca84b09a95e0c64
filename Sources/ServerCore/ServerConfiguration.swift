package import RaceModel

/// What an operator can set of the core.
package struct ServerConfiguration: Hashable, Sendable {
    package var deadlines = Deadlines()
    /// Aliases remembered beside those of players who are here.
    package var cachedAliases = Limits.cachedAliases
    /// Who may come in.
    package var door = DoorSettings()
    /// How much one connection may ask for.
    package var budgets = RequestBudgets()

    /// The first match id that nobody has used.
    package var firstMatch = MatchID(1)

    package init() {}
}
