package import RaceModel
package import Records
package import WireProtocol

/// A race told again from its record, at a pace that can be changed. It shows what a spectator saw; how long each
/// thing took then is not in a record.
package struct ReplayShow: Sendable {
    package enum Speed: Hashable, Sendable {
        /// 1 is the pace of a lively race; 1...100.
        case times(Int)
        /// Without pauses.
        case most

        package static let fastest = 100
    }

    package private(set) var view = RaceView()
    /// The latest last.
    package private(set) var events: [String] = []
    package private(set) var speed: Speed
    package private(set) var isPaused = false
    private let report: RaceReport
    private let steps: [ServerMessage]
    private var next = 0
    private var due: Instant

    private static let keptEvents = 40

    package init(_ record: MatchRecord, _ report: RaceReport, speed: Speed, now: Instant) {
        self.report = report
        self.speed = speed
        self.due = now
        self.steps = Self.steps(of: record)
    }

    /// What was told of the race, with the rounds of the draw, the begin and the turns between.
    private static func steps(of record: MatchRecord) -> [ServerMessage] {
        var steps: [ServerMessage] = [.matchFound(record.found)]
        var round: UInt8 = 1
        for number in record.numbers {
            if number.round > round {
                round = number.round
                let seats = record.numbers.filter { $0.round == round }.map(\.seat)
                steps.append(.drawAgain(round: round, seats: seats))
            }
            steps.append(.randomNumber(number))
        }
        steps += [.playerOrder(record.order), .gameBegin(seconds: 0)]
        steps += record.events?.messages() ?? []
        steps.append(.gameOver(record.over))
        return steps
    }

    package var isOver: Bool { self.next == self.steps.count }
    /// What was checked; nil before the end.
    package var shownReport: RaceReport? { self.isOver ? self.report : nil }
    package var nextDeadline: Instant? { self.isOver || self.isPaused ? nil : self.due }

    /// Tells all that is due.
    ///
    /// - Returns: the messages told, in order.
    @discardableResult
    package mutating func advance(now: Instant) -> [ServerMessage] {
        var told: [ServerMessage] = []
        while !self.isOver, !self.isPaused, self.due <= now {
            let message = self.steps[self.next]
            self.next += 1
            told.append(message)
            self.view.apply(message, now: now)
            if let sentence = Narrator.sentence(for: message, self.view) {
                self.events.append(sentence)
                if self.events.count > Self.keptEvents { self.events.removeFirst() }
            }
            guard case .times(let times) = self.speed else { continue }
            // From now on, not from when it was due: who was stopped does not rush through what they missed.
            self.due = now + Instant.Span(nanoseconds: self.pause(after: message).nanoseconds / Int64(times))
        }
        return told
    }

    private func pause(after message: ServerMessage) -> Instant.Span {
        switch message {
        case .matchFound, .playerOrder: .milliseconds(1200)
        case .randomNumber, .drawAgain: .milliseconds(600)
        case .moved(let moved): .milliseconds(moved.turn == 0 ? 250 : 400)
        case .turnStarted: .milliseconds(600)
        default: .milliseconds(800)
        }
    }

    /// Takes `space`, `+` and `-`.
    package mutating func press(_ key: Key, now: Instant) {
        switch key {
        case .space:
            self.isPaused.toggle()
            self.due = now
        case .plus:
            if case .times(let times) = self.speed { self.speed = .times(min(Speed.fastest, times * 2)) }
        case .minus:
            switch self.speed {
            case .times(let times): self.speed = .times(max(1, times / 2))
            case .most: self.speed = .times(Speed.fastest)
            }
        case .help, .end, .letter: break
        }
    }

    /// For the foot of the screen: `speed 2`, `paused`.
    package var status: String {
        if self.isOver { return "the end" }
        if self.isPaused { return "paused" }
        return switch self.speed {
        case .times(let times): "speed \(times)"
        case .most: "full speed"
        }
    }
}
