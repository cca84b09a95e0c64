import Lobby
import RaceModel
import Records
import ServerCore
import Store
import Testing
import WireProtocol

/// No bytes trap the server, whatever they are and whenever they come.
///
/// Method: many connections send valid sequences, mutated, in both dialects, while time passes, the store
/// answers late
/// and peers come, half-close and go. Afterwards everybody goes, and nothing may be left.
struct MutationTests {
    static let inputs = 200_000

    @Test(arguments: [1, 2] as [UInt64])
    func `mutated input in any order leaves the server whole`(seed: UInt64) {
        var storm = Storm(seed: seed)
        var step = 0
        while storm.inputs < Self.inputs / 2 {
            storm.step()
            step += 1
            guard step % 1000 == 0 else { continue }
            let census = storm.server.census
            guard census.connections == storm.live.count, storm.faults.isEmpty else {
                Issue.record(
                    "seed \(seed), step \(step): \(census), \(storm.live.count) live, \(storm.faults)")
                return
            }
        }
        #expect(storm.matchesSeen > 50, "seed \(seed): the storm must get far enough to mean something")
        storm.calm()
        let census = storm.server.census
        #expect(
            census.connections == 0 && census.players == 0 && census.matches == 0, "seed \(seed): \(census)")
        #expect(census.tickets == 0 && census.invites == 0 && census.lookUps == 0, "seed \(seed): \(census)")
        #expect(storm.server.nextDeadline == nil, "seed \(seed)")
        #expect(storm.faults == [], "seed \(seed)")
    }
}

/// A server with peers that do anything.
private struct Storm {
    struct Peer {
        var id: ConnectionID
        var isBinary: Bool
        var isClosing = false
        var isEnded = false
    }

    var server: RaceServer
    var store = MemoryStore()
    var live: [Peer] = []
    var faults: [String] = []
    var matchesSeen: UInt64 = 0
    /// Pieces of input so far.
    var inputs = 0
    private var generator: SeededGenerator
    private var now = Instant.zero
    private var outbox = Outbox()
    private var answers: [Input] = []
    private var freeSlots: [ConnectionID] = (0..<24).map { ConnectionID(slot: $0, generation: 0) }
    /// Keys of players, as their owners read them.
    private var keys: [String] = []

    init(seed: UInt64) {
        self.generator = SeededGenerator(seed: seed)
        var configuration = ServerConfiguration()
        configuration.cachedAliases = 4
        self.server = RaceServer(configuration: configuration, entropy: SeededGenerator(seed: seed &+ 1000))
    }

    private mutating func draw(_ bound: Int) -> Int { Int(self.generator.below(UInt64(bound))) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[self.draw(elements.count)]
    }

    mutating func step() {
        switch self.draw(100) {
        case ..<6: self.connect()
        case ..<8: self.passTime(milliseconds: self.draw(4000))
        case ..<14: self.answerOne()
        case ..<15: if let peer = self.anyPeer() { self.close(peer) }
        case ..<16: if let peer = self.anyPeer() { self.end(peer) }
        default: if let peer = self.anyPeer() { self.input(peer) } else { self.connect() }
        }
    }

    private mutating func anyPeer() -> Int? { self.live.isEmpty ? nil : self.draw(self.live.count) }

    private mutating func connect() {
        guard var id = self.freeSlots.popLast() else { return }
        id.generation += 1
        let isBinary = self.draw(3) == 0
        self.live.append(Peer(id: id, isBinary: isBinary))
        self.handle(.accepted(id, address: NetworkAddress(ipv4: 0x7F00_0001)))
        guard self.draw(8) > 0 else { return }
        let opening = isBinary ? ServerScript.preface : Array("set auto \(self.pick(["on", "off"]))\n".utf8)
        self.handle(.received(id, opening[...]))
        if self.draw(4) > 0 { self.handle(.received(id, self.hello(isBinary)[...])) }
    }

