import RaceModel

/// Appends messages as binary frames. Fields are laid out as `Protocol/messages.def` says. Texts over their
/// limit are cut to whole scalars; a list too long for one frame becomes several frames.
package enum BinaryEncoder {
    package static func append(_ message: ClientMessage, to buffer: inout [UInt8]) {
        let type = message.number.rawValue
        switch message {
        case .gameBegin, .cancelFind, .leave, .rematch, .unwatch, .why, .quit:
            buffer.appendFrameHead(type: type, body: 0)
        case .move(let turn):
            buffer.appendFrameHead(type: type, body: 4)
            buffer.appendU32(turn)
        case .randomNumber(let round, let number):
            buffer.appendFrameHead(type: type, body: 5)
            buffer.append(round)
            buffer.appendU32(number)
        case .hello(let hello):
            Self.appendFrame(type, to: &buffer) { buffer in
                buffer.appendString(hello.name, limit: Limits.aliasBytes)
                buffer.appendKey(hello.key)
                buffer.appendU32(hello.lastSeen)
            }
        case .findMatch(let request), .hostPrivate(let request):
            buffer.appendFrameHead(type: type, body: 13)
            buffer.appendRequest(request)
        case .lookUpAliases(let ids): Self.append(ids, type: type, to: &buffer)
        case .listPlayers(let prefix, let page):
            Self.appendFrame(type, to: &buffer) { buffer in
                buffer.appendString(prefix, limit: Limits.aliasBytes)
                buffer.appendU16(page)
            }
        case .listMatches(let page):
            buffer.appendFrameHead(type: type, body: 2)
            buffer.appendU16(page)
        case .watch(let match):
            buffer.appendFrameHead(type: type, body: 8)
            buffer.appendU64(match.value)
        case .invite(let alias, let request):
            Self.appendFrame(type, to: &buffer) { buffer in
                buffer.appendString(alias, limit: Limits.aliasBytes)
                buffer.appendRequest(request)
            }
        case .answerInvite(let invite, let accept):
            buffer.appendFrameHead(type: type, body: 9)
            buffer.appendU64(invite.value)
            buffer.appendFlag(accept)
        case .cancelInvite(let invite):
            buffer.appendFrameHead(type: type, body: 8)
            buffer.appendU64(invite.value)
        case .joinPrivate(let code):
            Self.appendFrame(type, to: &buffer) { $0.appendString(code, limit: Limits.codeBytes) }
        case .leaderboard(let rule, let page):
            buffer.appendFrameHead(type: type, body: 3)
            buffer.append(rule.rawValue)
            buffer.appendU16(page)
        case .replay(let match, let page):
            buffer.appendFrameHead(type: type, body: 10)
            buffer.appendU64(match.value)
            buffer.appendU16(page)
        case .lookUpPlayer(let alias):
            Self.appendFrame(type, to: &buffer) { $0.appendString(alias, limit: Limits.aliasBytes) }
        case .ping(let value):
            buffer.appendFrameHead(type: type, body: 8)
            buffer.appendU64(value)
        }
    }

    private static func append(_ ids: [PlayerID], type: UInt8, to buffer: inout [UInt8]) {
        for start in stride(from: 0, to: ids.count, by: Limits.lookUpIDs) {
            let part = ids[start..<min(start + Limits.lookUpIDs, ids.count)]
            Self.appendFrame(type, to: &buffer) { buffer in
                buffer.append(UInt8(truncatingIfNeeded: part.count))
                for id in part { buffer.appendU64(id.value) }
            }
        }
    }

    /// A frame whose length is known once its body is written.
    static func appendFrame(_ type: UInt8, to buffer: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
        let start = buffer.count
        buffer.appendFrameHead(type: type, body: 0)
        body(&buffer)
        buffer.setFrameLength(at: start)
    }

    /// One frame, or several where the entries do not fit: each with the same head and a count of its own. An
    /// empty list is one frame.
    static func appendFrames<Entry>(
        _ type: UInt8, of entries: [Entry], limit: Int, to buffer: inout [UInt8],
        head: [UInt8], entry: (Entry, inout [UInt8]) -> Void
    ) {
        var next = 0
        repeat {
            let start = buffer.count
            buffer.appendFrameHead(type: type, body: 0)
            buffer.append(contentsOf: head)
            let countIndex = buffer.count
            buffer.append(0)
            var count = 0
            while next < entries.count, count < limit {
                let entryStart = buffer.count
                entry(entries[next], &buffer)
                if buffer.count - start - 2 > Limits.frameBytes {
                    buffer.removeSubrange(entryStart...)
                    break
                }
                next += 1
                count += 1
            }
            buffer[countIndex] = UInt8(truncatingIfNeeded: count)
            buffer.setFrameLength(at: start)
        } while next < entries.count
    }
}
