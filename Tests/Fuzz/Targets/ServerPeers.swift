import Lobby
import RaceModel
import Records
import ServerCore
import Store

/// A server, eight peers that do anything, and what may never be seen of it.
struct ServerPeers {
    private(set) var finding: String?
    private var server: RaceServer
    private var store = MemoryStore()
    private var now = Instant.zero
    private var outbox = Outbox()
    private var peers: [ServerPeer?] = Array(repeating: nil, count: 8)
    private var generations: [UInt32] = Array(repeating: 0, count: 8)
    private enum Answer {
        case directory(DirectoryAnswer)
        case results(ResultAnswer)
    }
    private var answers: [(LookUpID, Answer)] = []
    /// What a peer was told last, for scripts.
    private var key: [UInt8] = []
    private var code: [UInt8] = []

    init() {
        var configuration = ServerConfiguration()
        configuration.cachedAliases = 4
        self.server = RaceServer(configuration: configuration, entropy: SeededGenerator(seed: 1))
    }

    // MARK: What happens

    mutating func connect(_ index: Int) {
        if self.peers[index] != nil { self.disconnect(index, .reset) }
        self.generations[index] += 1
        let id = ConnectionID(slot: UInt32(index), generation: self.generations[index])
        self.peers[index] = ServerPeer(id: id)
        self.handle(.accepted(id, address: NetworkAddress(ipv4: 0x0A00_0000 + UInt32(index))))
    }

    mutating func disconnect(_ index: Int, _ loss: ConnectionLoss) {
        guard let peer = self.peers[index] else { return }
        self.peers[index] = nil
        self.handle(.closed(peer.id, peer.isClosing ? .closed : loss))
    }

    mutating func endInput(_ index: Int) {
        guard let peer = self.peers[index], !peer.isClosing, !peer.hasEnded else { return }
        self.peers[index]?.hasEnded = true
        if !peer.isPaused { self.handle(.inputEnded(peer.id)) }
    }

    mutating func setBackedUp(_ isBackedUp: Bool, _ index: Int) {
        guard let peer = self.peers[index] else { return }
        self.handle(isBackedUp ? .backedUp(peer.id) : .drained(peer.id))
    }

    mutating func send(_ bytes: [UInt8], _ index: Int) {
        guard let peer = self.peers[index], !bytes.isEmpty, !peer.isClosing, !peer.hasEnded else { return }
        self.peers[index]?.noteSent(bytes)
        // Who is paused is not read: it stays in the socket.
        guard !peer.isPaused else {
            self.peers[index]!.unread += bytes
            return
        }
        self.handle(.received(peer.id, bytes[...]))
    }

    mutating func pass(milliseconds: Int64) {
        self.pass(until: Instant(nanoseconds: self.now.nanoseconds + milliseconds * 1_000_000))
    }

    mutating func answer(_ byte: Int) {
        guard !self.answers.isEmpty else { return }
        let (lookUp, answer) = self.answers.remove(at: byte % 128 % self.answers.count)
        switch answer {
        case .directory(let answer): self.handle(.answered(lookUp, byte >= 128 ? .unavailable : answer))
        case .results(.kept) where byte >= 128:
            self.answers.append((lookUp, answer))
            self.handle(.resultsAnswered(lookUp, .delayed))
        case .results(let answer):
            self.handle(.resultsAnswered(lookUp, byte >= 128 ? .unavailable : answer))
        }
    }

    /// What stands for the key and the code in a line of a script, put in.
    func filledIn(_ line: [UInt8]) -> [UInt8] {
        line.flatMap { $0 == 1 ? self.key : $0 == 2 ? self.code : [$0] }
    }

    /// Everybody goes, the store answers all, and every deadline passes: nothing may be left.
    mutating func end() {
        for index in self.peers.indices { self.disconnect(index, .reset) }
        while !self.answers.isEmpty { self.answer(0) }
        self.pass(until: Instant(nanoseconds: self.now.nanoseconds + 3 * 86_400_000_000_000))
        while !self.answers.isEmpty { self.answer(0) }
        let census = self.server.census
        if census.connections + census.players + census.matches + census.tickets + census.invites > 0
            || census.lookUps > 0 || self.server.nextDeadline != nil
        {
            self.note("when all are gone, there is still \(census), next \(self.server.nextDeadline as Any)")
        }
    }

    private mutating func pass(until end: Instant) {
        var stuck = 0
        while let due = self.server.nextDeadline, due <= end, self.finding == nil {
            stuck = due <= self.now ? stuck + 1 : 0
            guard stuck < 1000 else { return self.note("a deadline stays in the past") }
            self.now = max(self.now, due)
            self.handle(.deadlinePassed)
        }
        self.now = end
    }

    // MARK: What is seen of it

