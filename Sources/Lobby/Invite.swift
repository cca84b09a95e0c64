package import RaceModel

/// One player asks another for a race of the two.
package struct Invite: Hashable, Sendable {
    package var id: InviteID
    package var from: PlayerID
    package var to: PlayerID
    package var request: RaceRequest
    /// Without an answer it is closed then.
    package var expires: Instant

    package init(id: InviteID, from: PlayerID, to: PlayerID, request: RaceRequest, expires: Instant) {
        self.id = id
        self.from = from
        self.to = to
        self.request = request
        self.expires = expires
    }

    /// How an invite ends. Each ends once, and both sides are told.
    package enum Ending: Hashable, Sendable, CaseIterable {
        case accepted, declined, cancelled
        /// One of the two started another race.
        case busy
        /// One of the two is gone.
        case offline
        case noAnswer
    }

    package struct Closure: Hashable, Sendable {
        package var invite: Invite
        package var ending: Ending

        package init(invite: Invite, ending: Ending) {
            self.invite = invite
            self.ending = ending
        }
    }
}

/// Why something about an invite is refused.
package enum InviteFault: Error, Hashable, Sendable {
    case toYourself
    case tooManySent
    case tooManyReceived
    case alreadyInvited
    case impossible(RequestFault)
    /// No invite of this id is open that this player may answer or take back. Others' invites are no
    /// different from ones that never were.
    case noSuchInvite

    package var message: String {
        switch self {
        case .toYourself: "you cannot invite yourself; write another player's alias"
        case .tooManySent:
            "you have \(Limits.invitesPerPlayer) invites open; cancel one or wait until one is answered"
        case .tooManyReceived: "that player has too many invites open; try again in a minute"
        case .alreadyInvited: "your invite to that player is still open; wait for the answer or cancel it"
        case .impossible(let fault): fault.message
        case .noSuchInvite: "no invite of yours with this id is open"
        }
    }
}
