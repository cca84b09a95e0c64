package import ClientCore
import EventLoop
import Glibc
package import RaceModel
import WireProtocol

/// One question, its answer as lines, and the end.
package final class Query: SessionUser {
    package enum Question: Sendable {
        case players(prefix: String)
        case matches
        case aliases([PlayerID])
        case ping(count: Int)
        /// One page, from 1.
        case leaderboard(RaceSettings.Rule, page: UInt16)
        case player(alias: String)
    }

    private let question: Question
    private var asked = Instant.zero
    private var pings = 0
    private var nextPing: Instant?
    private var batches: [[PlayerID]] = []
    /// Ids of the last batch whose answer has not come: it may come in parts.
    private var unanswered = 0

    /// Between two pings.
    private static let pingPause = Instant.Span.seconds(1)
    /// Pages after which a list is long enough.
    private static let mostPages: UInt16 = 1000

    package init(_ question: Question) { self.question = question }

    package func take(_ event: ClientEvent, in session: ClientSession) {
        switch event {
        case .ready: self.begin(session)
        case .message(let message): self.take(message, in: session)
        case .sent, .checked, .missed, .matchLost, .startedAnew, .fault, .versionRefused: break
        }
    }

    private func begin(_ session: ClientSession) {
        switch self.question {
        case .players(let prefix): session.wish(.message(.listPlayers(prefix: prefix, page: 1)))
        case .matches: session.wish(.message(.listMatches(page: 1)))
        case .aliases(let ids):
            self.batches = stride(from: 0, to: ids.count, by: Limits.lookUpIDs).map {
                Array(ids[$0..<min($0 + Limits.lookUpIDs, ids.count)])
            }
            self.askNextBatch(session)
        case .ping: self.ping(session)
        case .leaderboard(let rule, let page): session.wish(.message(.leaderboard(rule, page: page)))
        case .player(let alias): session.wish(.message(.lookUpPlayer(alias: alias)))
        }
    }

    private func ping(_ session: ClientSession) {
        self.asked = SocketLoop.clock()
        self.nextPing = nil
        session.wish(.message(.ping(UInt64(self.pings + 1))))
    }

    private func askNextBatch(_ session: ClientSession) {
        guard !self.batches.isEmpty else { return session.quit(SessionEnd(.fine)) }
        let batch = self.batches.removeFirst()
        self.unanswered = batch.count
        session.wish(.message(.lookUpAliases(batch)))
    }

    private func take(_ message: ServerMessage, in session: ClientSession) {
        switch message {
        case .players(let page, let entries):
            self.printEntries(
                message, ifEmpty: entries.isEmpty && page.number == 1 ? "# nobody is here" : nil, in: session)
            self.next(page, in: session) { page in
                if case .players(let prefix) = self.question {
                    return .listPlayers(prefix: prefix, page: page)
                }
                return nil
            }
        case .matches(let page, let entries):
            self.printEntries(
                message, ifEmpty: entries.isEmpty && page.number == 1 ? "# there are no matches" : nil,
                in: session)
            self.next(page, in: session) { .listMatches(page: $0) }
        case .aliases(let entries):
            self.printEntries(message, ifEmpty: nil, in: session)
            self.unanswered -= entries.count
            if self.unanswered <= 0 { self.askNextBatch(session) }
        case .leaderboard(let board):
            self.printEntries(
                message, ifEmpty: board.entries.isEmpty ? Self.emptyBoard(board) : nil, in: session)
            if board.page.number < board.page.of {
                session.print(
                    "# page \(board.page.number) of \(board.page.of): --page \(board.page.number + 1) shows the next\n"
                )
            }
            session.quit(SessionEnd(.fine))
        case .history:
            var bytes: [UInt8] = []
            LineEncoder.append(message, names: .none, to: &bytes)
            session.print(bytes)
            session.quit(SessionEnd(.fine))
        case .pong(let value) where value > 0: self.takePong(session)
        case .error(let error): session.quit(SessionEnd(.lost, DisplayText.harmless(error.text)))
        default: break
        }
    }

    private static func emptyBoard(_ board: Leaderboard) -> String {
        board.page.number == 1
            ? "# nobody has a race of rule \(board.rule.name) that counts"
            : "# there are \(board.page.of) pages"
    }

    private func takePong(_ session: ClientSession) {
        guard case .ping(let count) = self.question else { return }
        self.pings += 1
        let micros = (SocketLoop.clock() - self.asked).nanoseconds / 1000
        let fraction = String(micros % 1000)
        let padding = String(repeating: "0", count: 3 - fraction.utf8.count)
        session.print(
            "pong n=\(self.pings) server=\(session.settings.address) ms=\(micros / 1000).\(padding)\(fraction)\n"
        )
        if self.pings >= count { return session.quit(SessionEnd(.fine)) }
        self.nextPing = session.now + Self.pingPause
    }

    private func next(_ page: Page, in session: ClientSession, _ request: (UInt16) -> ClientMessage?) {
        guard page.number < page.of, page.number < Self.mostPages, let message = request(page.number + 1)
        else {
            return session.quit(SessionEnd(.fine))
        }
        session.wish(.message(message))
    }

    /// Each entry is a line of its own; the line that counts them is left out.
    private func printEntries(_ message: ServerMessage, ifEmpty: String?, in session: ClientSession) {
        var bytes: [UInt8] = []
        LineEncoder.append(message, names: .none, to: &bytes)
        var text = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        if text.isEmpty, let ifEmpty { text = Array((ifEmpty + "\n").utf8)[...] }
        session.print(Array(text))
    }

    package func linkChanged(in session: ClientSession) {}

    package func settled(in session: ClientSession) {
        if let nextPing, nextPing <= session.now { self.ping(session) }
    }

    package func nextDeadline(in session: ClientSession) -> Instant? { self.nextPing }
    package func read(_ bytes: [UInt8], in session: ClientSession) {}

    package func signal(_ signal: ProgramSignals.Signal, in session: ClientSession) {
        switch signal {
        case .end(let number): session.end(SessionEnd(.signal(number)))
        case .suspend: ProgramSignals.stopProcess()
        case .resumed, .resized: break
        }
    }

    package func ended(_ end: SessionEnd, in session: ClientSession) {
        if let sentence = end.sentence { StandardStreams.write("catrace: \(sentence)\n", to: STDERR_FILENO) }
    }
}
