import MatchRules

extension StateName {
    var plain: String {
        switch self {
        case .waitingForMatch: "waiting for match"
        case .waitingForRandomNumber: "waiting for random number"
        case .waitingForStart: "waiting for start"
        case .active: "active"
        case .done: "done"
        }
    }

    /// For the diagram.
    var identifier: String { self.plain.split(separator: " ").joined(separator: "_") }
}

extension EventName {
    /// What players send is in code letters, what happens to them in plain ones.
    var plain: String {
        switch self {
        case .joined: "a player joins"
        case .namesKnown: "an alias is known"
        case .drewNumber: "`number`"
        case .began: "`begin`"
        case .moved: "`move`"
        case .left: "`leave`"
        case .dropped: "a connection drops"
        case .returned: "a player returns"
        case .graceExpired: "a held seat's time is up"
        case .offeredRematch: "`rematch`"
        case .withdrewRematch: "`cancel`"
        case .deadlinePassed: "the clock runs out"
        }
    }

    /// What players send first.
    static let inOrder: [EventName] = [
        .drewNumber, .began, .moved, .offeredRematch, .withdrewRematch, .left, .dropped, .returned,
        .graceExpired,
        .joined, .namesKnown, .deadlinePassed,
    ]
}

extension Told {
    var plain: String {
        switch self {
        case .number: "`number`"
        case .again: "`again`"
        case .order: "`order`"
        case .begin: "`begin`"
        case .turn: "`turn`"
        case .moved: "`moved`"
        case .forfeit: "`forfeit`"
        case .over: "`over`"
        case .cancelled: "`cancelled`"
        case .gone: "`gone`"
        case .back: "`back`"
        case .rematch: "`rematch`"
        case .newMatch: "`found` (the next match)"
        }
    }
}

extension Refusal {
    /// In code letters where a player can cause it and the error has that code.
    var plain: String {
        switch self {
        case .wrongState: "`wrong-state`"
        case .notSeated: "not in the match"
        case .alreadyJoined: "already known"
        case .alreadyDrew: "`already-drew`"
        case .wrongRound: "`wrong-round`"
        case .notTied: "not tied"
        case .notPlayerOne: "`not-player-1`"
        case .notYourTurn: "`not-your-turn`"
        case .staleTurn: "`stale-turn`"
        case .outOfRace: "`out-of-race`"
        case .alreadyAgreed: "`already-agreed`"
        case .notAgreed: "not agreed"
        case .alreadyGone: "already gone"
        case .notGone: "not gone"
        case .closed: "closed"
        }
    }

    var meaning: String {
        switch self {
        case .wrongState: "This is not what the match waits for."
        case .notSeated: "Nobody sits there, or no longer: who has left has no part in the match any more."
        case .alreadyJoined: "The seat is taken already, or its alias is known already."
        case .alreadyDrew: "This seat's number of the open round is in; the first one counts."
        case .wrongRound:
            "The number is for a round that is over or has not been opened. Round 0 is the open one."
        case .notTied: "Only the tied draw again, and this seat's place is settled."
        case .notPlayerOne: "Only player 1 begins the race."
        case .notYourTurn: "Another player is on turn."
        case .staleTurn:
            "The move answers a turn that is over or has not come. Turn 0 is the open one, and the only"
                + " one in rule `dash`."
        case .outOfRace: "This seat has forfeited."
        case .alreadyAgreed: "This seat wants the rematch already."
        case .notAgreed: "There is no wish to take back."
        case .alreadyGone: "The seat is held already."
        case .notGone: "The seat is not held, so that nobody can return to it and no time can be up."
        case .closed: "Nothing more can come of this match."
        }
    }
}
