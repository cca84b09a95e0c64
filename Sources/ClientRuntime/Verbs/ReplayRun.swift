package import ClientCore
import Glibc
package import RaceModel
import Records
import WireProtocol

/// A race that is over, seen again: on a screen, as lines, or into a file. The server is needed only until its
/// record has come.
package final class ReplayRun: SessionUser {
    private let plan: ReplayPlan
    /// Nil: lines.
    private let terminal: Terminal?
    private var painter: ScreenPainter
    private var keys = KeyDecoder()
    private var printer = LinePrinter()
    private var isSuspended = false
    /// Pages that have come, as the text of a record.
    private var text: [UInt8] = []
    private var pages: UInt16 = 0
    private var record: MatchRecord?
    private var report = RaceReport(lines: [])
    private var show: ReplayShow?

    package init(_ plan: ReplayPlan, terminal: Terminal?) {
        self.plan = plan
        self.terminal = terminal
        self.painter = ScreenPainter(hasColours: terminal?.hasColours ?? false)
    }

    // MARK: Where the record comes from

    /// Reads the record from a file.
    ///
    /// - Returns: how it ended when there is nothing to show.
    package func open(_ path: String) -> SessionEnd? {
        let name = path == "-" ? "standard input" : DisplayText.harmless(path)
        do throws(FileBytes.Fault) {
            return self.read(try FileBytes.read(path, most: RecordFile.mostBytes), name)
        } catch {
            return SessionEnd(.usage, "\(name) can't be read (\(error.reason))")
        }
    }

    private func read(_ bytes: [UInt8], _ name: String) -> SessionEnd? {
        do throws(RecordFile.Fault) {
            let record = try RecordFile.read(bytes)
            self.record = record
            self.report = RaceCheck(witness: RaceWitness(record), over: record.over).report()
            return nil
        } catch {
            let words = RecordFile.words(for: error, name)
            if case .line = error { return SessionEnd(.notFair, "\(name) is no record of a race: \(words)") }
            return SessionEnd(.usage, words)
        }
    }

    package func take(_ event: ClientEvent, in session: ClientSession) {
        guard case .match(let match) = self.plan.source else { return }
        switch event {
        case .ready: session.wish(.message(.replay(match, page: 1)))
        case .message(.record(let page)): self.take(page, of: match, in: session)
        case .message(.error(let error)): session.quit(SessionEnd(.lost, DisplayText.harmless(error.text)))
        case .message, .sent, .checked, .missed, .matchLost, .startedAnew, .fault, .versionRefused: break
        }
    }

    private func take(_ page: RecordPage, of match: MatchID, in session: ClientSession) {
        guard self.record == nil, page.match == match, page.page.number == self.pages + 1,
            self.text.count + page.text.count <= RecordFile.mostBytes
        else {
            return session.quit(
                SessionEnd(
                    .lost, "\(session.settings.address) sent pages that are no record: ask again later"))
        }
        self.pages += 1
        self.text += page.text
        if page.page.number < page.page.of {
            return session.wish(.message(.replay(match, page: page.page.number + 1)))
        }
        if let end = self.read(self.text, "what \(session.settings.address) sent of match \(match.value)") {
            return session.quit(end)
        }
        self.text = []
        session.detach()
    }

    // MARK: What becomes of it

    package func linkChanged(in session: ClientSession) {
        guard session.link == .detached, let record else { return }
        if let path = self.plan.savePath { return session.end(self.save(record, path)) }
        let speed = self.plan.speed ?? (self.terminal == nil ? .most : .times(1))
        self.show = ReplayShow(record, self.report, speed: speed, now: session.now)
        if self.terminal != nil { session.readInput() }
    }

    private func save(_ record: MatchRecord, _ path: String) -> SessionEnd {
        let name = DisplayText.harmless(path)
        do throws(FileBytes.Fault) {
            try FileBytes.write(record.text ?? [], to: path, mode: 0o644, replaces: self.plan.overwrites)
        } catch {
            return SessionEnd(
                .usage,
                error.exists
                    ? "\(name) exists: choose another name, or replace it with --force"
                    : "\(name) can't be written (\(error.reason))")
        }
        StandardStreams.write(
            "match \(record.found.match.value) is in \(name); \(self.report.summary)\n", to: STDOUT_FILENO)
        return SessionEnd(self.report.hasFailed ? .notFair : .fine)
    }

    package func settled(in session: ClientSession) {
        guard let told = self.show?.advance(now: session.now) else { return }
        guard let terminal else { return self.print(told, session) }
        if !terminal.isEntered, !self.isSuspended, terminal.isForeground {
            terminal.enter()
            self.painter.invalidate()
        }
        guard terminal.isEntered, let show else { return }
        let screen = Screen(
            view: show.view, events: show.events, report: show.shownReport, replay: show.status)
        let size = terminal.size
        let frame = self.painter.frame(screen.render(size, now: session.now), columns: size.columns)
        if !frame.isEmpty { terminal.write(frame) }
    }

    /// The lines of the record, and at the end what was checked.
    private func print(_ messages: [ServerMessage], _ session: ClientSession) {
        var lines: [UInt8] = []
        for message in messages {
            switch message {
            case .matchFound, .randomNumber, .playerOrder, .moved, .forfeited, .gameOver:
                self.printer.append(message, to: &lines)
            default: break
            }
        }
        if !lines.isEmpty, !StandardStreams.write(lines, to: STDOUT_FILENO) {
            return session.end(SessionEnd(.signal(SIGPIPE)))
        }
        if self.show?.isOver == true { session.end(self.end) }
    }

    private var end: SessionEnd { SessionEnd(self.report.hasFailed ? .notFair : .fine) }

    package func nextDeadline(in session: ClientSession) -> Instant? { self.show?.nextDeadline }

    // MARK: Keys and signals

    package func read(_ bytes: [UInt8], in session: ClientSession) {
        // The terminal is gone.
        if bytes.isEmpty { return session.end(SessionEnd(.signal(SIGHUP))) }
        for key in self.keys.keys(in: bytes) {
            switch key {
            case .end, .letter(UInt8(ascii: "q")): return session.end(self.end)
            default: self.show?.press(key, now: session.now)
            }
        }
    }

    package func signal(_ signal: ProgramSignals.Signal, in session: ClientSession) {
        switch signal {
        case .end(let number): session.end(SessionEnd(.signal(number)))
        case .suspend:
            self.terminal?.leave()
            self.isSuspended = true
            ProgramSignals.stopProcess()
        case .resumed:
            self.isSuspended = false
            self.painter.invalidate()
        case .resized: self.painter.invalidate()
        }
    }

    package func ended(_ end: SessionEnd, in session: ClientSession) {
        self.terminal?.leave()
        // Lines are for programs, and what was checked for people.
        if self.show != nil {
            StandardStreams.write(
                DisplayText.harmless(self.report.summary) + "\n",
                to: self.terminal == nil ? STDERR_FILENO : STDOUT_FILENO)
        }
        if let sentence = end.sentence { StandardStreams.write("catrace: \(sentence)\n", to: STDERR_FILENO) }
    }
}
