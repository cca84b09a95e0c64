/// The type byte of a frame that clients send. Numbers are never used again.
package enum ClientMessageNumber: UInt8, CaseIterable, Sendable {
    case randomNumber = 0
    case gameBegin = 1
    case move = 2
    case hello = 16
    case findMatch = 17
    case cancelFind = 18
    case leave = 19
    case rematch = 20
    case lookUpAliases = 21
    case listPlayers = 22
    case listMatches = 23
    case watch = 24
    case unwatch = 25
    case invite = 26
    case answerInvite = 27
    case cancelInvite = 28
    case hostPrivate = 29
    case joinPrivate = 30
    case leaderboard = 31
    case replay = 32
    case why = 33
    case ping = 34
    case quit = 35
    case lookUpPlayer = 36

    /// What `re=` says in the text form of an error.
    package var name: String {
        switch self {
        case .randomNumber: "number"
        case .gameBegin: "begin"
        case .move: "move"
        case .hello: "name"
        case .findMatch: "play"
        case .cancelFind: "cancel"
        case .leave: "leave"
        case .rematch: "rematch"
        case .lookUpAliases: "alias"
        case .listPlayers: "who"
        case .listMatches: "matches"
        case .watch: "watch"
        case .unwatch: "unwatch"
        case .invite: "invite"
        case .answerInvite: "answer"
        case .cancelInvite: "uninvite"
        case .hostPrivate: "host"
        case .joinPrivate: "join"
        case .leaderboard: "top"
        case .replay: "replay"
        case .why: "why"
        case .ping: "ping"
        case .quit: "quit"
        case .lookUpPlayer: "player"
        }
    }

    /// How long its body is, in bytes; nil for a message whose length varies.
    package var bodyBytes: Int? {
        switch self {
        case .gameBegin, .cancelFind, .leave, .rematch, .unwatch, .why, .quit: 0
        case .randomNumber: 5
        case .move: 4
        case .findMatch, .hostPrivate: 13
        case .listMatches: 2
        case .leaderboard: 3
        case .replay: 10
        case .watch, .cancelInvite, .ping: 8
        case .answerInvite: 9
        case .hello, .lookUpAliases, .listPlayers, .invite, .joinPrivate, .lookUpPlayer: nil
        }
    }
}

/// The type byte of a frame that the server sends. Numbers are never used again.
package enum ServerMessageNumber: UInt8, CaseIterable, Sendable {
    case randomNumber = 0
    case gameBegin = 1
    case moved = 2
    case gameOver = 3
    case welcome = 64
    case error = 65
    case bye = 66
    case queued = 67
    case matchFound = 68
    case aliases = 69
    case drawAgain = 70
    case playerOrder = 71
    case turnStarted = 72
    case playerGone = 73
    case playerBack = 74
    case snapshot = 75
    case players = 76
    case matches = 77
    case invited = 78
    case inviteClosed = 79
    case privateCode = 80
    case leaderboard = 81
    case record = 82
    case reason = 83
    case pong = 84
    case notice = 85
    case matchCancelled = 86
    case forfeited = 87
    case rematchOffered = 88
    case stopped = 89
    case history = 90
}

extension ClientMessage {
    package var number: ClientMessageNumber {
        switch self {
        case .randomNumber: .randomNumber
        case .gameBegin: .gameBegin
        case .move: .move
        case .hello: .hello
        case .findMatch: .findMatch
        case .cancelFind: .cancelFind
        case .leave: .leave
        case .rematch: .rematch
        case .lookUpAliases: .lookUpAliases
        case .listPlayers: .listPlayers
        case .listMatches: .listMatches
        case .watch: .watch
        case .unwatch: .unwatch
        case .invite: .invite
        case .answerInvite: .answerInvite
        case .cancelInvite: .cancelInvite
        case .hostPrivate: .hostPrivate
        case .joinPrivate: .joinPrivate
        case .leaderboard: .leaderboard
        case .replay: .replay
        case .why: .why
        case .ping: .ping
        case .quit: .quit
        case .lookUpPlayer: .lookUpPlayer
        }
    }
}

extension ServerMessage {
    package var number: ServerMessageNumber {
        switch self {
        case .randomNumber: .randomNumber
        case .gameBegin: .gameBegin
        case .moved: .moved
        case .gameOver: .gameOver
        case .welcome: .welcome
        case .error: .error
        case .bye: .bye
        case .queued: .queued
        case .matchFound: .matchFound
        case .aliases: .aliases
        case .drawAgain: .drawAgain
        case .playerOrder: .playerOrder
        case .turnStarted: .turnStarted
        case .playerGone: .playerGone
        case .playerBack: .playerBack
        case .snapshot: .snapshot
        case .players: .players
        case .matches: .matches
        case .invited: .invited
        case .inviteClosed: .inviteClosed
        case .privateCode: .privateCode
        case .leaderboard: .leaderboard
        case .record: .record
        case .reason: .reason
        case .pong: .pong
        case .notice: .notice
        case .matchCancelled: .matchCancelled
        case .forfeited: .forfeited
        case .rematchOffered: .rematchOffered
        case .stopped: .stopped
        case .history: .history
        }
    }
}
