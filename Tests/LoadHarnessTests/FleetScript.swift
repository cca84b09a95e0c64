import LoadHarness
import Lobby
import RaceModel
import Records
import ServerCore
import Store

/// A whole run in one value: the fleet, a whole server, and a network that takes the same time for every
/// message.
struct FleetScript {
    var fleet: LoadFleet
    private var server: RaceServer
    private var store = MemoryStore()
    private(set) var now = Instant.zero
    /// The server takes nothing in while this lasts.
    var stall: Range<Instant>?
    /// The harness does nothing while this lasts, as when others keep it from a processor.
    var harnessStall: Range<Instant>?
    /// Results that the store is asked to keep while this lasts are kept at its end.
    var storeIsBehind: Range<Instant>?
    private var unkept: [(LookUpID, ResultRequest)] = []
    /// May change what a player is sent; nil as result: it never arrives.
    var tamper: (_ player: Int, _ bytes: [UInt8]) -> [UInt8]? = { $1 }
    /// Whose connections are cut, and when.
    var cut: (player: Int, at: Instant)?

    /// Whose connections the fleet is made to cut, and when; earliest first.
    var fleetCuts: [(player: Int, at: Instant)] = []
    /// The newest connection of each player; what is on its way over an older one concerns nobody.
    private var generations: [UInt32]
    /// Connections that the fleet cut.
    private var resets: Set<ConnectionID> = []

    private enum Item {
        case connect(ConnectionID)
        case bytes(ConnectionID, [UInt8])
        case end(ConnectionID)
    }
    private struct Line {
        private var items: [(due: Instant, item: Item)] = []
        private var start = 0
        var due: Instant? { self.start < self.items.count ? self.items[self.start].due : nil }
        mutating func add(_ item: Item, due: Instant) { self.items.append((due, item)) }
        mutating func take() -> Item {
            self.start += 1
            return self.items[self.start - 1].item
        }
    }
    /// What is sent to a connection behind `hold`, and how many `release` are still to come.
    private struct Hold {
        var count = 0
        var items: [Item] = []
    }
    private var holds: [ConnectionID: Hold] = [:]
    private var up = Line()
    private var down = Line()

    static let transit = Instant.Span.milliseconds(1)

    init(_ plan: LoadPlan) {
        self.generations = [UInt32](repeating: 0, count: plan.players)
        self.fleet = LoadFleet(plan: plan, tag: "test", start: .zero)
        self.server = RaceServer(
            configuration: ServerConfiguration(), entropy: SeededGenerator(seed: plan.seed &+ 1000))
    }

    /// What the program would say of the run.
    var report: LoadReport {
        LoadReport(
            fleet: self.fleet, load: OwnLoad(), server: "127.0.0.1:7223", tag: "test",
            limits: ClientLimits(descriptors: 1000, portsPerSource: 1000), sources: 1)
    }

    struct NeverEnded: Error {}

    /// Until the run is over; throws when it was not after five minutes.
    mutating func run() throws(NeverEnded) {
        self.fleet.tick(now: self.now)
        self.collect()
        while self.fleet.phase != .ended, self.now < Instant.zero + .seconds(300) { self.step() }
        guard self.fleet.phase == .ended else { throw NeverEnded() }
    }

    private mutating func step() {
        let arrival = self.up.due.map(self.unstalled)
        let deadline = self.server.nextDeadline.map(self.unstalled)
        let next =
            [
                self.awake(self.fleet.nextDeadline), arrival, deadline, self.down.due, self.cut?.at,
                self.fleetCuts.first?.at, self.unkept.isEmpty ? nil : self.storeIsBehind?.upperBound,
            ]
            .compactMap(\.self).min() ?? self.now
        self.now = max(self.now, next)
        if let cut = self.cut, cut.at <= self.now {
            self.cut = nil
            self.fleet.ended(cut.player, .reset, now: self.now)
            self.feed(.closed(self.connection(cut.player), .reset))
        } else if let cut = self.fleetCuts.first, cut.at <= self.now {
            self.fleetCuts.removeFirst()
            self.fleet.cut(cut.player, now: self.now)
        } else if let behind = self.storeIsBehind, behind.upperBound <= self.now {
            self.storeIsBehind = nil
            for (lookUp, request) in self.unkept { self.ask(lookUp, request) }
        } else if let due = self.down.due, due <= self.now {
            self.arriveDown(self.down.take())
        } else if let arrival, arrival <= self.now {
            switch self.up.take() {
            case .connect(let connection):
                self.feed(.accepted(connection, address: NetworkAddress(ipv4: 0x7F00_0001)))
            case .bytes(let connection, let bytes):
                // A reset loses what has not arrived.
                if !self.resets.contains(connection) { self.feed(.received(connection, bytes[...])) }
            case .end(let connection): self.feed(.closed(connection, .closed))
            }
        } else if let deadline, deadline <= self.now {
            self.feed(.deadlinePassed)
        } else {
            self.fleet.tick(now: self.now)
        }
        self.collect()
    }

