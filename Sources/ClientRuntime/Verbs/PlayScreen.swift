package import ClientCore
import Glibc
package import RaceModel
import Records
import WireProtocol

/// Somebody who plays or watches at a terminal: keys in, a screen out.
package final class PlayScreen: SessionUser {
    private let plan: PlayPlan
    private let terminal: Terminal
    private var painter: ScreenPainter
    private var keys = KeyDecoder()
    private var registration: Registration
    private var events: [String] = []
    private var report: RaceReport?
    private var showsHelp = false
    private var hasFailedCheck = false
    /// The view as of the message that is told: the client's own may be further on.
    private var told = RaceView()
    /// From Ctrl-Z until we may go on. The stop itself may come a moment late.
    private var isSuspended = false
    /// Shown once by the server, and told the user at the end unless it is kept.
    private var newKey: PlayerKey?
    private let keptKeys: KeptKeys?
    private var lastRace: String?

    /// Of keys, for the end.
    private var news: [String] = []

    private static let keptEvents = 40
    private static let keptNews = 4
    private static let tick = Instant.Span.milliseconds(200)

    package init(_ plan: PlayPlan, terminal: Terminal, keys: KeptKeys?) {
        self.plan = plan
        self.terminal = terminal
        self.painter = ScreenPainter(hasColours: terminal.hasColours)
        self.keptKeys = keys
        self.registration = Registration(isNameGiven: plan.isNameGiven, keys: keys)
    }

    // MARK: What happens

    package func take(_ event: ClientEvent, in session: ClientSession) {
        switch event {
        case .message(let message):
            self.told.apply(message, now: session.now)
            self.take(message, in: session)
        case .checked(let report):
            self.report = report
            if report.hasFailed { self.hasFailedCheck = true }
            self.lastRace = [self.lastRace, report.summary].compactMap { $0 }.joined(separator: " - ")
        case .missed(let last, let next): self.add("events \(last &+ 1) to \(next &- 1) did not come")
        case .matchLost(let loss): self.add(Narrator.sentence(for: loss))
        case .startedAnew(let loss): self.startAnew(loss, in: session)
        case .ready, .sent, .fault, .versionRefused: break
        }
    }

    private func take(_ message: ServerMessage, in session: ClientSession) {
        switch message {
        case .welcome(_, _, let key):
            if let key { self.newKey = key }
            self.registration.welcome(session)
            self.tellNews()
            if let match = self.plan.watches { session.wish(.message(.watch(match))) }
        case .error(let error):
            if self.registration.take(error, in: session) {
                self.tellNews()
                return
            }
            if self.plan.watches != nil, error.request == ClientMessageNumber.watch.rawValue {
                return session.quit(SessionEnd(.usage, DisplayText.harmless(error.text)))
            }
            return  // The screen shows it with the keys.
        case .matchFound:
            self.events = []
            self.report = nil
        case .stopped(.watch): session.quit(SessionEnd(.fine))
        default: break
        }
        if let sentence = Narrator.sentence(for: message, self.told) { self.add(sentence) }
        if case .gameOver(let over) = message, let match = self.told.match {
            self.lastRace = "match \(match.match.value): \(Narrator.ending(over, match))"
        }
    }

    private func startAnew(_ loss: RaceView.Loss, in session: ClientSession) {
        if self.plan.watches != nil { return session.end(.watchedServerStartedAnew) }
        self.told.forgetPlayer()
        // Nobody is that player any more.
        self.newKey = nil
        self.report = nil
        let sentence = Narrator.sentence(forLoss: loss)
        if loss == .race { self.lastRace = sentence }
        self.add(sentence)
    }

    /// On the screen, which the next race clears, and again at the end.
    private func tellNews() {
        guard let news = self.registration.takeNews() else { return }
        self.add(news)
        self.news.append(news)
        if self.news.count > Self.keptNews { self.news.removeFirst() }
    }

    private func add(_ sentence: String) {
        self.events.append(sentence)
        if self.events.count > Self.keptEvents { self.events.removeFirst() }
    }

    package func linkChanged(in session: ClientSession) {
        switch session.link {
        case .resolving where session.lossReason.isEmpty:
            self.enter(session)
            session.readInput()
        case .open where session.client.hasBeenWelcome: self.add("connected again")
        case .resolving, .connecting, .open, .waiting, .detached, .ended: break
        }
    }

    // MARK: The screen

    private func enter(_ session: ClientSession) {
        self.terminal.enter()
        self.painter.invalidate()
    }

    package func settled(in session: ClientSession) {
        if !self.terminal.isEntered, !self.isSuspended, self.terminal.isForeground { self.enter(session) }
        guard self.terminal.isEntered else { return }
        let screen = Screen(
            view: session.client.view, events: self.events, linkStatus: self.linkStatus(session),
            isManual: self.plan.isManual, showsHelp: self.showsHelp, report: self.report)
        let size = self.terminal.size
        let frame = self.painter.frame(screen.render(size, now: session.now), columns: size.columns)
        if !frame.isEmpty { self.terminal.write(frame) }
    }

    private func linkStatus(_ session: ClientSession) -> String? {
        switch session.link {
        case .open: nil
        case .resolving, .connecting:
            session.lossReason.isEmpty
                ? "connecting to \(session.settings.address)" : "trying to come back: \(session.lossReason)"
        case .waiting(let attempt, let until):
            "attempt \(attempt) to come back in \(Screen.seconds(until: until, session.now)) s: \(session.lossReason)"
        case .detached, .ended: nil
        }
    }

    /// Something on the screen counts down.
    package func nextDeadline(in session: ClientSession) -> Instant? { session.now + Self.tick }

    // MARK: Keys and signals

    package func read(_ bytes: [UInt8], in session: ClientSession) {
        // The terminal is gone.
        if bytes.isEmpty { return session.end(SessionEnd(.signal(SIGHUP))) }
        for key in self.keys.keys(in: bytes) { self.press(key, in: session) }
    }

    private func press(_ key: Key, in session: ClientSession) {
        switch key {
        case .space:
            // Out of turn there is nothing to send: the screen says whose turn it is.
            if case .move = session.client.view.match?.duty { session.wish(.move) }
        case .help: self.showsHelp.toggle()
        case .end, .letter(UInt8(ascii: "q")): self.quit(session)
        case .letter(UInt8(ascii: "n")):
            var generator = SystemRandomNumberGenerator()
            session.wish(.number(UInt32(truncatingIfNeeded: generator.next() as UInt64)))
        case .letter(UInt8(ascii: "b")): session.wish(.message(.gameBegin))
        case .letter(UInt8(ascii: "r")): session.wish(.message(.rematch))
        case .letter(UInt8(ascii: "p")):
            if self.plan.watches == nil { session.wish(.findRace) }
        case .letter(UInt8(ascii: "w")): session.wish(.message(.why))
        case .letter(UInt8(ascii: "l")): self.leave(session)
        case .letter, .plus, .minus: break
        }
    }

    private func leave(_ session: ClientSession) {
        if self.plan.watches != nil { return self.quit(session) }
        session.wish(.message(session.client.view.queued == nil ? .leave : .cancelFind))
    }

    private func quit(_ session: ClientSession) {
        session.quit(SessionEnd(self.hasFailedCheck ? .notFair : .fine))
    }

    package func signal(_ signal: ProgramSignals.Signal, in session: ClientSession) {
        switch signal {
        // A window that was closed may come back with the key: the seat is held.
        case .end(SIGHUP): session.end(SessionEnd(.signal(SIGHUP)))
        case .end(let number): session.quit(SessionEnd(.signal(number)))
        case .suspend:
            self.terminal.leave()
            self.isSuspended = true
            ProgramSignals.stopProcess()
        case .resumed:
            self.isSuspended = false
            self.painter.invalidate()
        case .resized: self.painter.invalidate()
        }
    }

    /// How to be this player again.
    private func farewell(_ session: ClientSession) -> String? {
        guard let identity = session.client.view.identity, !self.plan.isGuest else { return nil }
        if let keptKeys {
            return keptKeys.farewell(identity.alias, key: self.newKey, serverText: self.plan.serverText)
        }
        return self.newKey.map(KeptKeys.secret)
    }

    package func ended(_ end: SessionEnd, in session: ClientSession) {
        self.terminal.leave()
        if let lastRace { StandardStreams.write(DisplayText.harmless(lastRace) + "\n", to: STDOUT_FILENO) }
        for sentence in self.news { StandardStreams.write(sentence + "\n", to: STDOUT_FILENO) }
        if let words = self.farewell(session) { StandardStreams.write(words + "\n", to: STDOUT_FILENO) }
        if let sentence = end.sentence { StandardStreams.write("catrace: \(sentence)\n", to: STDERR_FILENO) }
    }
}
