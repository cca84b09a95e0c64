package import RaceModel
package import WireProtocol

/// One match, as somebody in it or beside it sees it.
package struct MatchView: Hashable, Sendable {
    package struct Runner: Hashable, Sendable {
        package enum Presence: Hashable, Sendable {
            case here
            /// The connection is gone; the seat is held until then.
            case gone(until: Instant)
            /// Forfeited, or left. The reason is nil where it was not seen.
            case out(ForfeitReason?)
        }
        package var seat: Seat
        package var player: PlayerID
        package var alias: Alias
        /// Nil until the order is known.
        package var number: PlayerNumber?
        package var position: UInt32 = 0
        /// Of the last move; 0 before the first.
        package var lastSteps: UInt8 = 0
        package var presence = Presence.here
        package var wantsRematch = false
    }

    /// What the match waits for from this client.
    package enum Duty: Hashable, Sendable {
        case number(round: UInt8)
        case begin
        /// Turn 0 is a step in dash.
        case move(turn: UInt32)
    }

    package let match: MatchID
    /// Nil for a spectator.
    package let ownSeat: Seat?
    package let settings: RaceSettings
    package let seal: Bytes32
    package internal(set) var state: MatchState
    /// In order of seats.
    package internal(set) var runners: [Runner]
    /// Revealed so far, in order.
    package internal(set) var numbers: [RevealedNumber] = []
    /// The open round of the draw, and who draws in it; empty means everybody.
    package internal(set) var round: UInt8 = 1
    package internal(set) var tied: [Seat] = []
    /// Seats in order of play; empty until it is known.
    package internal(set) var order: [Seat] = []
    /// The last numbered event seen; 0 before the first.
    package internal(set) var sequence: UInt32 = 0
    /// The open turn; 0 when none is, or in dash.
    package internal(set) var turn: UInt32 = 0
    package internal(set) var onTurn: PlayerNumber?
    /// When the open turn, the idle time or the state runs out, as far as the server said.
    package internal(set) var deadline: Instant?
    package internal(set) var over: GameOver?
    /// The last round this client sent a number for; 0 before.
    package internal(set) var numberSentFor: UInt8 = 0
    /// Who wants a rematch, of how many who are still there.
    package internal(set) var rematchAgreed: UInt8 = 0
    package internal(set) var rematchOf: UInt8 = 0
    /// For the text form of messages.
    package internal(set) var names: RosterNames

    init(found: MatchFound) {
        self.match = found.match
        self.ownSeat = found.ownSeat
        self.settings = found.settings
        self.seal = found.seal
        self.state = .waitingForRandomNumber
        self.runners = found.seats.map { Runner(seat: $0.seat, player: $0.player, alias: $0.alias) }
        self.names = RosterNames(aliases: found.seats.map(\.alias), finish: found.settings.finish)
    }

    init(_ snapshot: Snapshot, now: Instant) {
        self.match = snapshot.match
        self.ownSeat = snapshot.ownSeat
        self.settings = snapshot.settings
        self.seal = snapshot.seal
        self.state = snapshot.state
        self.sequence = snapshot.sequence
        self.turn = snapshot.turn
        self.onTurn = snapshot.onTurn
        self.deadline = now + .seconds(Int(snapshot.seconds))
        self.runners = snapshot.runners.map { runner in
            Runner(
                seat: runner.seat, player: runner.player, alias: runner.alias, number: runner.number,
                position: runner.position,
                presence: Self.presence(runner.presence, now: now))
        }
        self.order = Self.order(of: snapshot.runners)
        self.round = 0
        self.names = RosterNames(
            aliases: snapshot.runners.map(\.alias), order: self.order, finish: snapshot.settings.finish)
    }

    private static func presence(_ presence: WireProtocol.Runner.Presence, now: Instant) -> Runner.Presence {
        switch presence {
        case .here: .here
        // How long is told right behind the snapshot.
        case .gone: .gone(until: now)
        case .out: .out(nil)
        }
    }

    /// Empty unless every runner has a number of its own.
    private static func order(of runners: [WireProtocol.Runner]) -> [Seat] {
        let known = runners.filter { $0.number != nil }
        guard known.count == runners.count else { return [] }
        return known.sorted { ($0.number?.value ?? 0, $0.seat) < ($1.number?.value ?? 0, $1.seat) }.map(
            \.seat)
    }

    // MARK: Who is who

    package var isSpectating: Bool { self.ownSeat == nil }

    package func runner(at seat: Seat) -> Runner? { self.runners.first { $0.seat == seat } }

    package func runner(_ player: PlayerNumber) -> Runner? { self.runners.first { $0.number == player } }

    package var ownRunner: Runner? { self.ownSeat.flatMap { self.runner(at: $0) } }

    package var ownNumber: PlayerNumber? { self.ownRunner?.number }

    /// What to call a player.
    package func name(of player: PlayerNumber) -> String {
        self.runner(player)?.alias.text ?? "player \(player.value)"
    }

    package func name(at seat: Seat) -> String { self.runner(at: seat)?.alias.text ?? "seat \(seat.value)" }

    /// What the match waits for from this client now; nil: for nothing, or it has sent it.
    package var duty: Duty? {
        guard let own = self.ownRunner, own.presence == .here else { return nil }
        switch self.state {
        case .waitingForMatch, .done: return nil
        case .waitingForRandomNumber:
            // Round 0: it was not said which round is open, so a number for whichever it is.
            guard self.tied.isEmpty || self.tied.contains(own.seat) else { return nil }
            guard self.round == 0 || self.numberSentFor < self.round else { return nil }
            return .number(round: self.round)
        case .waitingForStart: return own.number == PlayerNumber(1) ? .begin : nil
        case .active:
            guard self.settings.rule == .turns else { return .move(turn: 0) }
            return self.onTurn == own.number && self.turn > 0 ? .move(turn: self.turn) : nil
        }
    }
}
