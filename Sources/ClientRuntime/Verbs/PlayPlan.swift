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
    /// Nothing is kept of the player, by their own wish.
    package var isGuest: Bool

    package init(
        watches: MatchID? = nil, isNameGiven: Bool, isManual: Bool = false, isAutomatic: Bool = false,
        serverText: String? = nil, isGuest: Bool = false
    ) {
        self.watches = watches
        self.isNameGiven = isNameGiven
        self.isManual = isManual
        self.isAutomatic = isAutomatic
        self.serverText = serverText
        self.isGuest = isGuest
    }
}