    mutating func handle(_ input: Input) {
        guard self.finding == nil else { return }
        self.outbox.clear()
        self.server.handle(input, now: self.now, into: &self.outbox)
        var resumed: [Int] = []
        var closed: [Int] = []
        for output in self.outbox.outputs {
            switch output {
            case .send(let id, let range):
                guard let index = self.index(id, output) else { return }
                self.look(at: range, for: index)
            case .sendAhead(let id, let range):
                // It holds whole messages, so it can be looked at by itself. Also to one that closes, while its last
                // words are held.
                guard let index = self.peers.firstIndex(where: { $0?.id == id }), self.peers[index]!.holds > 0
                else { return self.note("\(output) for a connection that is not held") }
                self.look(at: range, for: index)
            case .hold(let id):
                guard let index = self.index(id, output) else { return }
                self.peers[index]?.holds += 1
            case .release(let id):
                // Also of one that closes: its last words wait for it.
                guard let index = self.peers.firstIndex(where: { $0?.id == id }) else { break }
                guard self.peers[index]!.holds > 0 else { return self.note("released and not held: \(id)") }
                self.peers[index]!.holds -= 1
            case .abort(let id):
                guard let index = self.index(id, output) else { return }
                self.peers[index]?.isClosing = true
                closed.append(index)
            case .close(let id):
                guard let index = self.index(id, output) else { return }
                self.peers[index]?.isClosing = true
                closed.append(index)
            case .pauseReading(let id):
                guard let index = self.index(id, output) else { return }
                self.peers[index]?.isPaused = true
            case .resumeReading(let id):
                guard let index = self.index(id, output) else { return }
                self.peers[index]?.isPaused = false
                resumed.append(index)
            }
        }
        for errand in self.outbox.errands {
            switch errand {
            case .directory(let lookUp, let request):
                if let answer = self.store.answer(request) {
                    self.answers.append((lookUp, .directory(answer)))
                }
            case .results(let lookUp, let request):
                if let answer = self.store.answer(request) { self.answers.append((lookUp, .results(answer))) }
            case .operated, .bans: return self.note("an operator is answered who is not there")
            case .ended, .log: break
            }
        }
        self.checkCensus()
        // Half of the closes are carried out at once, as for a peer that has read all; the others when the
        // script says so.
        for index in closed where index % 2 == 0 { self.disconnect(index, .closed) }
        for index in resumed { self.goOn(index) }
    }

    private mutating func goOn(_ index: Int) {
        guard let peer = self.peers[index], !peer.isPaused, !peer.isClosing else { return }
        self.peers[index]?.unread = []
        if !peer.unread.isEmpty { self.handle(.received(peer.id, peer.unread[...])) }
        guard peer.hasEnded, let after = self.peers[index], after.id == peer.id, !after.isPaused else {
            return
        }
        self.handle(.inputEnded(peer.id))
    }

    /// A peer that can still be told something.
    private mutating func index(_ id: ConnectionID, _ output: Output) -> Int? {
        let index = Int(id.slot)
        guard index < self.peers.count, let peer = self.peers[index], peer.id == id, !peer.isClosing else {
            self.note("\(output) for a connection that is closed")
            return nil
        }
        return index
    }

    private mutating func look(at range: Range<Int>, for index: Int) {
        guard !range.isEmpty, range.upperBound <= self.outbox.bytes.count else {
            return self.note("a send of \(range)")
        }
        let bytes = self.outbox.bytes[range]
        if let fault = self.peers[index]?.read(bytes) {
            return self.note("peer \(index) gets what no client can read: \(fault): \(Array(bytes))")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        if text.hasPrefix("welcome "), let key = text.firstRange(of: " key=") {
            self.key = Array(text[key.upperBound...].utf8.prefix(32))
        } else if text.hasPrefix("code "), let word = text.split(separator: " ").dropFirst().first {
            self.code = Array(word.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst())
        }
    }

    private mutating func checkCensus() {
        let census = self.server.census
        let live = self.peers.count { $0 != nil }
        if census.connections != live { self.note("\(live) connections are open: \(census)") }
        if census.matches > census.players { self.note("more matches than players: \(census)") }
        if census.tickets > census.players { self.note("more tickets than players: \(census)") }
        // Look-ups of the same aliases share one answer; what has come may be for the next round.
        if census.lookUps > 0, self.answers.isEmpty, self.server.nextDeadline != self.now {
            self.note("no answer is to come: \(census)")
        }
        // Stale entries are swept once they are as many as the live ones.
        if census.deadlines > 64 + 2 * (live + census.matches) {
            self.note("deadlines pile up: \(census)")
        }
    }

    private mutating func note(_ finding: String) { if self.finding == nil { self.finding = finding } }
}
