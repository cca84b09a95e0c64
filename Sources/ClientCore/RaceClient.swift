package import RaceModel
import Records
import WireProtocol

/// One client as a value: bytes and wishes go in, bytes and events come out. It speaks the binary dialect.
///
/// It survives its connections: after `disconnected` and `connected` it is the same player again, asks for
/// the events it missed, and looks for a race again if it was looking for one. A server that was started anew
/// knows no player of before: then the client takes its alias again, and goes on.
package struct RaceClient: Sendable {
    package struct Configuration: Sendable {
        /// The alias to take, or with a key to be again (`#17` for a player id). Nil: requests that need no
        /// name.
        package var name: String?
        package var key: PlayerKey?
        /// The race to look for once the name is taken; nil: none.
        package var request: RaceRequest?
        /// Whether each race is checked when it is over. It costs some memory for each event of a race.
        package var checksRaces = true

        package init(name: String?, key: PlayerKey? = nil, request: RaceRequest? = nil) {
            self.name = name
            self.key = key
            self.request = request
        }
    }

    package var configuration: Configuration
    package internal(set) var view = RaceView()
    /// Nil: the user does everything.
    package var strategy: Strategy?

    private var answer = AnswerDecoder()
    private var early = EarlyFarewell()
    private var frames = FrameDecoder<ServerMessage>()
    private var isRefused = false
    /// A race was asked for and none found yet.
    var isSeeking = false
    /// What was asked for last.
    private var sought: ClientMessage?
    /// Whether the match in the view is known to go on, after a return.
    var isMatchInDoubt = false
    /// The server takes no new races until it is back: whoever looked for one looks again then.
    var isServerDraining = false
    var witness: RaceWitness?
    /// Whether this client was ever named: only then is a race looked for unasked.
    package private(set) var hasBeenWelcome = false
    /// The server knows this player no more, and has not answered yet whether the alias is still free.
    package internal(set) var isTakingAliasAgain = false

    package init(_ configuration: Configuration, strategy: Strategy? = nil) {
        self.configuration = configuration
        self.strategy = strategy
    }

    /// When `deadlinePassed` is due.
    package var nextDeadline: Instant? { self.strategy?.nextDeadline }

    package mutating func handle(_ input: ClientInput, now: Instant, into outbox: inout ClientOutbox) {
        switch input {
        case .connected: self.greet(into: &outbox)
        case .received(let bytes): self.read(bytes, now: now, into: &outbox)
        case .disconnected:
            self.view.link = .disconnected
            self.view.queued = nil
            self.view.queueStarts = nil
            if self.view.match?.isSpectating == true { self.view.match = nil }
            return
        case .wish(let wish): self.grant(wish, into: &outbox)
        case .deadlinePassed: break
        }
        self.playOn(now: now, into: &outbox)
    }

    private mutating func playOn(now: Instant, into outbox: inout ClientOutbox) {
        // Each thing done changes what is to be done next; a handful is more than a state ever has.
        for _ in 0..<4 {
            guard !outbox.closes,
                let wish = self.strategy?.act(on: self.view, isSeeking: self.isSeeking, now: now)
            else { return }
            self.grant(wish, into: &outbox)
        }
    }

    // MARK: Sending

    private mutating func greet(into outbox: inout ClientOutbox) {
        self.answer = AnswerDecoder()
        self.early = EarlyFarewell()
        self.frames = FrameDecoder()
        self.isRefused = false
        self.isMatchInDoubt = false
        self.view.link = .greeting
        self.view.farewell = nil
        self.strategy?.forget()
        Preface.append(
            Preface.Offer(lowest: Preface.version, highest: Preface.version), to: &outbox.bytes)
        // Behind the preface at once: one round trip less.
        let key = self.view.identity?.key ?? self.configuration.key
        if let name = self.view.identity?.alias.text ?? self.configuration.name {
            self.send(.hello(Hello(name: name, key: key, lastSeen: self.view.lastSeen)), into: &outbox)
        }
    }

    private mutating func grant(_ wish: ClientWish, into outbox: inout ClientOutbox) {
        switch wish {
        case .message(let message): self.send(message, into: &outbox)
        case .number(let number):
            self.send(.randomNumber(round: self.view.match?.round ?? 0, number: number), into: &outbox)
        case .move: self.send(.move(turn: self.view.match?.turn ?? 0), into: &outbox)
        case .findRace:
            if let request = self.configuration.request { self.send(.findMatch(request), into: &outbox) }
        }
    }

    mutating func send(_ message: ClientMessage, into outbox: inout ClientOutbox) {
        guard self.view.link != .disconnected else { return }
        switch message {
        case .findMatch, .hostPrivate, .joinPrivate:
            self.isSeeking = true
            self.sought = message
        case .cancelFind, .leave, .quit: self.isSeeking = false
        case .randomNumber: self.view.match?.noteNumberSent()
        default: break
        }
        self.view.lastError = nil
        BinaryEncoder.append(message, to: &outbox.bytes)
        outbox.events.append(.sent(message))
    }

    // MARK: Receiving

    private mutating func read(_ bytes: ArraySlice<UInt8>, now: Instant, into outbox: inout ClientOutbox) {
        guard self.view.link != .disconnected, !outbox.closes else { return }
        var input = bytes
        do throws(ProtocolViolation) {
            if self.view.link == .greeting, !self.isRefused {
                guard let version = try self.answer.next(in: &input) else {
                    // Who is not let in is told so before the server knows that frames are spoken here.
                    if let farewell = self.early.read(bytes) {
                        self.take(farewell, now: now, into: &outbox)
                    }
                    return
                }
                self.isRefused = version != Preface.version
                if !self.isRefused {
                    self.view.link = .open
                    outbox.events.append(.ready)
                }
            }
            while let message = try self.nextKnown(in: &input) {
                guard !self.isRefused else { return self.takeRefusal(message, into: &outbox) }
                self.take(message, now: now, into: &outbox)
            }
        } catch {
            outbox.events.append(.fault(error))
            outbox.closes = true
        }
    }

    /// Passes over messages that a newer server may send.
    private mutating func nextKnown(
        in input: inout ArraySlice<UInt8>
    ) throws(ProtocolViolation) -> ServerMessage? {
        while true {
            do throws(ProtocolViolation) {
                return try self.frames.next(in: &input)
            } catch {
                guard error.code == .unknownType else { throw error }
            }
        }
    }

    private mutating func takeRefusal(_ message: ServerMessage, into outbox: inout ClientOutbox) {
        if case .error(let error) = message {
            outbox.events.append(.versionRefused(error.text))
        } else {
            outbox.events.append(.versionRefused(""))
        }
        outbox.closes = true
    }

    private mutating func take(_ message: ServerMessage, now: Instant, into outbox: inout ClientOutbox) {
        if case .error(let error) = message, self.isForgotten(error) { return self.startAnew(into: &outbox) }
        let wasInMatch = self.view.match != nil
        let finding = self.view.apply(message, now: now)
        outbox.events.append(.message(message))
        if let missed = finding.missed { outbox.events.append(.missed(last: missed.last, next: missed.next)) }
        if self.configuration.checksRaces, !finding.isRepeated { self.observe(message, into: &outbox) }
        switch message {
        case .welcome:
            if wasInMatch {
                // Either the match goes on and says so, or the answer to this tells that there is none.
                self.isMatchInDoubt = true
                self.send(.why, into: &outbox)
            } else if self.isSeeking {
                if let sought {
                    self.send(sought, into: &outbox)
                } else {
                    self.grant(.findRace, into: &outbox)
                }
            } else if !self.hasBeenWelcome {
                self.grant(.findRace, into: &outbox)
            }
            self.hasBeenWelcome = true
            self.isServerDraining = false
            self.isTakingAliasAgain = false
        case .matchFound, .snapshot:
            self.isSeeking = false
            self.isMatchInDoubt = false
        case .reason(let reason): self.settleDoubt(reason, into: &outbox)
        case .queued: self.isSeeking = true
        case .matchCancelled(let cancelled): self.isSeeking = cancelled.queuedAgain
        case .notice(.draining, _, _): self.isServerDraining = true
        case .notice(.suddenEnd, _, _):
            if self.isMatchInDoubt { self.loseMatch(.serverEndedSuddenly, into: &outbox) }
        case .stopped(.queue): if !self.isServerDraining { self.isSeeking = false }
        case .stopped(.host): self.isSeeking = false
        case .gameOver:
            guard !finding.isRepeated else { break }
            self.strategy?.hasRaced = true
            self.strategy?.raceEnded()
        case .error(let error): self.takeError(error, now: now)
        default: break
        }
    }

    private mutating func takeError(_ error: ErrorReply, now: Instant) {
        guard let request = error.request.flatMap(ClientMessageNumber.init(rawValue:)) else { return }
        switch request {
        case .findMatch, .hostPrivate, .joinPrivate:
            if error.code == .draining, request == .findMatch {
                self.isSeeking = true
            } else if error.code != .alreadyQueued {
                self.isSeeking = false
            }
        // Whoever was taken out of the queue has nothing to take back, and wants no race behind the restart either.
        case .cancelFind: self.isSeeking = false
        default: break
        }
        switch error.code {
        case .slowDown, .unavailable: self.strategy?.tryAgain(at: now + .milliseconds(500))
        default: break
        }
    }

    private mutating func settleDoubt(_ reason: WaitReason, into outbox: inout ClientOutbox) {
        guard self.isMatchInDoubt else { return }
        self.isMatchInDoubt = false
        guard reason.what == .nothing || reason.what == .players else { return }
        self.loseMatch(.overMeanwhile, into: &outbox)
    }

    private mutating func loseMatch(_ loss: MatchLoss, into outbox: inout ClientOutbox) {
        self.isMatchInDoubt = false
        self.view.match = nil
        self.witness = nil
        self.strategy?.hasRaced = true
        outbox.events.append(.matchLost(loss))
    }

    private mutating func observe(_ message: ServerMessage, into outbox: inout ClientOutbox) {
        switch message {
        case .matchFound(let found): self.witness = RaceWitness(found: found)
        case .snapshot(let snapshot):
            if self.witness?.continues(with: snapshot) != true {
                self.witness = RaceWitness(snapshot: snapshot)
            }
        case .gameOver(let over):
            guard var witness = self.witness else { return }
            self.witness = nil
            witness.observe(message)
            outbox.events.append(.checked(RaceCheck(witness: witness, over: over).report()))
        default: self.witness?.observe(message)
        }
    }
}

extension MatchView {
    mutating func noteNumberSent() {
        if self.round == 0 { self.round = 1 }
        self.numberSentFor = self.round
    }
}
