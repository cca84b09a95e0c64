package import ClientCore
import Glibc
package import RaceModel
import Records
import WireProtocol

/// Playing or watching without a terminal: the text dialect's commands in, its lines out.
///
/// At the end of input a player says goodbye; one who moves by itself (`--auto`) first runs the race in hand
/// to its end.
package final class PlayLines: SessionUser {
    private let plan: PlayPlan
    private var registration: Registration
    private var printer = LinePrinter()
    private var decoder = LineDecoder()
    private var showsNotes = true
    private var inputHasEnded = false
    private var hasFailedCheck = false
    private var output: [UInt8] = []

    package init(_ plan: PlayPlan, keys: KeptKeys?) {
        self.plan = plan
        self.registration = Registration(isNameGiven: plan.isNameGiven, keys: keys)
    }

    package func take(_ event: ClientEvent, in session: ClientSession) {
        switch event {
        case .message(let message): self.take(message, in: session)
        case .checked(let report):
            if report.hasFailed { self.hasFailedCheck = true }
            for line in report.lines { self.note(Self.words(line)) }
        case .missed(let last, let next): self.note("events \(last &+ 1) to \(next &- 1) did not come")
        case .matchLost(let loss):
            let sentence = Narrator.sentence(for: loss)
            guard self.isEnding(session) else {
                self.note(sentence)
                return self.note("play looks for another race")
            }
            // Whoever plays by themselves at the end of input wanted this race.
            if loss == .serverEndedSuddenly { return session.end(SessionEnd(.lost, sentence)) }
            self.note(sentence)
            self.quit(session)
        case .startedAnew(let loss): self.startAnew(loss, in: session)
        case .ready, .sent, .fault, .versionRefused: break
        }
    }

    private static func words(_ line: RaceReport.Line) -> String {
        switch line.verdict {
        case .passed(let what): "check \(line.subject.name): passed\(what.isEmpty ? "" : " (\(what))")"
        case .failed(let why): "check \(line.subject.name): FAILED: \(why)"
        case .notPossible(let why): "check \(line.subject.name): not possible: \(why)"
        }
    }

    private func take(_ message: ServerMessage, in session: ClientSession) {
        if case .pong(0) = message { return }  // The session's own question.
        if case .error(let error) = message, self.registration.take(error, in: session) {
            return self.tellNews()
        }
        self.printer.append(message, to: &self.output)
        switch message {
        case .welcome:
            self.registration.welcome(session)
            self.tellNews()
            // Commands that come earlier wait: nothing could be done with them.
            session.readInput()
            if let match = self.plan.watches { session.wish(.message(.watch(match))) }
        case .error(let error):
            if self.plan.watches != nil, error.request == ClientMessageNumber.watch.rawValue {
                session.quit(SessionEnd(.usage, DisplayText.harmless(error.text)))
            } else if self.isEnding(session) {
                self.quit(session)
            }
        case .stopped(.watch): session.quit(SessionEnd(.fine))
        case .gameOver: if self.inputHasEnded, self.plan.watches == nil { self.quit(session) }
        default: break
        }
    }

    private func startAnew(_ loss: RaceView.Loss, in session: ClientSession) {
        if self.plan.watches != nil { return session.end(.watchedServerStartedAnew) }
        let sentence = Narrator.sentence(forLoss: loss)
        // Whoever plays by themselves at the end of input wanted this race.
        if self.inputHasEnded, loss != .ticket { return session.end(SessionEnd(.lost, sentence)) }
        self.note(sentence)
        if loss != .ticket { self.note("play looks for another race") }
    }

    /// Input has ended, and there is nothing left to wait for.
    private func isEnding(_ session: ClientSession) -> Bool {
        guard self.inputHasEnded, self.plan.watches == nil else { return false }
        let view = session.client.view
        return view.match == nil && view.queued == nil
    }

    private func tellNews() {
        if let news = self.registration.takeNews() { self.note(news) }
    }

    private func note(_ text: String) {
        if self.showsNotes { LineEncoder.appendNote(text, to: &self.output) }
    }

    package func linkChanged(in session: ClientSession) {
        switch session.link {
        case .waiting(let attempt, let until):
            let wait = (until - session.now).nanoseconds / 1_000_000
            self.note("\(session.lossReason): attempt \(attempt) in \(wait) ms")
        case .open where session.client.hasBeenWelcome: self.note("connected again")
        case .resolving, .connecting, .open, .detached, .ended: break
        }
    }

    package func settled(in session: ClientSession) {
        guard !self.output.isEmpty else { return }
        let output = self.output
        self.output.removeAll(keepingCapacity: true)
        session.print(output)
    }

    package func nextDeadline(in session: ClientSession) -> Instant? { nil }

    // MARK: Commands

    package func read(_ bytes: [UInt8], in session: ClientSession) {
        guard !bytes.isEmpty else {
            self.inputHasEnded = true
            if !self.plan.isAutomatic, self.plan.watches == nil { self.quit(session) }
            return
        }
        var input = bytes[...]
        do throws(ProtocolViolation) {
            while let command = try self.decoder.next(in: &input) { self.run(command, in: session) }
        } catch {
            session.quit(SessionEnd(.usage, error.text))
        }
    }

    private func run(_ input: TextInput, in session: ClientSession) {
        switch input {
        case .message(.hello): self.refuse("your name is chosen with --name", .alreadyNamed)
        case .message(.quit): self.quit(session)
        case .message(.move(turn: 0)): session.wish(.move)
        case .message(let message): session.wish(.message(message))
        case .command(.drawNumber):
            var generator = SystemRandomNumberGenerator()
            session.wish(.number(UInt32(truncatingIfNeeded: generator.next() as UInt64)))
        case .command(.setAuto(let isOn)):
            session.change { client in
                client.strategy?.drawsNumber = isOn
                client.strategy?.begins = isOn
            }
            session.wish(.message(.why))
        case .command(.setNotes(let isOn)): self.showsNotes = isOn
        case .command(.help): for verb in Verb.allCases { self.note("\(verb.usage)    \(verb.summary)") }
        case .violation(let violation): self.refuse(violation.text, violation.code)
        case .reply, .http: self.refuse("these are no commands: help lists them", .unknownVerb)
        }
    }

    private func refuse(_ text: String, _ code: ErrorCode) {
        self.printer.append(.error(ErrorReply(code: code, request: nil, text: text)), to: &self.output)
    }

    private func quit(_ session: ClientSession) {
        session.quit(SessionEnd(self.hasFailedCheck ? .notFair : .fine))
    }

    package func signal(_ signal: ProgramSignals.Signal, in session: ClientSession) {
        switch signal {
        case .end(let number): session.quit(SessionEnd(.signal(number)))
        case .suspend: ProgramSignals.stopProcess()
        case .resumed, .resized: break
        }
    }

    package func ended(_ end: SessionEnd, in session: ClientSession) {
        StandardStreams.write(self.output, to: STDOUT_FILENO)
        self.output = []
        if let sentence = end.sentence { StandardStreams.write("catrace: \(sentence)\n", to: STDERR_FILENO) }
    }
}
