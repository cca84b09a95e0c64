import RaceModel
import WireProtocol

/// What one client program has been told, and so believes. Kept apart from `RaceClient`'s own view, so that
/// the two
/// dialects are judged by the same eyes.
struct Outlook: Sendable {
    /// What the match waits for from this client.
    enum Duty: Hashable, Sendable {
        case number(MatchID, round: UInt8)
        case begin(MatchID)
        case move(MatchID, turn: UInt32)
        /// Dash: from which field, so that each step is a duty of its own.
        case step(MatchID, from: UInt32)
    }

    var isNamed = false
    /// Why the last hello was refused.
    var helloRefusal: ErrorCode?
    var player: PlayerID?
    var isQueued = false
    var code: String?
    var invites: [InviteID] = []
    var match: MatchView?
    /// Matches whose results were told to be not kept. Only looked up, never walked through.
    var warned: Set<MatchID> = []
    /// The program is back: whether its match goes on is not known yet.
    var isInDoubt = false

    /// A match, for one in it or beside it.
    struct MatchView: Sendable {
        let id: MatchID
        /// Nil for a spectator.
        let ownSeat: Seat?
        let settings: RaceSettings
        var state: MatchState
        var sequence: UInt32 = 0
        /// The end may be told again behind a snapshot that includes it.
        var isFreshSnapshot = false
        var ownNumber: PlayerNumber?
        var positions = SeatTable<UInt32>(repeating: 0)
        var isOut = false
        /// The open round; 0 when it was not said.
        var round: UInt8 = 1
        /// Who draws in it; nil is everybody.
        var tied: [Seat]?
        var turn: UInt32 = 0
        var onTurn: PlayerNumber?
        var wantsRematch = false

        init(id: MatchID, ownSeat: Seat?, settings: RaceSettings, state: MatchState) {
            self.id = id
            self.ownSeat = ownSeat
            self.settings = settings
            self.state = state
        }
    }

    var isSpectating: Bool { self.match.map { $0.ownSeat == nil } ?? false }
    /// In a match of one's own.
    var isPlaying: Bool { self.match?.ownSeat != nil }

    /// What a hello says of events seen: only of a race that is on. Behind its end there may be a rematch by
    /// now,
    /// and the number would be taken for one of that race.
    var lastSeen: UInt32 {
        guard let match, match.ownSeat != nil, match.state == .active else { return 0 }
        return match.sequence
    }

    var duty: Duty? {
        guard self.isNamed, let match, let own = match.ownSeat, !match.isOut, !self.isInDoubt else {
            return nil
        }
        switch match.state {
        case .waitingForMatch, .done: return nil
        case .waitingForRandomNumber:
            return match.tied?.contains(own) ?? true ? .number(match.id, round: match.round) : nil
        case .waitingForStart: return match.ownNumber == PlayerNumber(1) ? .begin(match.id) : nil
        case .active:
            guard let number = match.ownNumber else { return nil }
            if match.settings.rule == .dash { return .step(match.id, from: match.positions[number]) }
            return match.onTurn == number && match.turn > 0 ? .move(match.id, turn: match.turn) : nil
        }
    }

    /// The connection is gone.
    mutating func disconnect() {
        self.isNamed = false
        self.helloRefusal = nil
        self.isQueued = false
        self.code = nil
        self.invites = []
        if self.isSpectating { self.match = nil }
    }
}