    private mutating func close(_ index: Int) {
        let peer = self.live.remove(at: index)
        self.freeSlots.append(peer.id)
        self.handle(.closed(peer.id, self.pick([.closed, .reset, .slowReader])))
    }

    private mutating func end(_ index: Int) {
        guard !self.live[index].isEnded else { return }
        self.live[index].isEnded = true
        self.handle(.inputEnded(self.live[index].id))
    }

    private mutating func input(_ index: Int) {
        let peer = self.live[index]
        if peer.isClosing || peer.isEnded { return self.close(index) }
        var bytes: [UInt8] = []
        for _ in 0...self.draw(3) { bytes += self.request(peer.isBinary) }
        if self.draw(2) == 0 { self.mutate(&bytes) }
        let cut = bytes.isEmpty ? 0 : self.draw(bytes.count)
        self.inputs += 2
        self.handle(.received(peer.id, bytes[..<cut]))
        if self.live.contains(where: { $0.id == peer.id }) { self.handle(.received(peer.id, bytes[cut...])) }
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0...self.draw(3) where !bytes.isEmpty {
            let place = self.draw(bytes.count)
            switch self.draw(7) {
            case 0: bytes[place] = UInt8(self.draw(256))
            case 1: bytes[place] ^= UInt8(1 << self.draw(8))
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8(self.draw(256)), at: place)
            case 4: bytes.removeLast(bytes.count - place)
            case 5: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
            default: bytes[place] = self.pick([0, 0x0A, 0x0D, 0xFF, 0x7F, 0x80, 0x16, 0xCA])
            }
        }
    }

    private mutating func hello(_ isBinary: Bool) -> [UInt8] {
        if self.draw(3) == 0, !self.keys.isEmpty, !isBinary {
            return Array("name \(self.pick(self.keys)) seq=\(self.draw(5))\n".utf8)
        }
        let message = ClientMessage.hello(Hello(name: "p\(self.draw(60))"))
        return isBinary ? message.frame : message.line
    }

    private mutating func request(_ isBinary: Bool) -> [UInt8] {
        let number = UInt64(self.draw(6))
        let options = RaceRequest(
            minimum: 2, maximum: UInt8(2 + self.draw(3)),
            settings: RaceSettings(
                rule: self.pick([.turns, .dash]), draw: self.pick([.highest, .sealed]),
                finish: self.pick([1, 3, 25])), bots: UInt8(self.draw(2)))
        let match = MatchID(self.matchesSeen &- UInt64(self.draw(3)))
        let message: ClientMessage
        switch self.draw(29) {
        case 0: return self.hello(isBinary)
        case 1...4: message = .findMatch(options)
        case 5, 6: message = .randomNumber(round: UInt8(number / 2), number: UInt32(number))
        case 7, 8: message = .gameBegin
        case 9...12: message = .move(turn: self.draw(4) == 0 ? UInt32(number) : 0)
        case 13: message = .rematch
        case 14: message = self.pick([.cancelFind, .leave, .unwatch, .why])
        case 15: message = .watch(match)
        case 16, 17: message = .invite(alias: "p\(self.draw(60))", options)
        case 18, 19:
            message = .answerInvite(InviteID(number &+ self.matchesSeen / 4), accept: self.draw(3) > 0)
        case 20: message = .hostPrivate(options)
        case 21: message = .joinPrivate(code: "BABA-BABA-BA")
        case 22: message = .lookUpAliases([PlayerID(number), PlayerID(number &* 1000)])
        case 23: message = .listPlayers(prefix: "p", page: UInt16(number))
        case 24: message = .listMatches(page: UInt16(number))
        case 25: message = .leaderboard(self.pick([.turns, .dash]), page: UInt16(number))
        case 26: message = .replay(match, page: UInt16(number))
        case 27: message = .lookUpPlayer(alias: "p\(self.draw(60))")
        default: message = self.draw(20) == 0 ? .quit : .ping(number)
        }
        return isBinary ? message.frame : message.line
    }

    private mutating func passTime(milliseconds: Int) {
        self.now = Instant(nanoseconds: self.now.nanoseconds + Int64(milliseconds) * 1_000_000)
        // Requests that waited for a turn take some rounds.
        var rounds = 0
        repeat {
            self.handle(.deadlinePassed)
            rounds += 1
        } while self.server.nextDeadline.map { $0 <= self.now } ?? false && rounds < 1000
        if rounds == 1000 { self.faults.append("a deadline stays due") }
    }

    private mutating func answerOne() {
        guard !self.answers.isEmpty else { return }
        switch self.answers.remove(at: self.draw(self.answers.count)) {
        case .answered(let lookUp, let answer):
            self.handle(.answered(lookUp, self.draw(10) == 0 ? .unavailable : answer))
        case .resultsAnswered(let lookUp, let answer):
            guard answer == .kept else {
                return self.handle(.resultsAnswered(lookUp, self.draw(10) == 0 ? .unavailable : answer))
            }
            // It may be late first, and a lost one is never kept.
            switch self.draw(6) {
            case 0:
                self.handle(.resultsAnswered(lookUp, .delayed))
                self.answers.append(.resultsAnswered(lookUp, answer))
            case 1: self.handle(.resultsAnswered(lookUp, .lost))
            default: self.handle(.resultsAnswered(lookUp, answer))
            }
        case let other: self.handle(other)
        }
    }

    private mutating func handle(_ input: Input) {
        self.outbox.clear()
        self.server.handle(input, now: self.now, into: &self.outbox)
        for output in self.outbox.outputs {
            switch output {
            case .send(let id, let range): self.look(self.outbox.bytes[range], id)
            case .close(let id):
                if let index = self.live.firstIndex(where: { $0.id == id }) {
                    self.live[index].isClosing = true
                }
            case .sendAhead(let id, let range): self.lookAhead(self.outbox.bytes[range], id)
            case .abort: Issue.record("nobody is turned away")
            case .pauseReading, .resumeReading, .hold, .release: break
            }
        }
        for errand in self.outbox.errands {
            switch errand {
            case .directory(let lookUp, let request):
                if let answer = self.store.answer(request) { self.answers.append(.answered(lookUp, answer)) }
            case .results(let lookUp, let request):
                if let answer = self.store.answer(request) {
                    self.answers.append(.resultsAnswered(lookUp, answer))
                }
            case .operated, .bans: Issue.record("no operator is there")
            case .ended, .log: break
            }
        }
    }

    private mutating func lookAhead(_ bytes: ArraySlice<UInt8>, _ id: ConnectionID) {
        if bytes.isEmpty { self.faults.append("a send of nothing") }
        if !self.live.contains(where: { $0.id == id }) {
            self.faults.append("bytes for a connection that is gone")
        }
    }

    /// What a peer reads must be in order.
    private mutating func look(_ bytes: ArraySlice<UInt8>, _ id: ConnectionID) {
        guard let peer = self.live.first(where: { $0.id == id }) else {
            return self.faults.append("bytes for a connection that is gone")
        }
        if peer.isClosing { self.faults.append("bytes behind a close") }
        if bytes.isEmpty { self.faults.append("a send of nothing") }
        guard bytes.first == UInt8(ascii: "w") || bytes.first == UInt8(ascii: "f") else { return }
        let line = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
        if line.hasPrefix("welcome "), let alias = line.value("alias"), let key = line.value("key") {
            self.keys.append("\(alias) \(key)")
            if self.keys.count > 40 { self.keys.removeFirst() }
        } else if line.hasPrefix("found "), let match = line.value("match").flatMap({ UInt64($0) }) {
            self.matchesSeen = max(self.matchesSeen, match)
        }
    }

    /// Everybody goes, the store answers all, and a day passes.
    mutating func calm() {
        while !self.live.isEmpty { self.close(0) }
        while !self.answers.isEmpty { self.answerOne() }
        for _ in 0..<100_000 {
            guard let due = self.server.nextDeadline else { return }
            self.now = max(self.now, due)
            self.handle(.deadlinePassed)
        }
    }
}
