import RaceModel

extension LineEncoder {
    /// The one text form of what the server sends: a line, or where it carries a list, a line an entry behind
    /// it.
    package static func append(_ message: ServerMessage, names: RosterNames, to buffer: inout [UInt8]) {
        switch message {
        case .moved(let moved): return Self.append(moved, names: names, to: &buffer)
        case .turnStarted(let turn): return Self.append(turn, names: names, to: &buffer)
        case .randomNumber(let revealed):
            buffer.append("number round=", revealed.round)
            buffer.append(" seat=", revealed.seat.value)
            buffer.append(" value=", revealed.number)
            if revealed.drawnByServer { buffer.append(" drawn=server") }
        case .gameBegin(let seconds): buffer.append("begin seconds=", seconds)
        case .gameOver(let over): Self.append(over, names: names, to: &buffer)
        case .welcome(let player, let alias, let key):
            buffer.append("welcome player=", player.value)
            buffer.append(" alias=", value: alias.text)
            if let key {
                buffer.append(" key=")
                Hex.append(key, to: &buffer)
            }
        case .error(let error): Self.append(error, to: &buffer)
        case .bye(let reason, let text):
            buffer.append("bye reason=")
            buffer.append(reason.name)
            buffer.append(" text=", text: text)
        case .queued(let queued):
            buffer.append("queued waiting=", queued.waiting)
            buffer.append(" min=", queued.minimum)
            buffer.append(" max=", queued.maximum)
            if let seconds = queued.startsIn { buffer.append(" starts=", min(seconds, .max - 1)) }
        case .drawAgain(let round, let seats):
            buffer.append("again round=", round)
            buffer.append(" seats=", seats: seats.prefix(Limits.playersPerMatch))
        case .playerOrder(let seats):
            buffer.append("order seats=", seats: seats.prefix(Limits.playersPerMatch))
        case .playerGone(let presence, let seconds):
            buffer.append("gone")
            Self.append(presence, names: names, to: &buffer)
            buffer.append(" seconds=", seconds)
        case .playerBack(let presence):
            buffer.append("back")
            Self.append(presence, names: names, to: &buffer)
        case .pong(let value): buffer.append("pong value=", value)
        case .forfeited(let forfeited):
            buffer.append("forfeit seq=", forfeited.sequence)
            buffer.append(" player=", forfeited.player.value)
            names.appendAlias(of: forfeited.player, to: &buffer)
            buffer.append(" reason=")
            buffer.append(forfeited.reason.name)
        case .rematchOffered(let offer):
            buffer.append("rematch player=", offer.player.value)
            names.appendAlias(of: offer.player, to: &buffer)
            buffer.append(" wants=", flag: offer.wants)
            buffer.append(" agreed=", offer.agreed)
            buffer.append(" of=", offer.of)
        case .stopped(let activity):
            buffer.append("stopped what=")
            buffer.append(activity.name)
        case .leaderboard(let board): Self.append(board, to: &buffer)
        case .record(let page): Self.append(page, to: &buffer)
        case .history(let history): Self.append(history, to: &buffer)
        case .matchFound, .aliases, .snapshot, .players, .matches: Self.appendList(message, to: &buffer)
        case .invited, .inviteClosed, .privateCode, .reason, .notice, .matchCancelled:
            Self.appendLobbyLine(message, to: &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Room for all the words and numbers of one of the two lines below, in bytes, without the alias.
    private static let moveLineBytes = 128

    package static func append(_ moved: Moved, names: RosterNames, to buffer: inout [UInt8]) {
        let alias = names.alias(writtenOf: moved.player)
        buffer.appendPiece(most: Self.moveLineBytes + alias.count) { pen in
            var pen = pen
            pen.write("moved seq=")
            pen.write(moved.sequence)
            pen.write(" turn=")
            pen.write(moved.turn)
            pen.write(" player=")
            pen.write(UInt32(moved.player.value))
            pen.write(names.written.span.extracting(alias))
            pen.write(" by=")
            pen.write(UInt32(moved.steps))
            pen.write(" at=")
            pen.write(moved.position)
            pen.write(names.written.span.extracting(names.finishWritten))
            pen.write(moved.automatic ? " auto=yes\n" : " auto=no\n")
            return pen
        }
    }

    package static func append(_ turn: TurnStarted, names: RosterNames, to buffer: inout [UInt8]) {
        let alias = names.alias(writtenOf: turn.player)
        buffer.appendPiece(most: Self.moveLineBytes + alias.count) { pen in
            var pen = pen
            pen.write("turn seq=")
            pen.write(turn.sequence)
            pen.write(" turn=")
            pen.write(turn.turn)
            pen.write(" player=")
            pen.write(UInt32(turn.player.value))
            pen.write(names.written.span.extracting(alias))
            pen.write(" seconds=")
            pen.write(UInt32(turn.seconds))
            pen.write("\n")
            return pen
        }
    }

    private static func append(_ presence: Presence, names: RosterNames, to buffer: inout [UInt8]) {
        if let player = presence.player { buffer.append(" player=", player.value) }
        buffer.append(" seat=", presence.seat.value)
        names.appendAlias(of: presence.seat, to: &buffer)
    }

    private static func append(_ error: ErrorReply, to buffer: inout [UInt8]) {
        buffer.append("error")
        if let request = error.request, request != .max {
            buffer.append(" re=")
            if let number = ClientMessageNumber(rawValue: request) {
                buffer.append(number.name)
            } else {
                buffer.appendDecimal(UInt64(request))
            }
        }
        buffer.append(" code=")
        buffer.append(error.code.name)
        buffer.append(" text=", text: error.text)
    }

    /// The first words of `over`, up to the nonce: its number, and who has won and why.
    static func appendEnding(
        _ sequence: UInt32, _ outcome: Outcome, names: RosterNames, to buffer: inout [UInt8]
    ) {
        buffer.append("over seq=", sequence)
        buffer.append(" player1won=", flag: outcome.winner?.value == 1)
        if let winner = outcome.winner {
            buffer.append(" winner=", winner.value)
            names.appendAlias(of: winner, to: &buffer)
        }
        buffer.append(" reason=")
        buffer.append(outcome.reason.name)
    }

    private static func append(_ over: GameOver, names: RosterNames, to buffer: inout [UInt8]) {
        self.appendEnding(over.sequence, over.outcome, names: names, to: &buffer)
        buffer.append(" nonce=")
        Hex.append(over.nonce, to: &buffer)
        buffer.append(" digest=")
        Hex.append(over.digest, to: &buffer)
        let places = over.standings.prefix(Limits.playersPerMatch)
        buffer.append(" places=", UInt(places.count))
        for place in places {
            buffer.append("\nplace rank=", place.rank)
            buffer.append(" player=", place.player.value)
            names.appendAlias(of: place.player, to: &buffer)
            buffer.append(" at=", place.position)
        }
    }

    private static func appendLobbyLine(_ message: ServerMessage, to buffer: inout [UInt8]) {
        switch message {
        case .invited(let invite, let from, let request):
            buffer.append("invited id=", invite.value)
            buffer.append(" from=", value: from.text)
            Self.appendKeys(of: request, to: &buffer)
            buffer.append(" min=", request.minimum)
            buffer.append(" max=", request.maximum)
        case .inviteClosed(let invite, let outcome, let alias):
            buffer.append("invite id=", invite.value)
            buffer.append(" outcome=")
            buffer.append(outcome.name)
            buffer.append(" alias=", value: alias.text)
        case .privateCode(let code, let seconds):
            buffer.append("code value=", value: code.cut(to: Limits.codeBytes))
            buffer.append(" seconds=", seconds)
        case .reason(let reason):
            buffer.append("waiting for=", value: reason.waitingFor.cut(to: Limits.textBytes))
            buffer.append(" what=")
            buffer.append(reason.what.name)
            buffer.append(" since=", reason.since)
            if let left = reason.left { buffer.append(" left=", min(left, .max - 1)) }
            buffer.append(" then=", text: reason.then)
        case .notice(let code, let seconds, let text):
            buffer.append("notice code=")
            buffer.append(code.name)
            buffer.append(" seconds=", seconds)
            buffer.append(" text=", text: text)
        case .matchCancelled(let cancelled):
            buffer.append("cancelled match=", cancelled.match.value)
            buffer.append(" alias=", value: cancelled.alias.text)
            buffer.append(" reason=")
            buffer.append(cancelled.reason.name)
            buffer.append(" queued=", flag: cancelled.queuedAgain)
        default: preconditionFailure("not a line of the lobby")
        }
    }
}
