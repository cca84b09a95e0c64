package import ClientCore
package import Dispatch
package import EventLoop
import Glibc
package import RaceModel
import WireProtocol

/// One client and its connection: looks the server up, tries its addresses in turn, comes back by itself when
/// the connection is lost, and says what it does. Everything happens on the loop's queue.
package final class ClientSession {
    package enum Link: Hashable, Sendable {
        case resolving
        case connecting
        /// Bytes can flow.
        case open
        /// The connection was lost; the next attempt is due.
        case waiting(attempt: Int, until: Instant)
        /// No server is needed, or none any more.
        case detached
        case ended
    }

    package let settings: SessionSettings
    package let loop: SocketLoop
    package private(set) var client: RaceClient
    package internal(set) var link = Link.resolving
    /// Why the connection was lost, for as long as it is.
    package internal(set) var lossReason = ""
    let user: any SessionUser
    /// For TLS; nil: plain.
    let context: TLSContext?
    private let finish: @Sendable (Int32) -> Void

    var own: QueueConfined<ClientSession>?
    var inputQueue: DispatchQueue?
    var spareOutbox = ClientOutbox()
    var retry: RetrySchedule
    var addresses: [SocketAddress] = []
    var nextAddress = 0
    var connection: ConnectionID?
    /// What ends the present attempt if nothing comes.
    var attemptDue: Instant?
    var sessionDue: Instant?
    var lastReceived = Instant.zero
    var askedAt: Instant?
    /// The server has taken us for a player, or for a client at least.
    var wasReady = false
    var goodbye: (end: SessionEnd, due: Instant)?

    /// - Parameter finish: told the exit code, once.
    package init(
        _ client: RaceClient, _ settings: SessionSettings, user: any SessionUser,
        over context: TLSContext? = nil, on queue: DispatchQueue,
        generator: any RandomNumberGenerator & Sendable, finish: @escaping @Sendable (Int32) -> Void
    ) throws(TransportError) {
        self.client = client
        self.settings = settings
        self.user = user
        self.context = context
        self.finish = finish
        self.loop = try SocketLoop(on: queue, limits: SocketLoop.Limits(connections: 4))
        self.retry = RetrySchedule(patience: settings.patience, generator: generator)
    }

    /// Begins; once, on the queue.
    package func start(own: QueueConfined<ClientSession>) {
        self.own = own
        self.loop.start(handler: self)
        self.loop.perform {
            guard self.settings.needsServer else { return self.detach() }
            self.sessionDue = self.settings.timeLimit.map { self.now + $0 }
            self.resolve()
        }
    }

    package var now: Instant { self.loop.now }

    // MARK: What users ask

    package func wish(_ wish: ClientWish) { self.handle(.wish(wish)) }

    package func change(_ body: (inout RaceClient) -> Void) { body(&self.client) }

    /// Standard input from here on: a piece is read once the one before it is taken. It has a thread of its
    /// own, since a source would have to change the mode of a descriptor that others share, and misses the
    /// end of a pipe.
    package func readInput() {
        guard let own, self.inputQueue == nil else { return }
        let queue = DispatchQueue(label: "catrace.input")
        self.inputQueue = queue
        queue.async { Self.readNext(for: own) }
    }

    private static func readNext(for own: QueueConfined<ClientSession>) {
        let bytes = StandardStreams.read(STDIN_FILENO)
        own.enqueue { session in
            session.loop.perform {
                guard session.link != .ended else { return }
                session.user.read(bytes ?? [], in: session)
            }
            if bytes != nil { session.inputQueue?.async { Self.readNext(for: own) } }
        }
    }

    /// Says goodbye to the server and ends.
    package func quit(_ end: SessionEnd) {
        guard self.link != .ended, self.goodbye == nil else { return }
        guard self.link == .open else { return self.end(end) }
        self.goodbye = (end, self.now + SessionSettings.goodbyeTime)
        self.wish(.message(.quit))
    }

    /// Prints on standard output. When nobody reads it any more there is nobody to go on for, and the session ends
    /// as by SIGPIPE.
    func print(_ bytes: [UInt8]) {
        if !StandardStreams.write(bytes, to: STDOUT_FILENO) { self.quit(SessionEnd(.signal(SIGPIPE))) }
    }

    func print(_ text: String) { self.print(Array(text.utf8)) }

    /// Gives this connection up and makes another one in a while.
    package func comeBackLater(_ reason: String) {
        self.lossReason = reason
        if let connection { self.loop.abort(connection) }
    }

    /// Goes on without a server.
    package func detach() {
        guard self.link != .ended else { return }
        self.sessionDue = nil
        self.attemptDue = nil
        self.askedAt = nil
        let connection = self.connection
        self.connection = nil
        if let connection { self.loop.close(connection) }
        self.changeLink(.detached)
    }

    /// Ends at once.
    package func end(_ end: SessionEnd) {
        guard self.link != .ended else { return }
        self.link = .ended
        if let connection { self.loop.close(connection) }
        self.user.ended(end, in: self)
        self.finish(end.status.code)
    }

    package func signal(_ signal: ProgramSignals.Signal) {
        self.loop.perform {
            if self.link != .ended { self.user.signal(signal, in: self) }
        }
    }

    // MARK: The client

    func handle(_ input: ClientInput) {
        // Users answer events with wishes, which come back here: each call has an outbox of its own.
        var outbox = self.spareOutbox
        self.spareOutbox = ClientOutbox()
        self.client.handle(input, now: self.now, into: &outbox)
        if !outbox.bytes.isEmpty, let connection { self.loop.send(connection, outbox.bytes.span) }
        for event in outbox.events where self.link != .ended {
            self.user.take(event, in: self)
            if self.link != .ended { self.note(event) }
        }
        if outbox.closes, let connection { self.loop.close(connection) }
        outbox.removeAll()
        self.spareOutbox = outbox
    }

    private func note(_ event: ClientEvent) {
        switch event {
        case .ready:
            self.wasReady = true
            self.attemptDue = nil
        case .message(.welcome): self.retry.reset()
        case .message(.bye(let reason, let text)): self.takeGoodbye(reason, text)
        case .fault:
            self.end(
                SessionEnd(
                    .lost,
                    "what answers at \(self.settings.address) is no Cat Race server of ours: check the port"))
        case .versionRefused(let text):
            self.end(
                SessionEnd(
                    .lost,
                    "this client speaks version \(Preface.version) of the protocol, and "
                        + "\(text.isEmpty ? "the server does not" : DisplayText.harmless(text)): "
                        + "use the client that came with the server"))
        // For those who only look, and never say a name.
        case .message(let message) where !self.client.hasBeenWelcome && Self.isService(message):
            self.retry.reset()
        case .message, .sent, .checked, .missed, .matchLost, .startedAnew: break
        }
    }

    /// Whether the server does what it is for: one that only refuses may as well be tried less often.
    private static func isService(_ message: ServerMessage) -> Bool {
        switch message {
        case .error, .bye, .notice, .pong: false
        default: true
        }
    }

    /// After some goodbyes it is of use to come back, after others not.
    private func takeGoodbye(_ reason: ByeReason, _ text: String) {
        if let goodbye { return self.end(goodbye.end) }
        let words = text.isEmpty ? reason.name : DisplayText.harmless(text)
        switch reason {
        case .shutdown, .slowReader, .halfClosed:
            self.lossReason = "the server closed the connection: \(words)"
        case .full:
            self.lossReason = "the server is full: \(words)"
            if !self.settings.returns || !self.client.hasBeenWelcome {
                self.end(SessionEnd(.lost, "the server is full: \(words); try again in a minute"))
            }
        case .slowDown:
            self.lossReason = "the server closed the connection: \(words)"
            if !self.settings.returns || !self.client.hasBeenWelcome {
                self.end(SessionEnd(.lost, "the server closed the connection: \(words); try again then"))
            }
        case .banned, .kicked: self.end(SessionEnd(.lost, "the server ended this connection: \(words)"))
        case .quit: self.end(SessionEnd(.fine))
        case .takenOver:
            self.end(
                SessionEnd(
                    .lost,
                    "the server ended this connection: \(words); play on there, or start again to take it back"
                ))
        case .handshake, .violation, .version:
            self.end(
                SessionEnd(
                    .lost,
                    "the server ended this connection: \(words); start again, with the server's own client"))
        }
    }
}
