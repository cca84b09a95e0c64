import Dispatch
import EventLoop
import Glibc
import RaceModel
import Testing

/// Stands between a client and its server, and can fail as a network does. Without a server it says what it
/// is told to.
final class Relay: Sendable {
    let port: UInt16
    private let wires: QueueConfined<Wires>

    var address: String { "127.0.0.1:\(self.port)" }

    /// - Parameters:
    ///   - server: the port behind it; nil: there is none.
    ///   - words: sent to every client at once.
    init(to server: UInt16?, words: [UInt8] = []) throws {
        let queue = DispatchQueue(label: "relay")
        let target = server.flatMap { SocketAddress("127.0.0.1", port: $0) }
        let wires = QueueConfined(try Wires(on: queue, target: target, words: words), on: queue)
        let port = wires.waitOnQueue { wires in
            wires.loop.start(handler: wires)
            return (try? wires.loop.listen(host: "127.0.0.1", port: 0)) ?? 0
        }
        self.wires = wires
        self.port = port
        try #require(port > 0)
    }

    deinit { self.wires.enqueue { $0.loop.shutDown() } }

    /// Ends all connections, without a word.
    func cut() { self.wires.waitOnQueue { wires in wires.loop.perform { wires.cut() } } }

    /// Connections made so far.
    var connections: Int { self.wires.waitOnQueue { $0.loop.counters.accepted } }
}

private final class Wires: LoopHandler {
    let loop: SocketLoop
    private let target: SocketAddress?
    private let words: [UInt8]
    private var ends: [ConnectionID: ConnectionID] = [:]
    private var waiting: [ConnectionID: [UInt8]] = [:]

    init(on queue: DispatchQueue, target: SocketAddress?, words: [UInt8]) throws {
        self.loop = try SocketLoop(on: queue)
        self.target = target
        self.words = words
    }

    func cut() {
        for connection in self.ends.keys { self.loop.abort(connection) }
    }

    func accepted(_ connection: ConnectionID, from address: String) {
        let words = self.words
        self.loop.send(connection, words.span)
        guard let target else { return }
        let other = self.loop.connect(to: target)
        self.ends[connection] = other
        self.ends[other] = connection
        self.waiting[other] = []
    }

    func connected(_ connection: ConnectionID) {
        if let bytes = self.waiting.removeValue(forKey: connection) { self.loop.send(connection, bytes.span) }
    }

    func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        guard let other = self.ends[connection] else { return }
        if self.waiting[other] != nil {
            self.waiting[other]?.append(contentsOf: bytes)
        } else {
            self.loop.send(other, bytes.span)
        }
    }

    func inputEnded(_ connection: ConnectionID) { self.loop.close(connection) }

    func closed(_ connection: ConnectionID, _ end: ConnectionEnd) {
        guard let other = self.ends.removeValue(forKey: connection) else { return }
        self.loop.close(other)
    }

    func deadlinePassed() {}
    func batchEnded() {}
    func acceptingPaused(_ error: TransportError) {}
}
