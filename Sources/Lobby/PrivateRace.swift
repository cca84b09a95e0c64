package import RaceModel

/// A race for those who were told its code.
package struct PrivateRace: Hashable, Sendable {
    package var code: RaceCode
    package var request: RaceRequest
    /// In order of coming; the first is the host. Each has the host's request.
    package var tickets: [Ticket]
    /// Closed then, if it has not started.
    package var expires: Instant
    /// Since when there are enough players; nil while there are too few.
    package var enoughSince: Instant?
    /// When it starts with those who are there; nil while there are too few.
    package var starts: Instant?

    package var host: PlayerID { self.tickets[0].player }
    package var players: [PlayerID] { self.tickets.map(\.player) }

    /// What happened to a private race by itself or by somebody's leaving.
    package enum Event: Hashable, Sendable {
        /// They race now; the private race is no more.
        case started(Group)
        /// A guest left; the race as it is now.
        case left(PlayerID, PrivateRace)
        /// The host left: everybody else must be told.
        case closed(PrivateRace)
        /// The time is over.
        case expired(PrivateRace)
    }
}

/// Why a private race cannot be opened or joined.
package enum PrivateFault: Error, Hashable, Sendable {
    case alreadyThere
    case noSuchCode
    case impossible(RequestFault)

    package var message: String {
        switch self {
        case .alreadyThere: "you are in a private race already; cancel first"
        case .noSuchCode: "no private race with this code is open; ask your host for the code again"
        case .impossible(let fault): fault.message
        }
    }
}
