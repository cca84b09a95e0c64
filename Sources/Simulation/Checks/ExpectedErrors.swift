import WireProtocol

/// Refusals that an honest client may get, because what it answers to was overtaken on the way.
enum ExpectedErrors {
    static func allows(_ error: ErrorReply) -> Bool {
        guard let request = error.request.flatMap(ClientMessageNumber.init(rawValue:)) else { return false }
        if error.code == .draining {
            return [.findMatch, .hostPrivate, .joinPrivate, .invite, .answerInvite, .rematch].contains(
                request)
        }
        switch request {
        case .hello:
            // Taken: by an earlier self whose key never arrived. Unavailable: the store.
            return [.aliasTaken, .unavailable].contains(error.code)
        case .lookUpAliases: return error.code == .unavailable
        case .randomNumber:
            // The server drew in the meantime, the match is off or over, or this is the second number. Read
            // only: it was for a ticket that was taken back, while watching.
            return [.wrongState, .wrongRound, .alreadyDrew, .notInMatch, .readOnly].contains(error.code)
        case .gameBegin:
            // The server began; or the match is off, and the next one has another player 1. Read only: as
            // with a move.
            return [.wrongState, .notPlayerOne, .notInMatch, .readOnly].contains(error.code)
        case .move:
            // The clock moved, the race is over, or the player is out of it. Read only: the race was left for
            // another ticket and a watch, both under way (seed 1444 of 1000 races).
            return [.wrongState, .staleTurn, .notYourTurn, .outOfRace, .notInMatch, .readOnly].contains(
                error.code)
        // Read only: a watch was under way while the match closed.
        case .leave: return [.notInMatch, .readOnly].contains(error.code)
        case .rematch:
            // The match is closed, or the next one is on; asked for again after a return; or a watch was under
            // way.
            return [.wrongState, .notInMatch, .alreadyAgreed, .readOnly].contains(error.code)
        case .cancelFind: return error.code == .notQueued
        case .findMatch, .hostPrivate:
            // Found meanwhile. Slow down: three starts were broken off.
            return [.alreadyInMatch, .alreadyQueued, .slowDown].contains(error.code)
        case .joinPrivate:
            return [.alreadyInMatch, .alreadyQueued, .slowDown, .noSuchCode].contains(error.code)
        case .invite: return [.alreadyInMatch, .slowDown, .tooMany].contains(error.code)
        case .answerInvite: return [.alreadyInMatch, .slowDown, .noSuchInvite].contains(error.code)
        case .cancelInvite: return error.code == .noSuchInvite
        case .watch: return [.alreadyInMatch, .noSuchMatch, .full].contains(error.code)
        case .unwatch: return error.code == .notInMatch
        // Unavailable: the store.
        case .listPlayers, .leaderboard: return error.code == .unavailable
        // Nobody has that name any more, or not yet.
        case .lookUpPlayer: return [.unavailable, .noSuchPlayer].contains(error.code)
        // It is on, it was called off, or it ended with the server.
        case .replay: return [.unavailable, .wrongState, .noSuchMatch].contains(error.code)
        case .listMatches, .why, .ping, .quit: return false
        }
    }
}
