import RaceModel

extension ClientMessage: BinaryMessage {
    package static func decode(type: UInt8, body: ArraySlice<UInt8>) throws(ProtocolViolation)
        -> ClientMessage
    {
        guard let number = ClientMessageNumber(rawValue: type) else {
            guard ServerMessageNumber(rawValue: type) == nil else {
                throw .wrongDirection(type, sender: "the server")
            }
            throw .unknownType(type)
        }
        var reader = BinaryReader(type: type, body: body)
        if let length = number.bodyBytes { try reader.expectBody(length) }
        let message = try Self.decode(number, from: &reader)
        try reader.finish()
        return message
    }

    private static func decode(
        _ number: ClientMessageNumber, from reader: inout BinaryReader
    ) throws(ProtocolViolation) -> ClientMessage {
        switch number {
        case .randomNumber: return .randomNumber(round: try reader.u8(), number: try reader.u32())
        case .gameBegin: return .gameBegin
        case .move: return .move(turn: try reader.u32())
        case .hello:
            let name = try reader.string("the alias", limit: Limits.aliasBytes, code: .badAlias)
            return .hello(Hello(name: name, key: try reader.key(), lastSeen: try reader.u32()))
        case .findMatch: return .findMatch(try reader.request())
        case .cancelFind: return .cancelFind
        case .leave: return .leave
        case .rematch: return .rematch
        case .lookUpAliases: return .lookUpAliases(try Self.ids(from: &reader))
        case .listPlayers:
            let prefix = try reader.string("the prefix", limit: Limits.aliasBytes)
            return .listPlayers(prefix: prefix, page: try reader.page())
        case .listMatches: return .listMatches(page: try reader.page())
        case .watch: return .watch(MatchID(try reader.u64()))
        case .unwatch: return .unwatch
        case .invite:
            let alias = try reader.string("the alias", limit: Limits.aliasBytes, code: .badAlias)
            return .invite(alias: alias, try reader.request())
        case .answerInvite:
            return .answerInvite(InviteID(try reader.u64()), accept: try reader.flag("the answer"))
        case .cancelInvite: return .cancelInvite(InviteID(try reader.u64()))
        case .hostPrivate: return .hostPrivate(try reader.request())
        case .joinPrivate: return .joinPrivate(code: try reader.string("the code", limit: Limits.codeBytes))
        case .leaderboard: return .leaderboard(try reader.choice("rule"), page: try reader.page())
        case .replay: return .replay(MatchID(try reader.u64()), page: try reader.page())
        case .why: return .why
        case .ping: return .ping(try reader.u64())
        case .quit: return .quit
        case .lookUpPlayer:
            return .lookUpPlayer(
                alias: try reader.string("the alias", limit: Limits.aliasBytes, code: .badAlias))
        }
    }

    private static func ids(from reader: inout BinaryReader) throws(ProtocolViolation) -> [PlayerID] {
        let ids = try reader.list("ids", limit: Limits.lookUpIDs) {
            (reader: inout BinaryReader) throws(ProtocolViolation) -> PlayerID in PlayerID(try reader.u64())
        }
        guard !ids.isEmpty else {
            throw reader.violation(.badValue, "a look-up names 1 to \(Limits.lookUpIDs) ids")
        }
        return ids
    }
}
