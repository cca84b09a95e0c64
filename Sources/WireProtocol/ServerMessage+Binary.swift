import RaceModel

extension ServerMessage: BinaryMessage {
    package static func decode(type: UInt8, body: ArraySlice<UInt8>) throws(ProtocolViolation)
        -> ServerMessage
    {
        guard let number = ServerMessageNumber(rawValue: type) else {
            guard ClientMessageNumber(rawValue: type) == nil else {
                throw .wrongDirection(type, sender: "clients")
            }
            throw .unknownType(type)
        }
        var reader = BinaryReader(type: type, body: body)
        let message = try Self.decode(number, from: &reader)
        try reader.finish()
        return message
    }

    private static func decode(
        _ number: ServerMessageNumber, from reader: inout BinaryReader
    ) throws(ProtocolViolation) -> ServerMessage {
        switch number {
        case .randomNumber: return .randomNumber(try RevealedNumber(from: &reader))
        case .gameBegin: return .gameBegin(seconds: try reader.u16())
        case .moved: return .moved(try Moved(from: &reader))
        case .gameOver: return .gameOver(try GameOver(from: &reader))
        case .welcome: return .welcome(PlayerID(try reader.u64()), try reader.alias(), try reader.key())
        case .error: return .error(try ErrorReply(from: &reader))
        case .bye: return .bye(try reader.choice("the reason"), text: try reader.text())
        case .queued: return .queued(try Queued(from: &reader))
        case .matchFound: return .matchFound(try MatchFound(from: &reader))
        case .aliases:
            return .aliases(try reader.list("aliases", limit: Limits.lookUpIDs, AliasEntry.init(from:)))
        case .drawAgain: return .drawAgain(round: try reader.u8(), seats: try reader.seats())
        case .playerOrder: return .playerOrder(try reader.seats())
        case .turnStarted: return .turnStarted(try TurnStarted(from: &reader))
        case .playerGone: return .playerGone(try Presence(from: &reader), seconds: try reader.u16())
        case .playerBack: return .playerBack(try Presence(from: &reader))
        case .snapshot: return .snapshot(try Snapshot(from: &reader))
        case .players:
            let page = try Page(from: &reader)
            return .players(
                page, try reader.list("players", limit: Limits.pageEntries, PlayerEntry.init(from:)))
        case .matches:
            let page = try Page(from: &reader)
            return .matches(
                page, try reader.list("matches", limit: Limits.pageEntries, MatchEntry.init(from:)))
        case .invited:
            return .invited(InviteID(try reader.u64()), from: try reader.alias(), try reader.request())
        case .inviteClosed:
            return .inviteClosed(
                InviteID(try reader.u64()), try reader.choice("the outcome"), alias: try reader.alias())
        case .privateCode:
            return .privateCode(
                try reader.string("the code", limit: Limits.codeBytes), seconds: try reader.u16())
        case .reason: return .reason(try WaitReason(from: &reader))
        case .pong: return .pong(try reader.u64())
        case .notice:
            return .notice(try reader.choice("the code"), seconds: try reader.u16(), text: try reader.text())
        case .matchCancelled: return .matchCancelled(try MatchCancelled(from: &reader))
        case .forfeited:
            return .forfeited(
                Forfeited(
                    sequence: try reader.u32(), player: try reader.player(),
                    reason: try reader.choice("the reason")))
        case .rematchOffered:
            return .rematchOffered(
                RematchOffered(
                    player: try reader.player(), wants: try reader.flag("the wish"), agreed: try reader.u8(),
                    of: try reader.u8()))
        case .stopped: return .stopped(try reader.choice("what"))
        case .leaderboard: return .leaderboard(try Leaderboard(from: &reader))
        case .record: return .record(try RecordPage(from: &reader))
        case .history: return .history(try History(from: &reader))
        }
    }
}

extension BinaryReader {
    mutating func text() throws(ProtocolViolation) -> String {
        try self.string("the text", limit: Limits.textBytes)
    }

    mutating func seats() throws(ProtocolViolation) -> [Seat] {
        try self.list("seats", limit: Limits.playersPerMatch) {
            (reader: inout BinaryReader) throws(ProtocolViolation) -> Seat in try reader.seat()
        }
    }
}
