import RaceModel

extension LineEncoder {
    /// A header with its count, and a line an entry; the last line is left open.
    static func appendList(_ message: ServerMessage, to buffer: inout [UInt8]) {
        switch message {
        case .matchFound(let found): Self.append(found, to: &buffer)
        case .snapshot(let snapshot): Self.append(snapshot, to: &buffer)
        case .aliases(let entries): Self.append(entries, to: &buffer)
        case .players(let page, let entries): Self.append(page, entries, to: &buffer)
        case .matches(let page, let entries): Self.append(page, entries, to: &buffer)
        default: preconditionFailure("not a list")
        }
    }

    private static func append(_ found: MatchFound, to buffer: inout [UInt8]) {
        let seats = found.seats.prefix(Limits.playersPerMatch)
        buffer.append("found match=", found.match.value)
        if let seat = found.ownSeat { buffer.append(" seat=", seat.value) }
        buffer.append(" of=", UInt(seats.count))
        buffer.append(found.settings, drawFirst: false)
        buffer.append(" seal=")
        Hex.append(found.seal, to: &buffer)
        for seat in seats {
            buffer.append("\nseat n=", seat.seat.value)
            buffer.append(" player=", seat.player.value)
            buffer.append(" alias=", value: seat.alias.text)
        }
    }

    private static func append(_ snapshot: Snapshot, to buffer: inout [UInt8]) {
        let runners = snapshot.runners.prefix(Limits.playersPerMatch)
        buffer.append("snapshot match=", snapshot.match.value)
        if let seat = snapshot.ownSeat { buffer.append(" seat=", seat.value) }
        buffer.append(" of=", UInt(runners.count))
        buffer.append(snapshot.settings, drawFirst: false)
        buffer.append(" seal=")
        Hex.append(snapshot.seal, to: &buffer)
        buffer.append(" state=")
        buffer.append(snapshot.state.name)
        buffer.append(" seq=", snapshot.sequence)
        buffer.append(" turn=", snapshot.turn)
        if let player = snapshot.onTurn { buffer.append(" player=", player.value) }
        buffer.append(" seconds=", snapshot.seconds)
        for runner in runners {
            buffer.append("\nrunner seat=", runner.seat.value)
            if let number = runner.number { buffer.append(" player=", number.value) }
            buffer.append(" id=", runner.player.value)
            buffer.append(" alias=", value: runner.alias.text)
            buffer.append(" at=", runner.position)
            buffer.append(" presence=")
            buffer.append(runner.presence.name)
        }
    }

    private static func append(_ entries: [AliasEntry], to buffer: inout [UInt8]) {
        Self.appendChunks(of: entries, limit: Limits.lookUpIDs, to: &buffer) { (entries, buffer) in
            buffer.append("aliases count=", UInt(entries.count))
            for entry in entries {
                buffer.append("\nalias id=", entry.player.value)
                if let alias = entry.alias {
                    buffer.append(" alias=", value: alias.text)
                } else {
                    buffer.append(" unknown=yes")
                }
            }
        }
    }

    private static func append(_ page: Page, _ entries: [PlayerEntry], to buffer: inout [UInt8]) {
        Self.appendChunks(of: entries, limit: Limits.pageEntries, to: &buffer) { (entries, buffer) in
            buffer.append("players")
            Self.append(page, count: entries.count, to: &buffer)
            for entry in entries {
                buffer.append("\nplayer id=", entry.player.value)
                buffer.append(" alias=", value: entry.alias.text)
                buffer.append(" state=")
                buffer.append(entry.state.name)
                buffer.append(" idle=", entry.idle)
            }
        }
    }

    private static func append(_ page: Page, _ entries: [MatchEntry], to buffer: inout [UInt8]) {
        Self.appendChunks(of: entries, limit: Limits.pageEntries, to: &buffer) { (entries, buffer) in
            buffer.append("matches")
            Self.append(page, count: entries.count, to: &buffer)
            for entry in entries {
                buffer.append("\nmatch id=", entry.match.value)
                buffer.append(" state=")
                buffer.append(entry.state.name)
                buffer.append(" rule=")
                buffer.append(entry.rule.name)
                let aliases = entry.aliases.prefix(Limits.playersPerMatch).map(\.text)
                if !aliases.isEmpty { buffer.append(" players=", value: aliases.joined(separator: ",")) }
                buffer.append(" spectators=", entry.spectators)
            }
        }
    }

    static func append(_ page: Page, count: Int, to buffer: inout [UInt8]) {
        buffer.append(" page=", page.number)
        buffer.append(" of=", page.of)
        buffer.append(" count=", UInt(count))
    }

    /// No header counts more entries than a receiver takes.
    static func appendChunks<Entry>(
        of entries: [Entry], limit: Int, to buffer: inout [UInt8],
        _ body: (ArraySlice<Entry>, inout [UInt8]) -> Void
    ) {
        var rest = entries[...]
        repeat {
            body(rest.prefix(limit), &buffer)
            rest = rest.dropFirst(limit)
            if !rest.isEmpty { buffer.append(UInt8(ascii: "\n")) }
        } while !rest.isEmpty
    }
}
