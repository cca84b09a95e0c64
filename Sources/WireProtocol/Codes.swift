/// A short name for a value, the same in the manual, in text lines and in the logs.
package protocol WireName: CaseIterable, RawRepresentable, Hashable, Sendable {
    /// Lower case, words joined by `-`.
    var name: String { get }
}

/// The state of a match, as the wire names it.
package enum MatchState: UInt8, WireName {
    case waitingForMatch = 0
    case waitingForRandomNumber, waitingForStart, active, done

    package var name: String {
        switch self {
        case .waitingForMatch: "waiting-for-match"
        case .waitingForRandomNumber: "waiting-for-random-number"
        case .waitingForStart: "waiting-for-start"
        case .active: "active"
        case .done: "done"
        }
    }
}

/// What a player is doing, for `who`.
package enum PlayerState: UInt8, WireName {
    case idle = 0
    case queued, hosting, starting, racing, finished, watching
    /// The connection is gone, the seat is held.
    case gone
    /// Not here. Only told to who asks for a prefix.
    case offline

    package var name: String {
        switch self {
        case .idle: "idle"
        case .queued: "queued"
        case .hosting: "hosting"
        case .starting: "starting"
        case .racing: "racing"
        case .finished: "finished"
        case .watching: "watching"
        case .gone: "gone"
        case .offline: "offline"
        }
    }
}

package enum WaitKind: UInt8, WireName {
    case players = 0
    case aliases, number, begin, move, rematch, nothing

    package var name: String {
        switch self {
        case .players: "players"
        case .aliases: "aliases"
        case .number: "number"
        case .begin: "begin"
        case .move: "move"
        case .rematch: "rematch"
        case .nothing: "nothing"
        }
    }
}

/// What `stopped` says has ended.
package enum Activity: UInt8, WireName {
    case queue = 0
    case host, watch, match, rematch

    package var name: String {
        switch self {
        case .queue: "queue"
        case .host: "host"
        case .watch: "watch"
        case .match: "match"
        case .rematch: "rematch"
        }
    }
}

package enum InviteOutcome: UInt8, WireName {
    case accepted = 0
    case declined, busy, offline
    /// The other has asked for a race of another kind: answer that invite first.
    case incompatible
    case noAnswer, cancelled
    /// Not closed yet: it was sent. Only its sender is told, so as to know its id.
    case open

    package var name: String {
        switch self {
        case .accepted: "accepted"
        case .declined: "declined"
        case .busy: "busy"
        case .offline: "offline"
        case .incompatible: "incompatible"
        case .noAnswer: "no-answer"
        case .cancelled: "cancelled"
        case .open: "open"
        }
    }
}

package enum NoticeCode: UInt8, WireName {
    case draining = 0
    case slowDown, halfClosed, breakOff
    /// The result that is told is not kept yet, or never will be; it is kept now.
    case notKept, kept
    /// A word from the operator.
    case `operator`
    /// The server before this one ended suddenly, and races under way with it.
    case suddenEnd

    package var name: String {
        switch self {
        case .draining: "draining"
        case .slowDown: "slow-down"
        case .halfClosed: "half-closed"
        case .breakOff: "break-off"
        case .notKept: "not-kept"
        case .kept: "kept"
        case .operator: "operator"
        case .suddenEnd: "sudden-end"
        }
    }
}

package enum ByeReason: UInt8, WireName {
    case quit = 0
    /// The same player came on a newer connection.
    case takenOver
    case shutdown
    /// Nothing that made the connection known came in time.
    case handshake
    /// Too much output the client did not read.
    case slowReader
    /// Input after which the stream cannot be trusted.
    case violation
    /// No common version.
    case version
    /// The client closed its sending side, and everything is answered.
    case halfClosed
    /// The address has as many connections as it can have.
    case full
    /// The operator keeps this address or player out.
    case banned
    /// The address connects too often, or the client went on asking for too much.
    case slowDown
    /// The operator sent this player away.
    case kicked

    package var name: String {
        switch self {
        case .quit: "quit"
        case .takenOver: "taken-over"
        case .shutdown: "shutdown"
        case .handshake: "handshake"
        case .slowReader: "slow-reader"
        case .violation: "violation"
        case .version: "version"
        case .halfClosed: "half-closed"
        case .full: "full"
        case .banned: "banned"
        case .slowDown: "slow-down"
        case .kicked: "kicked"
        }
    }
}

/// Why a request was refused. Numbers are never used again. Who is at fault: `Protocol/protocol.md`.
package enum ErrorCode: UInt16, WireName {
    // The stream: the connection is closed behind these.
    case frameTooLong = 1
    case badLength = 2
    case lineTooLong = 3
    case version = 4

    // The message: refused, and the connection goes on.
    case unknownType = 10
    case malformedBody = 11
    case wrongDirection = 12
    case unknownVerb = 13
    case badValue = 14
    case notUTF8 = 15
    case tooMany = 16

    // The player.
    case notNamed = 20
    case alreadyNamed = 21
    case badAlias = 22
    case aliasTaken = 23
    case wrongKey = 24
    case noSuchPlayer = 25
    case needsTLS = 26

    // The match and the queue.
    case badSettings = 30
    case alreadyQueued = 31
    case notQueued = 32
    case alreadyInMatch = 33
    case notInMatch = 34
    case wrongState = 35
    case notYourTurn = 36
    case staleTurn = 37
    case wrongRound = 38
    case alreadyDrew = 39
    case notPlayerOne = 40
    case outOfRace = 41
    case readOnly = 42
    case noSuchMatch = 43
    case noSuchInvite = 44
    case noSuchCode = 45
    case full = 46
    case alreadyAgreed = 47
    case tooLong = 48

    // The server.
    case slowDown = 60
    case draining = 61
    case unavailable = 62

    package var name: String {
        switch self {
        case .frameTooLong: "frame-too-long"
        case .badLength: "bad-length"
        case .lineTooLong: "line-too-long"
        case .version: "version"
        case .unknownType: "unknown-type"
        case .malformedBody: "malformed-body"
        case .wrongDirection: "wrong-direction"
        case .unknownVerb: "unknown-verb"
        case .badValue: "bad-value"
        case .notUTF8: "not-utf8"
        case .tooMany: "too-many"
        case .notNamed: "not-named"
        case .alreadyNamed: "already-named"
        case .badAlias: "bad-alias"
        case .aliasTaken: "alias-taken"
        case .wrongKey: "wrong-key"
        case .noSuchPlayer: "no-such-player"
        case .needsTLS: "needs-tls"
        case .badSettings: "bad-settings"
        case .alreadyQueued: "already-queued"
        case .notQueued: "not-queued"
        case .alreadyInMatch: "already-in-match"
        case .notInMatch: "not-in-match"
        case .wrongState: "wrong-state"
        case .notYourTurn: "not-your-turn"
        case .staleTurn: "stale-turn"
        case .wrongRound: "wrong-round"
        case .alreadyDrew: "already-drew"
        case .notPlayerOne: "not-player-1"
        case .outOfRace: "out-of-race"
        case .readOnly: "read-only"
        case .noSuchMatch: "no-such-match"
        case .noSuchInvite: "no-such-invite"
        case .noSuchCode: "no-such-code"
        case .full: "full"
        case .alreadyAgreed: "already-agreed"
        case .tooLong: "too-long"
        case .slowDown: "slow-down"
        case .draining: "draining"
        case .unavailable: "unavailable"
        }
    }
}
