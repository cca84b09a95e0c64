package import RaceModel

/// Why a race that is asked for cannot be.
package enum RequestFault: Error, Hashable, Sendable {
    case tooFewPlayers
    case tooManyPlayers
    case rangeReversed
    case tooManyBots
    case badFinish
    /// An invite is for two people and the computer opponents; the size asked for rules that out.
    case notForTwo

    package var message: String {
        switch self {
        case .tooFewPlayers: "a race needs at least 2 players, computer opponents counted"
        case .tooManyPlayers: "a race has at most \(Limits.playersPerMatch) players"
        case .rangeReversed: "the fewest players must not be more than the most; write the lower number first"
        case .tooManyBots: "there must be a seat for you; ask for fewer computer opponents than players"
        case .badFinish: "the finish must be from 1 to \(Limits.finish)"
        case .notForTwo: "an invite is for the two of you; the number of players must allow 2 and the bots"
        }
    }
}

extension RaceRequest {
    /// Whether anybody could ever be matched on this request. All that enters the lobby has passed this.
    package func check() throws(RequestFault) {
        if self.minimum < 2 { throw .tooFewPlayers }
        if self.maximum < self.minimum { throw .rangeReversed }
        if Int(self.maximum) > Limits.playersPerMatch { throw .tooManyPlayers }
        if self.bots >= self.maximum { throw .tooManyBots }
        if self.settings.finish < 1 || self.settings.finish > Limits.finish { throw .badFinish }
    }

    /// The same for a race of two people.
    package func checkForTwo() throws(RequestFault) {
        try self.check()
        if !self.people.contains(2) { throw .notForTwo }
    }

    /// How many people may take part, computer opponents not counted: within 1...8. Of a request that passed
    /// `check`.
    var people: ClosedRange<UInt8> {
        let most = max(1, self.maximum - min(self.maximum, self.bots))
        let fewest = max(1, self.minimum - min(self.minimum, self.bots))
        return min(fewest, most)...most
    }
}
