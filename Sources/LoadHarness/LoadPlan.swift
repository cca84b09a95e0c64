package import RaceModel

/// What a run does, as the command line asks for it.
package struct LoadPlan: Hashable, Sendable {
    package var players = 100
    /// How long is measured, once all players are there.
    package var seconds = 10
    /// Races that are due each second, whatever the server does; nil: as many as the players can play.
    package var racesPerSecond: Double?
    /// Nil: at once without a rate, `Self.openPace` with one.
    package var givenPace: Instant.Span?
    package var settings = RaceSettings()
    package var raceSize = 2
    /// The part of players who speak the text dialect: 0...1.
    package var textShare = 0.2
    /// Nil: one second for each 2000 players.
    package var givenRampSeconds: Double?
    /// Nil: drawn, so that no other player is met.
    package var group: UInt32?
    package var seed: UInt64 = 1
    /// Each race goes on until the run is over, and is left then.
    package var isEndless = false
    /// Endless races: moves that are due each second in all of them together, whatever the server does; nil: each move
    /// at once.
    package var movesPerSecond: Double?
    /// The other end is no server but the bare relay that servers are compared with. It takes a wish for a race and
    /// moves, nothing else, and its answers are always the same: events are numbered here, as they come.
    package var isFloor = false

    /// Connections of players in races that are cut each second; nil: none.
    package var dropsPerSecond: Double?
    /// How long such a player stays away.
    package var away = Instant.Span.seconds(1)

    /// The server is restarted while the run goes on: whoever loses a connection comes back.
    package var bearsRestarts = false

    package init() {}

    /// `pairs` races of two in rule `turns` that have no end within the run; all speak binary.
    package mutating func makeEndless(pairs: Int) {
        self.isEndless = true
        self.players = 2 * pairs
        self.raceSize = 2
        self.settings.finish = Limits.finish
        self.textShare = 0
    }

    /// With a rate, a move is due every 100 ms unless asked otherwise.
    package static let openPace = Instant.Span.milliseconds(100)
    /// Connections asked for and not yet standing.
    package static let connectsInFlight = 128
    /// One race in so many is checked when its nonce is opened.
    package static let checkedOneIn = 10
    /// A move that someone in the race has not been told of by then is lost.
    package static let lostAfter = Instant.Span.seconds(5)
    /// A race of which nobody heard anything for so long is stalled.
    package static let stalledAfter = Instant.Span.seconds(10)
    /// For all who connect to be named, after the last connection was asked for.
    package static let namingPatience = Instant.Span.seconds(15)
    /// For races under way, at the end.
    package static let finishPatience = Instant.Span.seconds(15)
    /// For the server's goodbyes.
    package static let leavePatience = Instant.Span.seconds(5)
    /// Before a refused request for a race is made again.
    package static let retryAfter = Instant.Span.milliseconds(500)

    package var isOpen: Bool { self.racesPerSecond != nil || self.movesPerSecond != nil }
    /// Between the moves of a race: on its schedule with a rate, otherwise before each move.
    package var pace: Instant.Span {
        if let movesPerSecond {
            let races = Double(self.players / self.raceSize)
            return Instant.Span(nanoseconds: Int64(races / movesPerSecond * 1e9))
        }
        return self.givenPace ?? (self.isOpen ? Self.openPace : Instant.Span(nanoseconds: 0))
    }
    package var rampSeconds: Double { self.givenRampSeconds ?? max(0.1, Double(self.players) / 2000) }

    /// How many players are in races at once if the server keeps up; nil without a rate.
    package var playersNeeded: Int? {
        guard let racesPerSecond else { return nil }
        let steps = Double(self.settings.finish)
        let moves: Double =
            switch self.settings.rule {
            case .turns: Double(self.raceSize) * (steps / 3.5).rounded(.up)
            case .dash: steps
            }
        let seconds = (moves + 1) * Double(self.pace.nanoseconds) / 1e9 + 0.05
        return Int(min((racesPerSecond * seconds).rounded(.up) * Double(self.raceSize), 1e12))
    }
}
