package import RaceModel

/// What an operator can set of the core.
package struct ServerConfiguration: Hashable, Sendable {
    package var deadlines = Deadlines()
    /// Aliases remembered beside those of players who are here.
    package var cachedAliases = Limits.cachedAliases

    package init() {}
}
