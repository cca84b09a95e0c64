import Dispatch
import EventLoop
import ProxyProtocol
import RaceModel
import Testing

/// A loop under test: by default it echoes, and closes when the peer has ended.
final class TestHandler: LoopHandler {
    let loop: SocketLoop
    var onAccepted: (TestHandler, ConnectionID) -> Void = { _, _ in }
    var onReceived: (TestHandler, ConnectionID, ArraySlice<UInt8>) -> Void = { handler, connection, bytes in
        handler.loop.send(connection, bytes.span)
    }
    var onDeadline: (TestHandler) -> Void = { _ in }

    var accepted: [ConnectionID] = []
    var addresses: [String] = []
    var connected: [ConnectionID] = []
    var secured: [ConnectionID] = []
    var refusals: [ConnectionRefusal] = []
    var inputEnds: [ConnectionID] = []
    var ends: [ConnectionEnd] = []
    var closedConnections: [ConnectionID] = []
    var deadlines: [Instant] = []
    var drains: [ConnectionID] = []
    var pauses = 0
    var received: [UInt8] = []

    init(loop: SocketLoop) { self.loop = loop }

    func accepted(_ connection: ConnectionID, from address: String) {
        self.accepted.append(connection)
        self.addresses.append(address)
        self.onAccepted(self, connection)
    }

    func connected(_ connection: ConnectionID) { self.connected.append(connection) }
    func secured(_ connection: ConnectionID) { self.secured.append(connection) }
    func refused(_ refusal: ConnectionRefusal, from address: String) { self.refusals.append(refusal) }

    func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        self.onReceived(self, connection, bytes)
    }

    func inputEnded(_ connection: ConnectionID) {
        self.inputEnds.append(connection)
        self.loop.close(connection)
    }

    func drained(_ connection: ConnectionID) { self.drains.append(connection) }

    func closed(_ connection: ConnectionID, _ end: ConnectionEnd) {
        self.ends.append(end)
        self.closedConnections.append(connection)
    }

    func deadlinePassed() {
        self.deadlines.append(self.loop.now)
        self.onDeadline(self)
    }

    func batchEnded() {}
    func acceptingPaused(_ error: TransportError) { self.pauses += 1 }
}

struct TestLoop: Sendable {
    let confined: QueueConfined<TestHandler>
    let port: UInt16

    /// - Parameters:
    ///   - identity: it speaks TLS.
    ///   - proxies: its connections begin with a PROXY header.
    init(
        limits: SocketLoop.Limits = SocketLoop.Limits(connections: 1000), identity: TLSIdentity? = nil,
        proxies: [IPNetwork]? = nil
    ) throws {
        let queue = DispatchQueue(label: "test.loop")
        self.confined = QueueConfined(TestHandler(loop: try SocketLoop(on: queue, limits: limits)), on: queue)
        self.port = try self.confined.waitOnQueue { handler in
            handler.loop.start(handler: handler)
            if let identity { try? handler.loop.secure(by: identity) }
            return Result { () throws(TransportError) in
                guard let proxies else { return try handler.loop.listen(host: "127.0.0.1", port: 0) }
                return try handler.loop.listen(host: "127.0.0.1", port: 0, proxies: proxies)
            }
        }.get()
    }

    /// Runs on the loop's queue, as work from elsewhere.
    @discardableResult
    func on<Answer: Sendable>(_ body: @escaping @Sendable (TestHandler) -> Answer) -> Answer {
        self.confined.waitOnQueue { handler in
            var answer: Answer?
            handler.loop.perform { answer = body(handler) }
            return answer
        }!
    }

    var live: Int { self.confined.waitOnQueue { $0.loop.counters.live } }
    var ends: [ConnectionEnd] { self.confined.waitOnQueue { $0.ends } }

    func shutDown() { self.confined.waitOnQueue { $0.loop.shutDown() } }
}
