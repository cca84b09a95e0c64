import MatchRules

/// What must hold in every state and on every edge.
enum Invariant: String, CaseIterable, Hashable, Sendable {
    case refusalChangesNothing = "a refusal comes alone and leaves the match equal"
    case oneOnTurn = "in turns exactly one player is on turn, and has not forfeited"
    case turnsGoRound = "turns go round in player order, past those who are out"
    case missedTwiceIsOut = "who misses two turns in a row is out, and nobody else is for that"
    case positionsNeverFall = "only who moves moves, forward, by the steps that are told"
    case raceCanBeWon =
        "a race goes on while two can win, or the last one is held, and nobody is at the finish"
    case oneOutcome = "a race ends once, with at most one winner, who deserves it"
    case sequenceRises = "the numbers of events rise by exactly one"
    case doneIsFinal = "after done only wishes, departures and the close change, and after closed nothing"
    case closedIsTold = "the end of a match is told once, when it comes"
    case rematchNeedsAll = "a rematch is what all want who are still there, and they are two or more"
    case noWayBack = "states follow one another in their order"
    case clockRuns = "the clock that runs is the one of what is waited for, and starts anew only with it"
    case goneSeatsAreHeld = "a seat is held exactly while it is gone"
    case departedIsFinal = "who has departed is told once, and never acts again"
    case numbersHidden = "numbers are shown only when all of the round are in"
    case deadlinesEnd = "the deadlines alone close every match"
}

/// Where an invariant did not hold, with the shortest way there.
struct Violation: CustomStringConvertible, Sendable {
    var invariant: Invariant
    var detail: String
    var trace: [Match.Event]

    var description: String {
        let steps = self.trace.map { "  \($0)" }.joined(separator: "\n")
        return "broken: \(self.invariant.rawValue): \(self.detail), after\n\(steps)"
    }
}
