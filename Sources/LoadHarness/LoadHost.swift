package import Dispatch
package import EventLoop
import Glibc
package import RaceModel

/// The fleet with real sockets, on one loop. Everything but `init` happens on the loop's queue.
package final class LoadHost: LoopHandler {
    private let loop: SocketLoop
    private var fleet: LoadFleet
    private let server: SocketAddress
    private let sources: [SocketAddress?]
    /// For TLS, and whom the server must be; nil: plain.
    private let security: (context: TLSContext, host: String)?
    /// Connections by player, and players by the connection's slot.
    private var connections: [ConnectionID?]
    private var playersBySlot: [Int32] = []
    private var load = OwnLoad()
    private var serverProcess: ServerProcess?
    private var nextBeat: Instant
    private let liveLine: (@Sendable (String) -> Void)?
    private var live = LiveLine()
    private let done: @Sendable (LoadFleet, OwnLoad, ServerProcess?) -> Void
    private var isDone = false

    private static let beat = Instant.Span.milliseconds(5)

    /// - Parameters:
    ///   - serverProcess: watched while it is measured.
    ///   - liveLine: gets a line each second; nil: nobody watches.
    ///   - done: called once, on the queue, when the run is over and all sockets are closed.
    package init(
        plan: LoadPlan, tag: String, server: SocketAddress, sources: [SocketAddress?],
        security: (context: TLSContext, host: String)? = nil, serverProcess: ServerProcess? = nil,
        on queue: DispatchQueue,
        liveLine: (@Sendable (String) -> Void)?,
        done: @escaping @Sendable (LoadFleet, OwnLoad, ServerProcess?) -> Void
    ) throws(TransportError) {
        self.loop = try SocketLoop(on: queue)
        let now = SocketLoop.clock()
        self.fleet = LoadFleet(plan: plan, tag: tag, start: now)
        self.server = server
        self.sources = sources
        self.security = security
        self.connections = [ConnectionID?](repeating: nil, count: plan.players)
        self.nextBeat = now + Self.beat
        self.serverProcess = serverProcess
        self.liveLine = liveLine
        self.done = done
    }

    package func start() {
        self.loop.start(handler: self)
        self.loop.perform { self.fleet.tick(now: SocketLoop.clock()) }
    }

    /// No new races; the run ends as it does when its time is over.
    package func stop() {
        self.loop.perform { self.fleet.stop(now: SocketLoop.clock()) }
    }

    // MARK: The loop's calls

    package func accepted(_ connection: ConnectionID, from address: String) {}
    package func acceptingPaused(_ error: TransportError) {}
    /// The server sends no more: whatever is missing will not come.
    package func inputEnded(_ connection: ConnectionID) { self.loop.close(connection) }

    package func connected(_ connection: ConnectionID) {
        guard let player = self.player(of: connection) else { return }
        self.fleet.connected(player, now: SocketLoop.clock())
        self.carryOut()
    }

    package func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        guard let player = self.player(of: connection) else { return }
        self.fleet.received(player, bytes, now: SocketLoop.clock())
        // At once: what waits for the end of the batch would count as the server's time.
        self.carryOut()
    }

    package func closed(_ connection: ConnectionID, _ end: ConnectionEnd) {
        guard let player = self.player(of: connection) else { return }
        self.connections[player] = nil
        let ending: LoadFleet.End =
            switch end {
            case .closed: .closed
            case .reset: .reset
            case .notSecured(let failure): .notConnected(Fault(.connect, "TLS \(failure.reason)"))
            case .slowReader: .slowReader
            case .notConnected(let error):
                .notConnected(
                    Fault(
                        ClientLimits.isOurs(error) ? .clientLimit : .connect,
                        ClientLimits.name(of: error.code)))
            }
        self.fleet.ended(player, ending, now: SocketLoop.clock())
        self.carryOut()
    }

    package func deadlinePassed() {
        let now = SocketLoop.clock()
        if self.nextBeat <= now {
            if self.fleet.phase == .measuring { self.load.lag.add(now - self.nextBeat) }
            self.nextBeat = now + Self.beat
            if let liveLine, let line = self.live.next(self.fleet, now: now) { liveLine(line) }
        }
        self.fleet.tick(now: now)
    }

    package func batchEnded() {
        // What has become due meanwhile is done now: a timer for each move would cost more than the move.
        if self.fleet.nextDeadline <= self.loop.now { self.fleet.tick(now: self.loop.now) }
        self.carryOut()
        self.load.follow(self.fleet.phase, now: self.loop.now)
        self.serverProcess?.follow(self.fleet.phase)
        guard self.fleet.phase == .ended else {
            return self.loop.setDeadline(min(self.nextBeat, self.fleet.nextDeadline))
        }
        guard !self.isDone else { return }
        self.isDone = true
        self.loop.shutDown()
        self.done(self.fleet, self.load, self.serverProcess)
    }

    // MARK: What the fleet wants

    private func player(of connection: ConnectionID) -> Int? {
        let slot = Int(connection.slot)
        guard slot < self.playersBySlot.count, self.playersBySlot[slot] >= 0 else { return nil }
        let player = Int(self.playersBySlot[slot])
        return self.connections[player] == connection ? player : nil
    }

    private func carryOut() {
        if !self.fleet.sends.isEmpty {
            var start = 0
            for (player, end) in self.fleet.sends {
                if let connection = self.connections[player] {
                    self.loop.send(connection, self.fleet.bytes.span.extracting(start..<end))
                }
                start = end
            }
            self.fleet.sends.removeAll(keepingCapacity: true)
            self.fleet.bytes.removeAll(keepingCapacity: true)
        }
        if !self.fleet.closes.isEmpty {
            for player in self.fleet.closes {
                if let connection = self.connections[player] { self.loop.abort(connection) }
                // Nothing that still comes of it concerns the player, who may be back on another one.
                self.connections[player] = nil
            }
            self.fleet.closes.removeAll()
        }
        if !self.fleet.connects.isEmpty {
            for player in self.fleet.connects { self.connect(player) }
            self.fleet.connects.removeAll(keepingCapacity: true)
        }
    }

    private func connect(_ player: Int) {
        let source = self.sources[player % self.sources.count]
        let connection =
            if let security {
                self.loop.connect(
                    to: self.server, from: source, over: security.context, host: security.host)
            } else {
                self.loop.connect(to: self.server, from: source)
            }
        self.connections[player] = connection
        let slot = Int(connection.slot)
        while self.playersBySlot.count <= slot { self.playersBySlot.append(-1) }
        self.playersBySlot[slot] = Int32(player)
    }
}
