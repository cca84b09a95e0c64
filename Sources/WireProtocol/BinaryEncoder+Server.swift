import RaceModel

extension BinaryEncoder {
    package static func append(_ message: ServerMessage, to buffer: inout [UInt8]) {
        switch message {
        case .moved(let moved): return Self.append(moved, to: &buffer)
        case .turnStarted(let turn): return Self.append(turn, to: &buffer)
        default: break
        }
        let type = message.number.rawValue
        switch message {
        case .moved, .turnStarted: break
        case .randomNumber(let revealed):
            buffer.appendFrameHead(type: type, body: 7)
            buffer.append(revealed.round)
            buffer.append(revealed.seat.value)
            buffer.appendU32(revealed.number)
            buffer.appendFlag(revealed.drawnByServer)
        case .gameBegin(let seconds):
            buffer.appendFrameHead(type: type, body: 2)
            buffer.appendU16(seconds)
        case .queued(let queued):
            buffer.appendFrameHead(type: type, body: 6)
            buffer.appendU16(queued.waiting)
            buffer.append(queued.minimum)
            buffer.append(queued.maximum)
            buffer.appendU16(queued.startsIn.map { min($0, .max - 1) } ?? .max)
        case .playerGone(let presence, let seconds):
            buffer.appendFrameHead(type: type, body: 4)
            buffer.append(presence.seat.value)
            buffer.append(presence.player?.value ?? 0)
            buffer.appendU16(seconds)
        case .playerBack(let presence):
            buffer.appendFrameHead(type: type, body: 2)
            buffer.append(presence.seat.value)
            buffer.append(presence.player?.value ?? 0)
        case .pong(let value):
            buffer.appendFrameHead(type: type, body: 8)
            buffer.appendU64(value)
        case .forfeited(let forfeited):
            buffer.appendFrameHead(type: type, body: 6)
            buffer.appendU32(forfeited.sequence)
            buffer.append(forfeited.player.value)
            buffer.append(forfeited.reason.rawValue)
        case .rematchOffered(let offer):
            buffer.appendFrameHead(type: type, body: 4)
            buffer.append(offer.player.value)
            buffer.appendFlag(offer.wants)
            buffer.append(offer.agreed)
            buffer.append(offer.of)
        case .stopped(let activity):
            buffer.appendFrameHead(type: type, body: 1)
            buffer.append(activity.rawValue)
        case .aliases(let entries): Self.append(entries, type: type, to: &buffer)
        case .players(let page, let entries): Self.append(page, entries, type: type, to: &buffer)
        case .matches(let page, let entries): Self.append(page, entries, type: type, to: &buffer)
        case .leaderboard(let board): Self.append(board, type: type, to: &buffer)
        case .gameOver, .welcome, .error, .bye, .matchFound, .drawAgain, .playerOrder, .snapshot, .invited,
            .inviteClosed, .privateCode, .reason, .notice, .matchCancelled, .record, .history:
            let start = buffer.count
            buffer.appendFrameHead(type: type, body: 0)
            Self.appendBody(message, to: &buffer)
            buffer.setFrameLength(at: start)
        }
    }

    // The two messages of every turn: laid out beside the buffer and added to it at once.

    package static func append(_ moved: Moved, to buffer: inout [UInt8]) {
        let (sequence, turn, position) = (moved.sequence, moved.turn, moved.position)
        let frame: InlineArray<18, UInt8> = [
            0, 16, ServerMessageNumber.moved.rawValue,
            UInt8(truncatingIfNeeded: sequence >> 24), UInt8(truncatingIfNeeded: sequence >> 16),
            UInt8(truncatingIfNeeded: sequence >> 8), UInt8(truncatingIfNeeded: sequence),
            UInt8(truncatingIfNeeded: turn >> 24), UInt8(truncatingIfNeeded: turn >> 16),
            UInt8(truncatingIfNeeded: turn >> 8), UInt8(truncatingIfNeeded: turn),
            moved.player.value, moved.steps,
            UInt8(truncatingIfNeeded: position >> 24), UInt8(truncatingIfNeeded: position >> 16),
            UInt8(truncatingIfNeeded: position >> 8), UInt8(truncatingIfNeeded: position),
            moved.automatic ? 1 : 0,
        ]
        buffer.appendPiece(most: frame.count) { pen in
            var pen = pen
            pen.write(frame.span)
            return pen
        }
    }

