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
        switch command {
        case .print(let text):
            _exit(StandardStreams.write(text, to: STDOUT_FILENO) ? 0 : 1)
        case .play(let options):
            user = self.player(
                PlayPlan(
                    isNameGiven: options.isNameGiven, isManual: options.isManual,
                    isAutomatic: options.isAutomatic, serverText: options.serverText))
            var strategy = Strategy(generator: SystemRandomNumberGenerator())
            strategy.drawsNumber = !options.isManual
            strategy.begins = !options.isManual
            strategy.pace = options.isAutomatic ? options.pace : nil
            client = self.client(options, request: options.request, strategy: strategy)
            settings = SessionSettings(address: options.address, returns: true, patience: options.patience)
        case .watch(let match, let options):
            user = self.player(
                PlayPlan(watches: match, isNameGiven: options.isNameGiven, serverText: options.serverText))
            client = self.client(options, request: nil, strategy: nil)
            settings = SessionSettings(address: options.address, returns: true, patience: options.patience)
        case .bot(let options):
            user = BotRun(races: options.races, isNameGiven: options.isNameGiven)
            var strategy = Strategy(generator: SystemRandomNumberGenerator())
            strategy.pace = options.pace
            strategy.afterRace = .findRace
            strategy.racesLeft = options.races
            client = self.client(options, request: options.request, strategy: strategy)
            settings = SessionSettings(address: options.address, returns: true, patience: options.patience)
        case .query(let question, let options):
            user = Query(question)
            client = RaceClient(RaceClient.Configuration(name: nil))
            settings = SessionSettings(
                address: options.address, returns: false, timeLimit: self.timeLimit(of: question))
        }
        return QueueConfined(
            try ClientSession(
                client, settings, user: user, on: queue, generator: SystemRandomNumberGenerator(),
                finish: { _exit($0) }), on: queue)
    }

    private static func client(
        _ options: ClientOptions, request: RaceRequest?, strategy: Strategy?
    ) -> RaceClient {
        RaceClient(
            RaceClient.Configuration(name: options.name, key: options.key, request: request),
            strategy: strategy)
    }

    private static func player(_ plan: PlayPlan) -> any SessionUser {
        let terminal = Terminal()
        return terminal.isUsable ? PlayScreen(plan, terminal: terminal) : PlayLines(plan)
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
