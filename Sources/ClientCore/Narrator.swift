import RaceModel
package import WireProtocol

/// Says in a sentence what happened, to somebody who looks on.
package enum Narrator {
    /// Nil for what a screen shows otherwise.
    ///
    /// - Parameter view: as it is once the message is taken in.
    package static func sentence(for message: ServerMessage, _ view: RaceView) -> String? {
        switch message {
        case .welcome(_, let alias, let key): key == nil ? "welcome back, \(alias)" : "welcome, \(alias)"
        case .error(let error): error.text
        case .bye(_, let text): text
        case .matchFound(let found):
            "found: " + Self.list(found.seats.map(\.alias.text))
        case .matchCancelled(let cancelled):
            "\(cancelled.alias) \(cancelled.reason == .left ? "left" : "did not come back") before the start"
                + (cancelled.queuedAgain ? "; you are queued again" : "")
        case .invited(let invite, let from, _): "\(from) invites you to a race (invite \(invite.value))"
        case .reason(let reason): Self.wait(reason)
        case .notice(.notKept, _, _):
            "the server can't keep the result of the race now; it is told all the same, and you hear when it is kept"
        case .notice(.kept, _, _): "the result is kept"
        // Whoever had a race is told what became of it; nobody else has lost anything.
        case .notice(.suddenEnd, _, _): nil
        case .notice(_, _, let text): text
        case .stopped(.match): "the match is closed"
        case .stopped(.watch): "the match you watched is closed"
        case .randomNumber, .drawAgain, .playerOrder, .gameBegin, .moved, .gameOver, .playerGone, .playerBack,
            .forfeited, .rematchOffered:
            view.match.flatMap { Self.sentence(for: message, in: $0) }
        case .snapshot, .queued, .aliases, .turnStarted, .players, .matches, .inviteClosed, .privateCode,
            .pong, .stopped, .leaderboard, .record, .history:
            nil
        }
    }

    /// What became of a race that somebody comes back to in vain.
    package static func sentence(for loss: MatchLoss) -> String {
        switch loss {
        case .overMeanwhile: "the race ended while you were away"
        case .serverEndedSuddenly: "the server ended suddenly: the race ended without a result"
        }
    }

    /// What became of somebody's race when the server was started anew.
    package static func sentence(forLoss loss: RaceView.Loss) -> String {
        switch loss {
        case .race: "the server was started anew: the race ended without a result"
        case .ticket: "the server was started anew: a race is looked for again"
        case .nothing: "the server was started anew"
        }
    }

    private static func sentence(for message: ServerMessage, in match: MatchView) -> String? {
        switch message {
        case .randomNumber(let revealed):
            "\(match.name(at: revealed.seat)) drew \(revealed.number)"
                + (revealed.drawnByServer ? " (by the server)" : "")
        case .drawAgain(_, let seats):
            "a tie: \(Self.list(seats.map { match.name(at: $0) })) draw again"
        case .playerOrder(let seats):
            "the order: " + seats.map { match.name(at: $0) }.joined(separator: ", ")
        case .gameBegin: match.settings.rule == .dash ? "go!" : "the race begins"
        case .moved(let moved) where match.settings.rule == .dash:
            moved.position % 5 == 0 || moved.position >= match.settings.finish
                ? "\(match.name(of: moved.player)) is at \(moved.position)" : nil
        case .moved(let moved):
            moved.automatic
                ? "the server rolled \(moved.steps) for \(match.name(of: moved.player))"
                : "\(match.name(of: moved.player)) rolled \(moved.steps), now at \(moved.position)"
        case .gameOver(let over): Self.ending(over, match)
        case .playerGone(let presence, let seconds):
            "\(match.name(at: presence.seat)) is gone; the seat is held \(seconds) s"
        case .playerBack(let presence):
            presence.seat == match.ownSeat ? "you are back" : "\(match.name(at: presence.seat)) is back"
        case .forfeited(let forfeited): Self.forfeit(forfeited, match)
        case .rematchOffered(let offer):
            "\(match.name(of: offer.player)) \(offer.wants ? "wants" : "does not want") a rematch "
                + "(\(offer.agreed) of \(offer.of))"
        default: nil
        }
    }

    /// `bob is to move, for 4 s now; in 16 s the server rolls for bob`
    private static func wait(_ reason: WaitReason) -> String {
        guard reason.what != .nothing else { return reason.then }
        let left = reason.left.map { "in \($0) s: " } ?? ""
        return
            "waiting \(reason.since) s for \(reason.waitingFor) (\(reason.what.name)); \(left)\(reason.then)"
    }

    package static func ending(_ over: GameOver, _ match: MatchView) -> String {
        guard let winner = over.outcome.winner else {
            return over.outcome.reason == .noMoves
                ? "nobody moved: the race has no result" : "nobody was left: the race has no result"
        }
        let name = winner == match.ownNumber ? "you have" : "\(match.name(of: winner)) has"
        return switch over.outcome.reason {
        case .finish: "\(name) won the race!"
        case .forfeit: "\(name) won: all others are out"
        case .idle: "\(name) won: nobody moved any more"
        case .noMoves, .abandoned: "\(name) won"
        }
    }

    private static func forfeit(_ forfeited: Forfeited, _ match: MatchView) -> String {
        let name = match.name(of: forfeited.player)
        return switch forfeited.reason {
        case .left: "\(name) left the race"
        case .missedTurns: "\(name) missed two turns and is out"
        case .gone: "\(name) did not come back and is out"
        }
    }

    /// `ann, bob and eve`
    private static func list(_ names: [String]) -> String {
        guard names.count > 1 else { return names.first ?? "nobody" }
        return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }
}