    package static func append(_ started: TurnStarted, to buffer: inout [UInt8]) {
        let (sequence, turn) = (started.sequence, started.turn)
        let frame: InlineArray<14, UInt8> = [
            0, 12, ServerMessageNumber.turnStarted.rawValue,
            UInt8(truncatingIfNeeded: sequence >> 24), UInt8(truncatingIfNeeded: sequence >> 16),
            UInt8(truncatingIfNeeded: sequence >> 8), UInt8(truncatingIfNeeded: sequence),
            UInt8(truncatingIfNeeded: turn >> 24), UInt8(truncatingIfNeeded: turn >> 16),
            UInt8(truncatingIfNeeded: turn >> 8), UInt8(truncatingIfNeeded: turn),
            started.player.value,
            UInt8(truncatingIfNeeded: started.seconds >> 8), UInt8(truncatingIfNeeded: started.seconds),
        ]
        buffer.appendPiece(most: frame.count) { pen in
            var pen = pen
            pen.write(frame.span)
            return pen
        }
    }

    /// Bodies of varying length, all of which fit into one frame.
    private static func appendBody(_ message: ServerMessage, to buffer: inout [UInt8]) {
        switch message {
        case .gameOver(let over): Self.appendBody(over, to: &buffer)
        case .welcome(let player, let alias, let key):
            buffer.appendU64(player.value)
            buffer.appendAlias(alias)
            buffer.appendKey(key)
        case .error(let error):
            buffer.appendU16(error.code.rawValue)
            buffer.append(error.request ?? .max)
            buffer.appendString(error.text, limit: Limits.textBytes)
        case .bye(let reason, let text):
            buffer.append(reason.rawValue)
            buffer.appendString(text, limit: Limits.textBytes)
        case .matchFound(let found): Self.appendBody(found, to: &buffer)
        case .drawAgain(let round, let seats):
            buffer.append(round)
            Self.append(seats, to: &buffer)
        case .playerOrder(let seats): Self.append(seats, to: &buffer)
        case .snapshot(let snapshot): Self.appendBody(snapshot, to: &buffer)
        case .invited(let invite, let from, let request):
            buffer.appendU64(invite.value)
            buffer.appendAlias(from)
            buffer.appendRequest(request)
        case .inviteClosed(let invite, let outcome, let alias):
            buffer.appendU64(invite.value)
            buffer.append(outcome.rawValue)
            buffer.appendAlias(alias)
        case .privateCode(let code, let seconds):
            buffer.appendString(code, limit: Limits.codeBytes)
            buffer.appendU16(seconds)
        case .reason(let reason):
            buffer.appendString(reason.waitingFor, limit: Limits.textBytes)
            buffer.append(reason.what.rawValue)
            buffer.appendU32(reason.since)
            buffer.appendU32(reason.left.map { min($0, .max - 1) } ?? .max)
            buffer.appendString(reason.then, limit: Limits.textBytes)
        case .notice(let code, let seconds, let text):
            buffer.append(code.rawValue)
            buffer.appendU16(seconds)
            buffer.appendString(text, limit: Limits.textBytes)
        case .matchCancelled(let cancelled):
            buffer.appendU64(cancelled.match.value)
            buffer.appendAlias(cancelled.alias)
            buffer.append(cancelled.reason.rawValue)
            buffer.appendFlag(cancelled.queuedAgain)
        case .record(let page): Self.appendBody(page, to: &buffer)
        case .history(let history): Self.appendBody(history, to: &buffer)
        case .randomNumber, .gameBegin, .moved, .queued, .aliases, .turnStarted, .playerGone, .playerBack,
            .players, .matches, .pong, .forfeited, .rematchOffered, .stopped, .leaderboard:
            preconditionFailure("has a layout of its own")
        }
    }

