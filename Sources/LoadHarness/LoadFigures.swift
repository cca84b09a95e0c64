import RaceModel

/// What a run has measured so far.
package struct LoadFigures: Sendable {
    /// From a move's planned moment to its delivery at the last player of the race.
    package var latency = LatencyHistogram()
    /// The same from the moment the move was really sent: how much of the above the backlog is.
    package var fromSending = LatencyHistogram()
    /// From asking for a connection to being welcome.
    package var naming = LatencyHistogram()
    /// From a race's due moment (without a rate: from being found) to its begin at one of its players.
    package var starting = LatencyHistogram()

    /// Within the window.
    package var movesDelivered = 0
    package var racesFinished = 0
    package var messagesReceived = 0
    package var messagesSent = 0

    /// In the whole run.
    package var racesFinishedInAll = 0
    package var movesDeliveredInAll = 0
    package var racesChecked = 0
    package var connectsTried = 0
    package var named = 0
    /// Given up when the time to finish was over.
    package var racesUnfinished = 0
    /// With a rate: races due within the window, and those that had to wait for free players.
    package var racesDue = 0
    package var racesDelayed = 0
    package var racesNeverBegun = 0
    /// Dash: moves on their way when another player finished. No fault.
    package var movesOvertaken = 0
    /// Times that a player was told, ahead of how a race ended, that its result was not kept yet, or would never be;
    /// and times that a player was told later on that it was. No fault: races went on as they should.
    package var resultsNotKept = 0
    package var resultsKeptLater = 0
    /// Seats of races that were somebody else's, not of this run.
    package var strangers = 0

    /// Of connections cut on purpose.
    package var drops = DropFigures()

    /// Of a server that was restarted.
    package var restarts = RestartFigures()

    package var faults = FaultTally()

    package init() {}
}
