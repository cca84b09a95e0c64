import Lobby
import RaceModel
import Records
import ServerCore
import Store
import WireProtocol

/// A whole server in one value: its store, its clock, and what each connection has been sent. A copy is a
/// second server
/// that goes on from here, so one situation can be played out in many ways.
struct ServerScript {
    var server: RaceServer
    var store = MemoryStore()
    var now = Instant.zero
    /// Answers of the store wait here while it is held.
    var isStoreHeld = false
    /// The store answers every request by `unavailable`.
    var isStoreDown = false
    private(set) var heldAnswers: [Input] = []
    private(set) var requests: [DirectoryRequest] = []
    private(set) var resultRequests: [ResultRequest] = []
    /// What a request to keep a result is answered by. All but `kept` is not kept before `keepDelayed`; nil: no answer.
    var answerToKeep: ResultAnswer? = .kept
    private var delayed: [(LookUpID, ResultRequest)] = []
    private(set) var received: [ConnectionID: [UInt8]] = [:]
    private(set) var isClosed: Set<ConnectionID> = []
    /// Closed without a word.
    private(set) var aborted: Set<ConnectionID> = []
    private(set) var operatorAnswers: [OperatorAnswer] = []
    private(set) var banChanges: [BanChange] = []
    private(set) var paused: Set<ConnectionID> = []
    /// What was sent to those who are held, how often they are, and who of them is to be closed then.
    private(set) var heldOutput: [ConnectionID: [UInt8]] = [:]
    private(set) var holds: [ConnectionID: Int] = [:]
    private var closedWhileHeld: Set<ConnectionID> = []
    /// What a peer wrote while reading from it was paused: it stays in the socket.
    private var unread: [ConnectionID: [[UInt8]]] = [:]
    private(set) var logs: [LogLine] = []
    /// Bytes that were sent behind a close: never any.
    private(set) var sentBehindClose = 0
    private var lastSlot: UInt32 = 0
    var keepsLogs = true
    /// Requests that must wait for a turn get it behind what was sent, at once, as they do on a loop.
    var takesTurns = true
    /// The server has told everybody that it ends.
    private(set) var hasEnded = false

    init(
        deadlines: Deadlines = Deadlines(), seed: UInt64 = 1, cachedAliases: Int = Limits.cachedAliases,
        door: DoorSettings = DoorSettings(), budgets: RequestBudgets = RequestBudgets(),
        keys: KeyPolicy = .any, keepsMatches: Bool = false
    ) {
        var configuration = ServerConfiguration()
        configuration.door = door
        configuration.budgets = budgets
        configuration.deadlines = deadlines
        configuration.cachedAliases = cachedAliases
        configuration.keys = keys
        configuration.keepsMatches = keepsMatches
        self.server = RaceServer(configuration: configuration, entropy: SeededGenerator(seed: seed))
    }

    // MARK: In

    /// - Parameter address: this machine, which nothing is counted of, unless given.
    mutating func connect(from address: NetworkAddress = NetworkAddress(ipv4: 0x7F00_0001)) -> ConnectionID {
        self.lastSlot += 1
        let id = ConnectionID(slot: self.lastSlot - 1, generation: 1)
        self.feed(.accepted(id, address: address))
        return id
    }

    /// Someone else in the place of a connection that is gone.
    mutating func reconnect(inPlaceOf old: ConnectionID) -> ConnectionID {
        let id = ConnectionID(slot: old.slot, generation: old.generation + 1)
        self.feed(.accepted(id, address: NetworkAddress(ipv4: 0x7F00_0001)))
        return id
    }

    mutating func type(_ line: String, _ id: ConnectionID) { self.send(Array((line + "\n").utf8), id) }

    mutating func send(_ bytes: [UInt8], _ id: ConnectionID) {
        if self.paused.contains(id) { return self.unread[id, default: []].append(bytes) }
        self.feed(.received(id, bytes[...]))
        self.takeTurns()
    }

    private mutating func takeTurns() {
        var turns = 0
        while self.takesTurns, self.server.nextDeadline == self.now, turns < 10_000 {
            self.feed(.deadlinePassed)
            turns += 1
        }
    }

    mutating func endInput(_ id: ConnectionID) { self.feed(.inputEnded(id)) }

    /// The peer is gone without a word.
    mutating func drop(_ id: ConnectionID) {
        guard self.isClosed.insert(id).inserted else { return }
        self.feed(.closed(id, .reset))
    }

    /// Lets time pass, deadline by deadline.
    mutating func pass(seconds: Double) {
        self.pass(until: Instant(nanoseconds: self.now.nanoseconds + Int64(seconds * 1e9)))
    }

    mutating func pass(until end: Instant) {
        var stuck = 0
        while let due = self.server.nextDeadline, due <= end {
            stuck = due <= self.now ? stuck + 1 : 0
            precondition(stuck < 1000, "a deadline that stays in the past")
            self.now = max(self.now, due)
            self.feed(.deadlinePassed)
        }
        self.now = end
    }

    mutating func releaseStore() {
        self.isStoreHeld = false
        let answers = self.heldAnswers
        self.heldAnswers = []
        for answer in answers { self.feed(answer) }
        self.takeTurns()
    }

    /// What could not be kept before is kept now.
    mutating func keepDelayed() {
        let requests = self.delayed
        self.delayed = []
        for (lookUp, request) in requests {
            if let answer = self.store.answer(request) { self.feed(.resultsAnswered(lookUp, answer)) }
        }
    }

