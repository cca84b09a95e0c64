package import RaceModel

/// What an operator can set of who may come in.
package struct DoorSettings: Hashable, Sendable {
    /// Connections of one address at once.
    package var connectionsPerAddress = Limits.connectionsPerAddress
    /// Connects of one address.
    package var connects = Limits.connects
    /// New names of one address.
    package var newNames = Limits.newNames
    /// Races that players of one address begin.
    package var races = Limits.races
    /// Whether addresses of this machine count like all others; else nothing is counted of them.
    package var capsLoopback = false
    /// Those that hold from the start; over `Limits.bans`, the rest is left out.
    package var bans: [Ban] = []
    /// The date and time at `Instant.zero`.
    package var clockOrigin = WallTime(seconds: 0)

    package init() {}
}
