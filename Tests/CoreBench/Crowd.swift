import Lobby
import RaceModel
import ServerCore
import Store
import WireProtocol

/// Many players in a server that is a value, all of them in endless races of two.
struct Crowd {
    private(set) var server = RaceServer(
        configuration: ServerConfiguration(), entropy: SeededGenerator(seed: 1))
    private var outbox = Outbox()
    private var store = MemoryStore()
    private var now = Instant.zero
    private let move: [UInt8]
    /// By race: whose turn it is, as seat of joining.
    private var onTurn: [UInt8]

    init(matches: Int) {
        var move: [UInt8] = []
        BinaryEncoder.append(.move(turn: 0), to: &move)
        self.move = move
        self.onTurn = [UInt8](repeating: 0, count: matches)
        for player in 0..<(2 * matches) {
            let id = Self.connection(player)
            self.feed(.accepted(id, address: NetworkAddress(ipv4: 0x7F00_0001)))
            self.send(from: player) { bytes in
                Preface.append(.init(lowest: Preface.version, highest: Preface.version), to: &bytes)
                BinaryEncoder.append(.hello(Hello(name: "p\(player)")), to: &bytes)
            }
            self.send(from: player) { bytes in
                let request = RaceRequest(settings: RaceSettings(finish: Limits.finish))
                BinaryEncoder.append(.findMatch(request), to: &bytes)
                // The one who came first draws the highest number, and begins.
                BinaryEncoder.append(.randomNumber(round: 0, number: player % 2 == 0 ? 2 : 1), to: &bytes)
            }
        }
        for match in 0..<matches {
            self.send(from: 2 * match) { BinaryEncoder.append(.gameBegin, to: &$0) }
        }
    }

    /// Moves in the first `active` races, one in each after the other.
    mutating func play(moves: Int, in active: Int) {
        var match = 0
        for _ in 0..<moves {
            let player = 2 * match + Int(self.onTurn[match])
            self.onTurn[match] ^= 1
            self.server.handle(
                .received(Self.connection(player), self.move[...]), now: self.now, into: &self.outbox)
            precondition(self.outbox.outputs.count == 2, "a move is told to both players")
            self.outbox.clear()
            match = match + 1 == active ? 0 : match + 1
        }
    }

    private static func connection(_ player: Int) -> ConnectionID {
        ConnectionID(slot: UInt32(player), generation: 1)
    }

    private mutating func send(from player: Int, _ write: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        write(&bytes)
        self.feed(.received(Self.connection(player), bytes[...]))
    }

    private mutating func feed(_ input: Input) {
        self.server.handle(input, now: self.now, into: &self.outbox)
        var answers: [Input] = []
        for case .directory(let id, let request) in self.outbox.errands {
            if let answer = self.store.answer(request) { answers.append(.answered(id, answer)) }
        }
        self.outbox.clear()
        for answer in answers { self.feed(answer) }
    }
}