    private static func appendBody(_ over: GameOver, to buffer: inout [UInt8]) {
        buffer.appendU32(over.sequence)
        buffer.appendFlag(over.outcome.winner?.value == 1)
        buffer.append(over.outcome.winner?.value ?? 0)
        buffer.append(over.outcome.reason.rawValue)
        buffer.appendBytes32(over.nonce)
        buffer.appendBytes32(over.digest)
        let places = over.standings.prefix(Limits.playersPerMatch)
        buffer.append(UInt8(truncatingIfNeeded: places.count))
        for place in places {
            buffer.append(place.rank)
            buffer.append(place.player.value)
            buffer.appendU32(place.position)
        }
    }

    private static func appendBody(_ found: MatchFound, to buffer: inout [UInt8]) {
        buffer.appendU64(found.match.value)
        buffer.append(found.ownSeat?.value ?? 0)
        buffer.appendSettings(found.settings)
        buffer.appendBytes32(found.seal)
        let seats = found.seats.prefix(Limits.playersPerMatch)
        buffer.append(UInt8(truncatingIfNeeded: seats.count))
        for seat in seats {
            buffer.append(seat.seat.value)
            buffer.appendU64(seat.player.value)
            buffer.appendAlias(seat.alias)
        }
    }

    private static func appendBody(_ snapshot: Snapshot, to buffer: inout [UInt8]) {
        buffer.appendU64(snapshot.match.value)
        buffer.append(snapshot.ownSeat?.value ?? 0)
        buffer.appendSettings(snapshot.settings)
        buffer.appendBytes32(snapshot.seal)
        buffer.append(snapshot.state.rawValue)
        buffer.appendU32(snapshot.sequence)
        buffer.appendU32(snapshot.turn)
        buffer.append(snapshot.onTurn?.value ?? 0)
        buffer.appendU16(snapshot.seconds)
        let runners = snapshot.runners.prefix(Limits.playersPerMatch)
        buffer.append(UInt8(truncatingIfNeeded: runners.count))
        for runner in runners {
            buffer.append(runner.seat.value)
            buffer.append(runner.number?.value ?? 0)
            buffer.appendU64(runner.player.value)
            buffer.appendAlias(runner.alias)
            buffer.appendU32(runner.position)
            buffer.append(runner.presence.rawValue)
        }
    }

    private static func append(_ seats: [Seat], to buffer: inout [UInt8]) {
        let seats = seats.prefix(Limits.playersPerMatch)
        buffer.append(UInt8(truncatingIfNeeded: seats.count))
        for seat in seats { buffer.append(seat.value) }
    }

    private static func append(_ entries: [AliasEntry], type: UInt8, to buffer: inout [UInt8]) {
        Self.appendFrames(type, of: entries, limit: Limits.lookUpIDs, to: &buffer, head: []) {
            (entry, buffer) in
            buffer.appendU64(entry.player.value)
            buffer.appendString(entry.alias?.text ?? "", limit: Limits.aliasBytes)
        }
    }

    private static func append(_ page: Page, _ entries: [PlayerEntry], type: UInt8, to buffer: inout [UInt8])
    {
        Self.appendFrames(
            type, of: entries, limit: Limits.pageEntries, to: &buffer, head: Self.head(page)
        ) {
            (entry, buffer) in
            buffer.appendU64(entry.player.value)
            buffer.appendAlias(entry.alias)
            buffer.append(entry.state.rawValue)
            buffer.appendU32(entry.idle)
        }
    }

    private static func append(_ page: Page, _ entries: [MatchEntry], type: UInt8, to buffer: inout [UInt8]) {
        Self.appendFrames(
            type, of: entries, limit: Limits.pageEntries, to: &buffer, head: Self.head(page)
        ) {
            (entry, buffer) in
            buffer.appendU64(entry.match.value)
            buffer.append(entry.state.rawValue)
            buffer.append(entry.rule.rawValue)
            buffer.appendU16(entry.spectators)
            let aliases = entry.aliases.prefix(Limits.playersPerMatch)
            buffer.append(UInt8(truncatingIfNeeded: aliases.count))
            for alias in aliases { buffer.appendAlias(alias) }
        }
    }

    static func head(_ page: Page) -> [UInt8] {
        var head: [UInt8] = []
        head.appendU16(page.number)
        head.appendU16(page.of)
        return head
    }
}
