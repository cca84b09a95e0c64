package import RaceModel
import WireProtocol

/// How a client plays by itself. It looks at the view, never at single messages: so it goes on rightly after
/// a return.
package struct Strategy: Sendable {
    package enum AfterRace: Hashable, Sendable {
        case nothing
        /// Asks for a rematch; for another race when the match is closed without one.
        case rematch
        case findRace
    }

    /// Sends a number when one is waited for.
    package var drawsNumber = true
    /// Begins the race as player 1.
    package var begins = true
    /// How long after it may move it moves; in dash, how long after its last move. Nil: the user moves.
    package var pace: Instant.Span? = .zero
    package var afterRace = AfterRace.nothing
    /// How long after the end of a race the next is asked for.
    package var pause = Instant.Span.zero
    /// Races still to play; nil: no end.
    package var racesLeft: Int?
    /// Numbers for the draw come from here.
    package var generator: any RandomNumberGenerator & Sendable

    /// One thing to do, told apart from all others.
    private enum Task: Hashable {
        case number(MatchID, round: UInt8)
        case begin(MatchID)
        case move(MatchID, turn: UInt32)
        case step(MatchID, from: UInt32)
        case rematch(MatchID)
        case findRace
    }
    private var task: Task?
    private var due: Instant?

    package init(generator: any RandomNumberGenerator & Sendable) { self.generator = generator }

    /// When `act` wants to be called again.
    package var nextDeadline: Instant? { self.due }

    /// What is to be done now, if anything; call again until there is nothing.
    mutating func act(on view: RaceView, isSeeking: Bool, now: Instant) -> ClientWish? {
        let next = self.nextTask(view, isSeeking: isSeeking)
        if next != self.task {
            self.task = next
            self.due = next.map { now + self.delay($0) }
        }
        guard let task, let due, due <= now else { return nil }
        self.due = nil
        switch task {
        case .number: return .number(UInt32(truncatingIfNeeded: self.generator.next() >> 32))
        case .begin: return .message(.gameBegin)
        case .move, .step: return .move
        case .rematch: return .message(.rematch)
        case .findRace: return .findRace
        }
    }

    /// What was sent may not have arrived: a new connection.
    mutating func forget() {
        self.task = nil
        self.due = nil
    }

    /// The server did not take it just now.
    mutating func tryAgain(at instant: Instant) {
        if self.task != nil, self.due == nil { self.due = instant }
    }

    mutating func raceEnded() {
        if let left = self.racesLeft { self.racesLeft = max(0, left - 1) }
    }

    private func nextTask(_ view: RaceView, isSeeking: Bool) -> Task? {
        guard view.link == .named else { return nil }
        guard let match = view.match else {
            return self.playsAgain && !isSeeking && self.hasRaced ? .findRace : nil
        }
        switch match.duty {
        case .number(let round): return self.drawsNumber ? .number(match.match, round: round) : nil
        case .begin: return self.begins ? .begin(match.match) : nil
        case .move(let turn):
            guard self.pace != nil else { return nil }
            return match.settings.rule == .dash
                ? .step(match.match, from: match.ownRunner?.position ?? 0) : .move(match.match, turn: turn)
        case nil: break
        }
        guard match.state == .done, match.over != nil, !match.isSpectating, self.playsAgain else {
            return nil
        }
        switch self.afterRace {
        case .nothing: return nil
        case .rematch: return .rematch(match.match)
        case .findRace: return isSeeking ? nil : .findRace
        }
    }

    private var playsAgain: Bool { self.afterRace != .nothing && self.racesLeft != 0 }

    /// The first race is the user's wish; only those behind it are asked for here.
    package internal(set) var hasRaced = false

    private func delay(_ task: Task) -> Instant.Span {
        switch task {
        case .number, .begin: .zero
        case .move, .step: self.pace ?? .zero
        case .rematch, .findRace: self.pause
        }
    }
}

extension Instant.Span {
    package static let zero = Instant.Span(nanoseconds: 0)
}