    private mutating func arriveDown(_ item: Item) {
        switch item {
        case .connect(let connection):
            guard let player = self.player(of: connection) else { return }
            self.fleet.connected(player, now: self.now)
        case .bytes(let connection, let bytes):
            guard let player = self.player(of: connection) else { return }
            self.fleet.received(player, bytes[...], now: self.now)
        case .end(let connection):
            guard let player = self.player(of: connection) else { return }
            self.fleet.ended(player, .closed, now: self.now)
        }
    }

    private func awake(_ due: Instant) -> Instant {
        self.harnessStall.map { $0.contains(due) ? $0.upperBound : due } ?? due
    }

    private func unstalled(_ due: Instant) -> Instant {
        let due = max(due, self.now)
        return self.stall.map { $0.contains(due) ? $0.upperBound : due } ?? due
    }

    /// What the fleet wants goes on its way.
    private mutating func collect() {
        let due = self.now + Self.transit
        // What one connection sends in one turn goes as one piece.
        var start = 0
        var pieces: [(player: Int, bytes: [UInt8])] = []
        for (player, end) in self.fleet.sends {
            let bytes = self.fleet.bytes[start..<end]
            if let piece = pieces.firstIndex(where: { $0.player == player }) {
                pieces[piece].bytes += bytes
            } else {
                pieces.append((player, Array(bytes)))
            }
            start = end
        }
        for piece in pieces { self.up.add(.bytes(self.connection(piece.player), piece.bytes), due: due) }
        // What the player closes itself is gone for it at once.
        for player in self.fleet.closes {
            self.up.add(.end(self.connection(player)), due: due)
            self.resets.insert(self.connection(player))
            self.generations[player] += 1
        }
        for player in self.fleet.connects {
            self.generations[player] += 1
            self.up.add(.connect(self.connection(player)), due: due)
            self.down.add(.connect(self.connection(player)), due: due)
        }
        self.fleet.connects.removeAll()
        self.fleet.sends.removeAll()
        self.fleet.bytes.removeAll()
        self.fleet.closes.removeAll()
    }

    private mutating func feed(_ input: Input) {
        var outbox = Outbox()
        self.server.handle(input, now: self.now, into: &outbox)
        let due = self.now + Self.transit
        for output in outbox.outputs {
            switch output {
            case .send(let connection, let range):
                if let bytes = self.tamper(self.anyPlayer(of: connection), Array(outbox.bytes[range])) {
                    self.deliver(.bytes(connection, bytes), to: connection)
                }
            case .sendAhead(let connection, let range):
                self.down.add(.bytes(connection, Array(outbox.bytes[range])), due: due)
            case .hold(let connection): self.holds[connection, default: Hold()].count += 1
            case .release(let connection): self.release(connection)
            case .close(let connection), .abort(let connection):
                self.deliver(.end(connection), to: connection)
            case .pauseReading, .resumeReading: break
            }
        }
        // Only now: what is held for an answer is held before it comes.
        for errand in outbox.errands {
            if case .directory(let lookUp, let request) = errand {
                if let answer = self.store.answer(request) { self.feed(.answered(lookUp, answer)) }
            } else if case .results(let lookUp, let request) = errand {
                self.ask(lookUp, request)
            }
        }
    }

    private mutating func deliver(_ item: Item, to connection: ConnectionID) {
        if self.holds[connection] != nil {
            self.holds[connection]?.items.append(item)
            return
        }
        self.down.add(item, due: self.now + Self.transit)
        if case .end = item { self.up.add(item, due: self.now + Self.transit) }
    }

    private mutating func release(_ connection: ConnectionID) {
        guard var hold = self.holds[connection] else { return }
        hold.count -= 1
        self.holds[connection] = hold.count > 0 ? hold : nil
        guard hold.count == 0 else { return }
        for item in hold.items { self.deliver(item, to: connection) }
    }

    private mutating func ask(_ lookUp: LookUpID, _ request: ResultRequest) {
        if case .keep = request, let behind = self.storeIsBehind, behind.contains(self.now) {
            self.unkept.append((lookUp, request))
            self.feed(.resultsAnswered(lookUp, .delayed))
        } else if let answer = self.store.answer(request) {
            self.feed(.resultsAnswered(lookUp, answer))
        }
    }

    /// Slots are not used again before the server knows that they are free: here, never.
    private func connection(_ player: Int) -> ConnectionID {
        let slot = self.generations[player] &* UInt32(self.generations.count) &+ UInt32(player)
        return ConnectionID(slot: slot, generation: 1)
    }

    private func anyPlayer(of connection: ConnectionID) -> Int {
        Int(connection.slot) % self.generations.count
    }

    private func player(of connection: ConnectionID) -> Int? {
        let player = self.anyPlayer(of: connection)
        return self.connection(player) == connection ? player : nil
    }
}

extension LoadFigures {
    func count(_ group: Fault.Group) -> Int { self.faults.count(of: group) }
    /// For what a failed expectation shows.
    var faultText: String {
        self.faults.sorted.map { "\($0.count) x \($0.fault) \($0.example)" }.joined(separator: "\n")
    }
}

extension Instant.Span {
    var milliseconds: Double { Double(self.nanoseconds) / 1e6 }
}
