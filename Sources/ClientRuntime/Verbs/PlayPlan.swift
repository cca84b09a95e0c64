package import RaceModel

/// What somebody who plays or watches has asked for.
package struct PlayPlan: Sendable {
    /// Nil: to play.
    package var watches: MatchID?
    package var isNameGiven: Bool
    /// Numbers and the begin are the user's own business.
    package var isManual: Bool
    /// The client moves by itself.
    package var isAutomatic: Bool
    /// How the player is found again, for the words at the end: the server as the user wrote it, or nil.
    package var serverText: String?

    package init(
        watches: MatchID? = nil, isNameGiven: Bool, isManual: Bool = false, isAutomatic: Bool = false,
        serverText: String? = nil
    ) {
        self.watches = watches
        self.isNameGiven = isNameGiven
        self.isManual = isManual
        self.isAutomatic = isAutomatic
        self.serverText = serverText
    }
}
