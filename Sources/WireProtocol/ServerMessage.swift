package import RaceModel

/// What the server sends. One case a message; the same in both dialects. Numbers and bodies:
/// `Protocol/messages.def`.
package enum ServerMessage: Hashable, Sendable {
    case randomNumber(RevealedNumber)
    /// Seconds: a turn in rule `turns`, the idle time in rule `dash`.
    case gameBegin(seconds: UInt16)
    case moved(Moved)
    case gameOver(GameOver)
    /// The key is there only when this made a new player.
    case welcome(PlayerID, Alias, PlayerKey?)
    case error(ErrorReply)
    case bye(ByeReason, text: String)
    case queued(Queued)
    case matchFound(MatchFound)
    case aliases([AliasEntry])
    case drawAgain(round: UInt8, seats: [Seat])
    /// Seats in order of play: the first is player 1.
    case playerOrder([Seat])
    case turnStarted(TurnStarted)
    case playerGone(Presence, seconds: UInt16)
    case playerBack(Presence)
    case snapshot(Snapshot)
    case players(Page, [PlayerEntry])
    case matches(Page, [MatchEntry])
    case invited(InviteID, from: Alias, RaceRequest)
    /// To both sides, once; the alias is the other side's.
    case inviteClosed(InviteID, InviteOutcome, alias: Alias)
    case privateCode(String, seconds: UInt16)
    case reason(WaitReason)
    case pong(UInt64)
    case notice(NoticeCode, seconds: UInt16, text: String)
    /// Before active: there is no result.
    case matchCancelled(MatchCancelled)
    case forfeited(Forfeited)
    case rematchOffered(RematchOffered)
    /// No longer queued, hosting or watching, because the player asked for it.
    case stopped(Activity)
    case leaderboard(Leaderboard)
    case record(RecordPage)
    case history(History)
}

package struct RevealedNumber: Hashable, Sendable, BitwiseCopyable {
    package var round: UInt8
    package var seat: Seat
    package var number: UInt32
    package var drawnByServer: Bool
    package init(round: UInt8, seat: Seat, number: UInt32, drawnByServer: Bool) {
        self.round = round
        self.seat = seat
        self.number = number
        self.drawnByServer = drawnByServer
    }
}

package struct Moved: Hashable, Sendable, BitwiseCopyable {
    package var sequence: UInt32
    /// 0 in dash.
    package var turn: UInt32
    package var player: PlayerNumber
    package var steps: UInt8
    /// After the move, in fields from the start.
    package var position: UInt32
    /// The server rolled, because the player was silent.
    package var automatic: Bool
    package init(
        sequence: UInt32, turn: UInt32, player: PlayerNumber, steps: UInt8, position: UInt32, automatic: Bool
    ) {
        self.sequence = sequence
        self.turn = turn
        self.player = player
        self.steps = steps
        self.position = position
        self.automatic = automatic
    }
}

package struct TurnStarted: Hashable, Sendable, BitwiseCopyable {
    package var sequence: UInt32
    package var turn: UInt32
    package var player: PlayerNumber
    package var seconds: UInt16
    package init(sequence: UInt32, turn: UInt32, player: PlayerNumber, seconds: UInt16) {
        self.sequence = sequence
        self.turn = turn
        self.player = player
        self.seconds = seconds
    }
}

package struct GameOver: Hashable, Sendable {
    package var sequence: UInt32
    /// `player1Won` is derived: the winner is player 1.
    package var outcome: Outcome
    package var nonce: Bytes32
    package var digest: Bytes32
    /// Best first.
    package var standings: [Standing]
    package init(
        sequence: UInt32, outcome: Outcome, nonce: Bytes32, digest: Bytes32, standings: [Standing]
    ) {
        self.sequence = sequence
        self.outcome = outcome
        self.nonce = nonce
        self.digest = digest
        self.standings = standings
    }
}

package struct Standing: Hashable, Sendable, BitwiseCopyable {
    package var rank: UInt8
    package var player: PlayerNumber
    package var position: UInt32
    package init(rank: UInt8, player: PlayerNumber, position: UInt32) {
        self.rank = rank
        self.player = player
        self.position = position
    }
}

package struct ErrorReply: Hashable, Sendable {
    package var code: ErrorCode
    /// The message type the error answers; nil when it could not be told.
    package var request: UInt8?
    package var text: String
    package init(code: ErrorCode, request: UInt8?, text: String) {
        self.code = code
        self.request = request
        self.text = text
    }
}

package struct Queued: Hashable, Sendable, BitwiseCopyable {
    /// Players who wait for such a race, this one included.
    package var waiting: UInt16
    package var minimum: UInt8
    package var maximum: UInt8
    /// Seconds until it starts with what there is; nil while there are too few.
    package var startsIn: UInt16?
    package init(waiting: UInt16, minimum: UInt8, maximum: UInt8, startsIn: UInt16?) {
        self.waiting = waiting
        self.minimum = minimum
        self.maximum = maximum
        self.startsIn = startsIn
    }
}

package struct MatchFound: Hashable, Sendable {
    package var match: MatchID
    /// Nil for a spectator.
    package var ownSeat: Seat?
    package var settings: RaceSettings
    package var seal: Bytes32
    /// In order of seats, from 1.
    package var seats: [SeatEntry]
    package init(
        match: MatchID, ownSeat: Seat?, settings: RaceSettings, seal: Bytes32, seats: [SeatEntry]
    ) {
        self.match = match
        self.ownSeat = ownSeat
        self.settings = settings
        self.seal = seal
        self.seats = seats
    }
}

package struct SeatEntry: Hashable, Sendable {
    package var seat: Seat
    /// Player id 0 is a computer opponent.
    package var player: PlayerID
    package var alias: Alias
    package init(seat: Seat, player: PlayerID, alias: Alias) {
        self.seat = seat
        self.player = player
        self.alias = alias
    }
}