    /// One answer that was held, and the store goes on being held.
    mutating func releaseOneAnswer(last: Bool = false) {
        guard !self.heldAnswers.isEmpty else { return }
        self.feed(last ? self.heldAnswers.removeLast() : self.heldAnswers.removeFirst())
        self.takeTurns()
    }

    mutating func feed(_ input: Input) {
        var outbox = Outbox()
        self.server.handle(input, now: self.now, into: &outbox)
        var answers: [Input] = []
        var closed: [ConnectionID] = []
        var resumed: [ConnectionID] = []
        for output in outbox.outputs {
            switch output {
            case .send(let id, let range):
                if self.isClosed.contains(id) { self.sentBehindClose += range.count }
                self.take(outbox.bytes[range], for: id, isAhead: false)
            case .sendAhead(let id, let range): self.take(outbox.bytes[range], for: id, isAhead: true)
            case .close(let id):
                guard self.isClosed.insert(id).inserted else { break }
                if self.heldOutput[id] == nil { closed.append(id) } else { self.closedWhileHeld.insert(id) }
            case .abort(let id):
                self.aborted.insert(id)
                if self.isClosed.insert(id).inserted { closed.append(id) }
            case .hold(let id): self.holds[id, default: 0] += 1
            case .release(let id): if self.release(id) { closed.append(id) }
            case .pauseReading(let id): self.paused.insert(id)
            case .resumeReading(let id):
                self.paused.remove(id)
                resumed.append(id)
            }
        }
        for errand in outbox.errands {
            switch errand {
            case .directory(let lookUp, let request):
                self.requests.append(request)
                if let answer = self.store.answer(request) {
                    answers.append(.answered(lookUp, self.isStoreDown ? .unavailable : answer))
                }
            case .results(let lookUp, let request):
                self.resultRequests.append(request)
                if let answer = self.answer(request, lookUp) {
                    answers.append(.resultsAnswered(lookUp, answer))
                }
            case .ended: self.hasEnded = true
            case .log(let line): if self.keepsLogs { self.logs.append(line) }
            case .operated(_, let answer): self.operatorAnswers.append(answer)
            case .bans(let change): self.banChanges.append(change)
            }
        }
        for id in closed { self.feed(.closed(id, .closed)) }
        if self.isStoreHeld {
            self.heldAnswers += answers
        } else {
            for answer in answers { self.feed(answer) }
        }
        for id in resumed {
            for bytes in self.unread.removeValue(forKey: id) ?? [] { self.send(bytes, id) }
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, for id: ConnectionID, isAhead: Bool) {
        if isAhead || self.holds[id] == nil {
            self.received[id, default: []] += bytes
        } else {
            self.heldOutput[id, default: []] += bytes
        }
    }

    private mutating func answer(_ request: ResultRequest, _ lookUp: LookUpID) -> ResultAnswer? {
        if case .keep = request {
            if self.answerToKeep != .kept {
                self.delayed.append((lookUp, request))
                return self.answerToKeep
            }
        } else if self.isStoreDown {
            return .unavailable
        }
        return self.store.answer(request)
    }

    /// True: now it is closed.
    private mutating func release(_ id: ConnectionID) -> Bool {
        guard let holds = self.holds[id] else { return false }
        self.holds[id] = holds > 1 ? holds - 1 : nil
        guard holds == 1, let bytes = self.heldOutput.removeValue(forKey: id) else { return false }
        self.received[id, default: []] += bytes
        return self.closedWhileHeld.remove(id) != nil
    }

    // MARK: Out

    /// What came since the last look, as bytes.
    mutating func readBytes(_ id: ConnectionID) -> [UInt8] { self.received.removeValue(forKey: id) ?? [] }

    /// What came since the last look, as lines.
    mutating func read(_ id: ConnectionID) -> [String] {
        String(decoding: self.readBytes(id), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The same, by its first words.
    mutating func readVerbs(_ id: ConnectionID) -> [String] {
        self.read(id).map { String($0.prefix { $0 != " " }) }
    }

    /// Types a line and reads all that is there then.
    mutating func ask(_ line: String, _ id: ConnectionID) -> [String] {
        self.type(line, id)
        return self.read(id)
    }

    mutating func skip(_ ids: ConnectionID...) { for id in ids { _ = self.readBytes(id) } }

    /// Whether nothing at all is left but the connections given.
    func isEmpty(connections: Int = 0, players: Int = 0) -> Bool {
        let census = self.server.census
        return census.connections == connections && census.players == players && census.matches == 0
            && census.tickets == 0 && census.invites == 0 && census.lookUps == 0 && census.results == 0
    }
}

extension String {
    /// The value of `key=` in a line, quotes taken off.
    func value(_ key: String) -> String? {
        let words = self.split(separator: " ", omittingEmptySubsequences: false)
        guard let first = words.firstIndex(where: { $0.hasPrefix("\(key)=") }) else { return nil }
        var value = words[first].dropFirst(key.count + 1)
        guard value.hasPrefix("\"") else { return String(value) }
        var next = first + 1
        while !value.dropFirst().hasSuffix("\""), next < words.endIndex {
            value += " " + words[next]
            next += 1
        }
        return String(value.dropFirst().dropLast())
    }
}

extension [String] {
    /// The first line with this verb.
    func line(_ verb: String) -> String? { self.first { $0 == verb || $0.hasPrefix(verb + " ") } }
    func lines(_ verb: String) -> [String] { self.filter { $0 == verb || $0.hasPrefix(verb + " ") } }
    /// The code of the first error.
    var errorCode: String? { self.line("error")?.value("code") }
}
