import Lobby
import RaceModel
import WireProtocol

/// Leaderboards, records and histories.
extension RaceServer {
    mutating func tellLeaderboard(_ rule: RaceSettings.Rule, page: UInt16, to slot: Int) {
        self.refuseResults(.leaderboard, to: slot)
    }

    mutating func tellRecord(of match: MatchID, page: UInt16, to slot: Int) {
        self.refuseResults(.replay, to: slot)
    }

    mutating func tellHistory(of alias: String, to slot: Int) {
        self.refuseResults(.lookUpPlayer, to: slot)
    }

    private mutating func refuseResults(_ request: ClientMessageNumber, to slot: Int) {
        self.refuse(
            .unavailable, "results cannot be looked up now: try again in a few seconds",
            request: request.rawValue, to: self.connections[slot].id)
    }
}