package struct AliasEntry: Hashable, Sendable {
    package var player: PlayerID
    /// Nil: nobody has this id.
    package var alias: Alias?
    package init(player: PlayerID, alias: Alias?) {
        self.player = player
        self.alias = alias
    }
}

/// Whose connection went or came. The player number is nil until the order is known.
package struct Presence: Hashable, Sendable, BitwiseCopyable {
    package var seat: Seat
    package var player: PlayerNumber?
    package init(seat: Seat, player: PlayerNumber?) {
        self.seat = seat
        self.player = player
    }
}

/// A match as it stands; it replaces what the client knew.
package struct Snapshot: Hashable, Sendable {
    package var match: MatchID
    /// Nil for a spectator.
    package var ownSeat: Seat?
    package var settings: RaceSettings
    package var seal: Bytes32
    package var state: MatchState
    /// The last event this snapshot includes; 0 before the race begins.
    package var sequence: UInt32
    /// The open turn, 0 when none is or in dash.
    package var turn: UInt32
    /// Whose turn it is.
    package var onTurn: PlayerNumber?
    /// Until the state's deadline.
    package var seconds: UInt16
    package var runners: [Runner]
    package init(
        match: MatchID, ownSeat: Seat?, settings: RaceSettings, seal: Bytes32, state: MatchState,
        sequence: UInt32, turn: UInt32, onTurn: PlayerNumber?, seconds: UInt16, runners: [Runner]
    ) {
        self.match = match
        self.ownSeat = ownSeat
        self.settings = settings
        self.seal = seal
        self.state = state
        self.sequence = sequence
        self.turn = turn
        self.onTurn = onTurn
        self.seconds = seconds
        self.runners = runners
    }
}

/// One seat of a snapshot; they come in order of seats.
package struct Runner: Hashable, Sendable {
    package enum Presence: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        case here = 0
        /// The connection is gone, the seat is held.
        case gone = 1
        /// Forfeited, or left after the race.
        case out = 2
    }
    package var seat: Seat
    /// Nil until the order is known.
    package var number: PlayerNumber?
    package var player: PlayerID
    package var alias: Alias
    package var position: UInt32
    package var presence: Presence
    package init(
        seat: Seat, number: PlayerNumber?, player: PlayerID, alias: Alias, position: UInt32,
        presence: Presence
    ) {
        self.seat = seat
        self.number = number
        self.player = player
        self.alias = alias
        self.position = position
        self.presence = presence
    }
}

/// Which page of a list, from 1, of how many (at least 1).
package struct Page: Hashable, Sendable, BitwiseCopyable {
    package var number: UInt16
    package var of: UInt16
    package init(number: UInt16, of: UInt16) {
        self.number = number
        self.of = of
    }
}

package struct PlayerEntry: Hashable, Sendable {
    package var player: PlayerID
    package var alias: Alias
    package var state: PlayerState
    /// Seconds since the player's last message.
    package var idle: UInt32
    package init(player: PlayerID, alias: Alias, state: PlayerState, idle: UInt32) {
        self.player = player
        self.alias = alias
        self.state = state
        self.idle = idle
    }
}

package struct MatchEntry: Hashable, Sendable {
    package var match: MatchID
    package var state: MatchState
    package var rule: RaceSettings.Rule
    /// In order of seats.
    package var aliases: [Alias]
    package var spectators: UInt16
    package init(
        match: MatchID, state: MatchState, rule: RaceSettings.Rule, aliases: [Alias], spectators: UInt16
    ) {
        self.match = match
        self.state = state
        self.rule = rule
        self.aliases = aliases
        self.spectators = spectators
    }
}

/// The answer to `why`: whom we wait for, since when, until when, and what happens then.
package struct WaitReason: Hashable, Sendable {
    /// An alias, several by commas, or `anyone`; never empty.
    package var waitingFor: String
    package var what: WaitKind
    /// Seconds.
    package var since: UInt32
    /// Seconds until the deadline; nil when there is none (a ticket waiting for players who are not there).
    package var left: UInt32?
    package var then: String
    package init(waitingFor: String, what: WaitKind, since: UInt32, left: UInt32?, then: String) {
        self.waitingFor = waitingFor
        self.what = what
        self.since = since
        self.left = left
        self.then = then
    }
}

package struct MatchCancelled: Hashable, Sendable {
    package enum Reason: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        case left = 0
        /// The connection did not come back in time.
        case gone = 1
    }
    package var match: MatchID
    /// Who it was cancelled by.
    package var alias: Alias
    package var reason: Reason
    /// Whether the receiver is in the queue again, at its old place.
    package var queuedAgain: Bool
    package init(match: MatchID, alias: Alias, reason: Reason, queuedAgain: Bool) {
        self.match = match
        self.alias = alias
        self.reason = reason
        self.queuedAgain = queuedAgain
    }
}

package struct Forfeited: Hashable, Sendable, BitwiseCopyable {
    package var sequence: UInt32
    package var player: PlayerNumber
    package var reason: ForfeitReason
    package init(sequence: UInt32, player: PlayerNumber, reason: ForfeitReason) {
        self.sequence = sequence
        self.player = player
        self.reason = reason
    }
}

package struct RematchOffered: Hashable, Sendable, BitwiseCopyable {
    package var player: PlayerNumber
    /// False: taken back, or the player left.
    package var wants: Bool
    /// How many want it, of how many who are still there.
    package var agreed: UInt8
    package var of: UInt8
    package init(player: PlayerNumber, wants: Bool, agreed: UInt8, of: UInt8) {
        self.player = player
        self.wants = wants
        self.agreed = agreed
        self.of = of
    }
}
