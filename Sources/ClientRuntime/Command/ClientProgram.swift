import ClientCore
import Dispatch
import EventLoop
import Glibc
import RaceModel

/// Carries a command out. Everything runs on one queue; the main thread waits for signals.
package enum ClientProgram {
    package static func run(_ command: ClientCommand, signals: ProgramSignals) -> Never {
        let queue = DispatchQueue(label: "catrace.client", qos: .userInteractive)
        let session: QueueConfined<ClientSession>
        do throws(TransportError) {
            session = try self.session(for: command, on: queue)
        } catch {
            StandardStreams.write(
                "catrace: this machine gives no event queue (\(error))\n", to: STDERR_FILENO)
            _exit(1)
        }
        session.enqueue { $0.start(own: session) }
        var signals = signals
        while true {
            let signal = signals.next()
            session.enqueue { $0.signal(signal) }
        }
    }

    private static func session(
        for command: ClientCommand, on queue: DispatchQueue
    ) throws(TransportError) -> QueueConfined<ClientSession> {
        let user: any SessionUser
        let client: RaceClient
        let settings: SessionSettings
        let context: TLSContext?
        switch command {
        case .print(let text):
            _exit(StandardStreams.write(text, to: STDOUT_FILENO) ? 0 : 1)
        case .verify(let path): _exit(Verification.run(path))
        case .play(var options):
            context = self.context(options)
            let keys = self.keys(for: &options, keeps: true)
            user = self.player(
                PlayPlan(
                    isNameGiven: options.isNameGiven, isManual: options.isManual,
                    isAutomatic: options.isAutomatic, serverText: options.serverText, isGuest: options.isGuest
                ),
                keys)
            var strategy = Strategy(generator: SystemRandomNumberGenerator())
            strategy.drawsNumber = !options.isManual
            strategy.begins = !options.isManual
            strategy.pace = options.isAutomatic ? options.pace : nil
            client = self.client(options, request: options.request, strategy: strategy)
            settings = SessionSettings(address: options.address, returns: true, patience: options.patience)
        case .watch(let match, var options):
            context = self.context(options)
            let keys = self.keys(for: &options, keeps: false)
            user = self.player(
                PlayPlan(watches: match, isNameGiven: options.isNameGiven, serverText: options.serverText),
                keys)
            client = self.client(options, request: nil, strategy: nil)
            settings = SessionSettings(address: options.address, returns: true, patience: options.patience)
        case .bot(var options):
            context = self.context(options)
            let keys = self.keys(for: &options, keeps: false)
            user = BotRun(races: options.races, isNameGiven: options.isNameGiven, keys: keys)
            var strategy = Strategy(generator: SystemRandomNumberGenerator())
            strategy.pace = options.pace
            strategy.afterRace = .findRace
            strategy.racesLeft = options.races
            client = self.client(options, request: options.request, strategy: strategy)
            settings = SessionSettings(address: options.address, returns: true, patience: options.patience)
        case .query(let question, let options):
            context = self.context(options)
            user = Query(question)
            client = RaceClient(RaceClient.Configuration(name: nil))
            settings = SessionSettings(
                address: options.address, returns: false, timeLimit: self.timeLimit(of: question))
        case .replay(let plan, let options):
            context = self.context(options)
            (user, settings) = self.replay(plan, options)
            client = RaceClient(RaceClient.Configuration(name: nil))
        }
        return QueueConfined(
            try ClientSession(
                client, settings, user: user, over: context, on: queue,
                generator: SystemRandomNumberGenerator(),
                finish: { _exit($0) }), on: queue)
    }

    /// Nil: plain. Ends the process when the authorities can't be used.
    private static func context(_ options: ClientOptions) -> TLSContext? {
        guard options.isSecure else { return nil }
        do throws(TLSFault) {
            return try TLSContext.trusting(options.authorities)
        } catch {
            StandardStreams.write("catrace: \(error.text)\n", to: STDERR_FILENO)
            _exit(2)
        }
    }

    private static func client(
        _ options: ClientOptions, request: RaceRequest?, strategy: Strategy?
    ) -> RaceClient {
        RaceClient(
            RaceClient.Configuration(name: options.name, key: options.key, request: request),
            strategy: strategy)
    }

    private static func player(_ plan: PlayPlan, _ keys: KeptKeys?) -> any SessionUser {
        let terminal = Terminal()
        return terminal.isUsable
            ? PlayScreen(plan, terminal: terminal, keys: keys) : PlayLines(plan, keys: keys)
    }

    /// Whom the user is on this server, if that is known; nil where nothing is kept.
    private static func keys(for options: inout ClientOptions, keeps: Bool) -> KeptKeys? {
        guard !options.isGuest, let file = KeyFile(environment: StandardStreams.environment) else {
            return nil
        }
        let keys = KeptKeys(file: file, server: options.address, keeps: keeps)
        do throws(KeyFile.Fault) {
            try keys.choose(&options)
        } catch {
            StandardStreams.write("catrace: \(DisplayText.harmless(error.text))\n", to: STDERR_FILENO)
            _exit(2)
        }
        return keys
    }

    private static func replay(
        _ plan: ReplayPlan, _ options: ClientOptions
    ) -> (any SessionUser, SessionSettings) {
        var settings = SessionSettings(address: options.address, returns: false, timeLimit: .seconds(30))
        let terminal = Terminal()
        let run = ReplayRun(plan, terminal: terminal.isUsable && plan.savePath == nil ? terminal : nil)
        if case .file(let path) = plan.source {
            settings.needsServer = false
            if let end = run.open(path) {
                if let sentence = end.sentence {
                    StandardStreams.write("catrace: \(sentence)\n", to: STDERR_FILENO)
                }
                _exit(end.status.code)
            }
        }
        return (run, settings)
    }

    /// A health check must end in two seconds; each further ping has one more.
    private static func timeLimit(of question: Query.Question) -> Instant.Span {
        guard case .ping(let count) = question else { return .seconds(10) }
        return .milliseconds(1800) + .seconds(count - 1)
    }
}

extension Instant.Span {
    static func + (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }
}
