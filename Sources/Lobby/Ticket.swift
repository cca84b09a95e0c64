package import RaceModel

/// Someone who looks for a race.
package struct Ticket: Hashable, Sendable {
    package var player: PlayerID
    package var request: RaceRequest
    /// When they began to look; a ticket that comes back after a cancelled match keeps it.
    package var since: Instant
    /// The number of round 1, sent before there was a match.
    package var earlyNumber: UInt32?

    package init(player: PlayerID, request: RaceRequest, since: Instant, earlyNumber: UInt32? = nil) {
        self.player = player
        self.request = request
        self.since = since
        self.earlyNumber = earlyNumber
    }
}

/// Why a ticket is refused.
package enum TicketFault: Error, Hashable, Sendable {
    case alreadyQueued
    case impossible(RequestFault)
}

/// Those who are to race each other.
package struct Group: Hashable, Sendable {
    /// Oldest first: the order of their seats. At least one.
    package var tickets: [Ticket]
    package var settings: RaceSettings
    package var bots: UInt8
    package var group: UInt32

    package init(tickets: [Ticket], settings: RaceSettings, bots: UInt8, group: UInt32) {
        self.tickets = tickets
        self.settings = settings
        self.bots = bots
        self.group = group
    }
}
