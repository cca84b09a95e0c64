import RaceModel

/// What a run saw of a server that was restarted under it.
package struct RestartFigures: Sendable {
    /// Times that connections were lost while nobody was on the way back from the time before.
    package var seen = 0
    package var connectionsLost = 0
    /// Attempts to come back that were refused or never stood; each was made again later.
    package var connectsRefused = 0
    /// Back in the seat, or told how the race had ended; and back without having been in a race.
    package var returnedToRace = 0
    package var returnedFree = 0
    package var seatsLost = 0
    /// Races of which at least one seat was lost.
    package var racesLost = 0
    /// Not back when the run was over.
    package var neverBack = 0
    /// On the way back now.
    package var away = 0
    /// From losing the connection to being back.
    package var backAfter = LatencyHistogram()

    package init() {}
}
