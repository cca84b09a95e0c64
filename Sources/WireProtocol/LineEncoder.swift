import RaceModel

/// Appends messages as text lines, each ended by LF. Whatever a player wrote is escaped.
package enum LineEncoder {
    /// The first line a text client gets.
    package static func appendGreeting(to buffer: inout [UInt8]) {
        buffer.append("hello server=catrace version=", Preface.version)
        buffer.append(UInt8(ascii: "\n"))
    }

    /// A note: for people only. Line ends in it make several notes.
    package static func appendNote(_ text: String, to buffer: inout [UInt8]) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            buffer.append("# ")
            buffer.append(shown: line)
            buffer.append(UInt8(ascii: "\n"))
        }
    }

    /// The one text form of what a client sends.
    package static func append(_ message: ClientMessage, to buffer: inout [UInt8]) {
        switch message {
        case .randomNumber(let round, let number):
            buffer.append("number ", number)
            if round > 0 { buffer.append(" round=", round) }
        case .gameBegin: buffer.append("begin")
        case .move(let turn):
            buffer.append("move")
            if turn > 0 { buffer.append(" ", turn) }
        case .hello(let hello): Self.append(hello, to: &buffer)
        case .findMatch(let request):
            buffer.append("play")
            Self.append(request, to: &buffer)
        case .cancelFind: buffer.append("cancel")
        case .leave: buffer.append("leave")
        case .rematch: buffer.append("rematch")
        case .lookUpAliases(let ids): Self.append(ids, to: &buffer)
        case .listPlayers(let prefix, let page):
            buffer.append("who")
            if !prefix.isEmpty { buffer.append(" ", value: prefix.cut(to: Limits.aliasBytes)) }
            if page != 1 { buffer.append(" page=", page) }
        case .listMatches(let page):
            buffer.append("matches")
            if page != 1 { buffer.append(" page=", page) }
        case .watch(let match): buffer.append("watch ", match.value)
        case .unwatch: buffer.append("unwatch")
        case .invite(let alias, let request):
            buffer.append("invite ", value: alias.cut(to: Limits.aliasBytes))
            Self.append(request, to: &buffer)
        case .answerInvite(let invite, let accept):
            buffer.append(accept ? "accept " : "decline ", invite.value)
        case .cancelInvite(let invite): buffer.append("uninvite ", invite.value)
        case .hostPrivate(let request):
            buffer.append("host")
            Self.append(request, to: &buffer)
        case .joinPrivate(let code): buffer.append("join ", value: code.cut(to: Limits.codeBytes))
        case .leaderboard(let rule, let page):
            buffer.append("top rule=")
            buffer.append(rule.name)
            if page != 1 { buffer.append(" page=", page) }
        case .replay(let match, let page):
            buffer.append("replay ", match.value)
            if page != 1 { buffer.append(" page=", page) }
        case .lookUpPlayer(let alias): buffer.append("player ", value: alias.cut(to: Limits.aliasBytes))
        case .why: buffer.append("why")
        case .ping(let value): buffer.append("ping ", value)
        case .quit: buffer.append("quit")
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func append(_ hello: Hello, to buffer: inout [UInt8]) {
        buffer.append("name ", value: hello.name.cut(to: Limits.aliasBytes))
        if let key = hello.key {
            buffer.append(" ")
            Hex.append(key, to: &buffer)
        }
        if hello.lastSeen > 0 { buffer.append(" seq=", hello.lastSeen) }
    }

    private static func append(_ request: RaceRequest, to buffer: inout [UInt8]) {
        buffer.append(" ", request.minimum)
        if request.maximum != request.minimum { buffer.append("-", request.maximum) }
        Self.appendKeys(of: request, to: &buffer)
    }

    static func appendKeys(of request: RaceRequest, to buffer: inout [UInt8]) {
        buffer.append(request.settings, drawFirst: true)
        buffer.append(" group=", request.group)
        buffer.append(" bots=", request.bots)
    }

    /// Ids that do not fit into one line go into another.
    private static func append(_ ids: [PlayerID], to buffer: inout [UInt8]) {
        var start = buffer.count
        var count = 0
        buffer.append("alias")
        for id in ids {
            let before = buffer.count
            buffer.append(" ", id.value)
            count += 1
            guard buffer.count - start > Limits.lineBytes || count > Limits.lookUpIDs else { continue }
            buffer.removeSubrange(before...)
            buffer.append(UInt8(ascii: "\n"))
            start = buffer.count
            count = 1
            buffer.append("alias ", id.value)
        }
    }
}
