package import ClientCore
import Glibc
package import RaceModel
import Records
import WireProtocol

/// A player that needs nobody: race after race, one line for each.
package final class BotRun: SessionUser {
    private let races: Int?
    private var registration: Registration
    private var done = 0
    private var hasFailedCheck = false
    /// The view as of the message that is told: the client's own may be further on.
    private var told = RaceView()
    private var begun = Instant.zero
    private var moves = 0
    private var line: String?

    /// - Parameter races: how many; nil: no end.
    package init(races: Int?, isNameGiven: Bool, keys: KeptKeys?) {
        self.races = races
        self.registration = Registration(isNameGiven: isNameGiven, keys: keys)
    }

    package func take(_ event: ClientEvent, in session: ClientSession) {
        switch event {
        case .message(let message):
            self.told.apply(message, now: session.now)
            self.take(message, in: session)
        case .checked(let report):
            let words = report.hasFailed ? "failed" : report.verdict(on: .digest).map(Self.words) ?? "none"
            session.print("\(self.line ?? "race") checks=\(words)\n")
            self.line = nil
            if report.hasFailed {
                self.hasFailedCheck = true
                session.print("# \(DisplayText.harmless(report.summary))\n")
            }
            self.raceEnded(session)
        case .matchLost(let loss): session.print("# \(Narrator.sentence(for: loss))\n")
        case .startedAnew(let loss):
            self.told.forgetPlayer()
            self.line = nil
            session.print("# \(Narrator.sentence(forLoss: loss))\n")
        case .missed(let last, let next):
            session.print("# events \(last &+ 1) to \(next &- 1) did not come\n")
        case .ready, .sent, .fault, .versionRefused: break
        }
    }

    private static func words(_ verdict: RaceReport.Verdict) -> String {
        switch verdict {
        case .passed: "passed"
        case .failed: "failed"
        case .notPossible: "partial"
        }
    }

    private func take(_ message: ServerMessage, in session: ClientSession) {
        switch message {
        case .error(let error):
            if self.registration.take(error, in: session) {
                if let news = self.registration.takeNews() { session.print("# \(news)\n") }
                return
            }
            guard error.request == ClientMessageNumber.findMatch.rawValue else { return }
            session.quit(SessionEnd(.usage, DisplayText.harmless(error.text)))
        case .gameBegin:
            self.begun = session.now
            self.moves = 0
        case .moved(let moved):
            if moved.player == self.told.match?.ownNumber { self.moves += 1 }
        case .gameOver(let over): self.line = self.describe(over, in: session)
        default: break
        }
    }

    private func describe(_ over: GameOver, in session: ClientSession) -> String? {
        guard let match = self.told.match else { return nil }
        self.done += 1
        let own = over.standings.first { $0.player == match.ownNumber }
        let winner = over.outcome.winner.map { DisplayText.harmless(match.name(of: $0)) } ?? "-"
        let tenths = (session.now - self.begun).nanoseconds / 100_000_000
        return "race n=\(self.done) match=\(match.match.value) winner=\(winner) "
            + "reason=\(over.outcome.reason.name) place=\(own.map { "\($0.rank)" } ?? "-") of=\(match.runners.count) "
            + "at=\(own?.position ?? 0) moves=\(self.moves) seconds=\(tenths / 10).\(tenths % 10)"
    }

    private func raceEnded(_ session: ClientSession) {
        if let races, self.done >= races { session.quit(SessionEnd(self.hasFailedCheck ? .notFair : .fine)) }
    }

    package func linkChanged(in session: ClientSession) {
        guard case .waiting(let attempt, let until) = session.link else { return }
        let wait = (until - session.now).nanoseconds / 1_000_000
        session.print("# \(session.lossReason): attempt \(attempt) in \(wait) ms\n")
    }

    package func settled(in session: ClientSession) {}
    package func nextDeadline(in session: ClientSession) -> Instant? { nil }
    package func read(_ bytes: [UInt8], in session: ClientSession) {}

    package func signal(_ signal: ProgramSignals.Signal, in session: ClientSession) {
        switch signal {
        case .end(let number): session.quit(SessionEnd(.signal(number)))
        case .suspend: ProgramSignals.stopProcess()
        case .resumed, .resized: break
        }
    }

    package func ended(_ end: SessionEnd, in session: ClientSession) {
        if let sentence = end.sentence { StandardStreams.write("catrace: \(sentence)\n", to: STDERR_FILENO) }
    }
}
