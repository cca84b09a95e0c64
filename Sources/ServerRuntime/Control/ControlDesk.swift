import Dispatch
import EventLoop
import Glibc
import RaceModel
import SQLiteStore
import ServerCore
import Synchronization
import WireProtocol

/// Carries out what operators ask for, and writes each act down. To look at something is none.
final class ControlDesk: Sendable {
    typealias Answer = @Sendable (ControlAnswer) -> Void

    private let engine: Engine
    private let log: LogWriter
    /// Nil: nothing is kept.
    private let directory: DataDirectory?
    private let ask: AdminServer.Ask
    private let reload: @Sendable (@escaping @Sendable (ReloadOutcome) -> Void) -> Void
    private let isBackingUp = Atomic<Bool>(false)
    /// Copies take a while, and reading what the system says may.
    private let slowQueue = DispatchQueue(label: "catrace.slow", attributes: .concurrent)

    /// - Parameter ask: for how the server does.
    init(
        engine: Engine, log: LogWriter, directory: DataDirectory?, ask: @escaping AdminServer.Ask,
        reload: @escaping @Sendable (@escaping @Sendable (ReloadOutcome) -> Void) -> Void
    ) {
        self.engine = engine
        self.log = log
        self.directory = directory
        self.ask = ask
        self.reload = reload
    }

    func perform(_ command: ControlCommand, by peer: LocalSocket.Peer, _ answer: @escaping Answer) {
        let (log, verb, subject) = (self.log, command.verb, command.subject)
        let details = command.details.map { LogLine.Field($0.key, $0.value) }
        self.carryOut(command) { result in
            guard verb.isAct else { return answer(result) }
            var fields = [
                LogLine.Field("uid", "\(peer.user)"), LogLine.Field("pid", "\(peer.process)"),
                LogLine.Field("verb", verb.rawValue),
            ]
            if let subject { fields.append(LogLine.Field("subject", subject)) }
            fields += details
            fields.append(LogLine.Field("outcome", result.outcome))
            // Who hears that it is done can read so in the file.
            log.write(act: fields) { answer(result) }
        }
    }

    private func carryOut(_ command: ControlCommand, _ answer: @escaping Answer) {
        switch command {
        case .who(let prefix): self.ask(.players(prefix: AliasKey.prefix(of: prefix)), answer)
        case .matches: self.ask(.matches, answer)
        case .show(let match): self.ask(.match(match), answer)
        case .stop(let match, let reason): self.ask(.stop(match, reason: reason), answer)
        case .bans: self.ask(.bans, answer)
        case .say(let text): self.ask(.tell(nil, text), answer)
        case .ban(let whom, let seconds, let reason):
            self.find(whom, answer) { self.ask(.ban($0, seconds: seconds, reason: reason), answer) }
        case .unban(let whom): self.find(whom, answer) { self.ask(.unban($0), answer) }
        case .kick(let whom, let reason):
            self.findPlayer(whom, answer) { self.ask(.kick($0, reason: reason), answer) }
        case .notice(let whom, let text):
            self.findPlayer(whom, answer) { self.ask(.tell($0, text), answer) }
        case .drain:
            Self.drain()
            answer(.ok())
        case .reload: self.reload { answer($0.answer) }
        case .logLevel(let level):
            self.log.change(level: level)
            self.ask(.logLevel(level), answer)
        case .stats:
            self.ask { [log, slowQueue] report in
                // Files are read: not on the queue of the race server.
                slowQueue.async { answer(.ok(report.with(ProcessFigures.now()).statsLine(log))) }
            }
        case .backup(let path): self.backUp(to: path, answer)
        case .help: answer(.ok(ControlCommand.manual))
        }
    }

    private func ask(_ command: OperatorCommand, _ answer: @escaping Answer) {
        self.engine.operate(command) { answer(ControlAnswer($0)) }
    }

    /// An alias becomes the player who has it.
    private func find(
        _ whom: ControlCommand.Whom, _ answer: @escaping Answer,
        then body: @escaping @Sendable (Ban.Subject) -> Void
    ) {
        switch whom {
        case .subject(let subject): body(subject)
        case .alias(let alias):
            self.engine.operate(.find(alias)) { found in
                guard case .found(let player) = found else { return answer(ControlAnswer(found)) }
                body(.player(player))
            }
        }
    }

    private func findPlayer(
        _ whom: ControlCommand.Whom, _ answer: @escaping Answer,
        then body: @escaping @Sendable (PlayerID) -> Void
    ) {
        self.find(whom, answer) { subject in
            guard case .player(let player) = subject else {
                return answer(.error(.badValue, "it concerns a player, not an address"))
            }
            body(player)
        }
    }

    /// As SIGTERM does.
    private static func drain() { kill(getpid(), SIGTERM) }

    private func backUp(to path: String, _ answer: @escaping Answer) {
        guard let directory = self.directory else {
            return answer(.error(.unavailable, "this server keeps nothing, so there is nothing to copy"))
        }
        guard !self.isBackingUp.exchange(true, ordering: .relaxed) else {
            return answer(.error(.wrongState, "a copy is being made: wait until it is done"))
        }
        self.slowQueue.async {
            defer { self.isBackingUp.store(false, ordering: .relaxed) }
            do throws(StoreBackup.Failure) {
                try StoreBackup.write(directory, to: path)
                answer(.ok())
            } catch .store(.missing(let path)) {
                // It was there when this server began.
                answer(.error(.unavailable, StoreFault.moved(path).sentenceWhileRunning))
            } catch {
                answer(.error(.unavailable, error.sentence))
            }
        }
    }
}
