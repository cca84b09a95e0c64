package import RaceModel

/// The record of one race as text: what a spectator who was there from the beginning has read, without the
/// lines that only tell the time, up to the nonce that the end opens. The digest of a race is SHA-256 of it, so
/// anyone can make it again from the lines they saw.
package struct RaceRecord: Sendable {
    /// Lines not yet taken, each ended by LF.
    package private(set) var text: [UInt8] = []
    private var names: RosterNames

    package init(found: MatchFound) {
        self.names = RosterNames(aliases: found.seats.map(\.alias), finish: found.settings.finish)
        var found = found
        found.ownSeat = nil
        LineEncoder.append(.matchFound(found), names: self.names, to: &self.text)
    }

    /// Forgets the lines that are there, and keeps their memory for more.
    package mutating func clearText() { self.text.removeAll(keepingCapacity: true) }

    /// The end: the words of `over` before its nonce, ended by LF. Nothing follows.
    package mutating func end(_ sequence: UInt32, _ outcome: Outcome) {
        LineEncoder.appendEnding(sequence, outcome, names: self.names, to: &self.text)
        self.text.append(UInt8(ascii: "\n"))
    }

    package mutating func append(_ moved: Moved) {
        LineEncoder.append(moved, names: self.names, to: &self.text)
    }

    /// Numbers, the order, moves and forfeits belong to the record; any other message is passed over.
    package mutating func append(_ message: ServerMessage) {
        switch message {
        case .playerOrder(let order):
            LineEncoder.append(message, names: self.names, to: &self.text)
            self.names.order = order
        case .randomNumber, .moved, .forfeited: LineEncoder.append(message, names: self.names, to: &self.text)
        case .gameBegin, .gameOver, .welcome, .error, .bye, .queued, .matchFound, .aliases, .drawAgain,
            .turnStarted,
            .playerGone, .playerBack, .snapshot, .players, .matches, .invited, .inviteClosed, .privateCode,
            .reason,
            .pong, .notice, .matchCancelled, .rematchOffered, .stopped, .leaderboard,
            .record, .history:
            break
        }
    }
}
