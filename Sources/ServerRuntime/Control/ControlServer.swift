import Dispatch
import EventLoop
import Glibc
import RaceModel
import ServerCore
import WireProtocol

/// Operators on a Unix socket, on a queue and a loop of its own: lines in, lines out, one after the other.
final class ControlServer: LoopHandler {
    /// Carries a command out, and answers once, on any queue.
    typealias Perform =
        @Sendable (ControlCommand, LocalSocket.Peer, @escaping @Sendable (ControlAnswer) -> Void) -> Void

    private struct Peer {
        var identity: LocalSocket.Peer
        var input: [UInt8] = []
        var isBusy = false
        var inputEnded = false
        var isPaused = false
        /// When it is closed, unless it says something.
        var due: Instant
    }

    /// At once; at the last one, who has said nothing for the longest time is closed.
    static let connections = 16
    /// Of answers that are not read, in bytes; over it, the connection is closed. The longest there is, of all bans,
    /// fits.
    static let unreadBytes = 4 * 1024 * 1024
    /// Without a command.
    static let patience = Instant.Span.seconds(15 * 60)

    private let loop: SocketLoop
    private let path: String
    private let perform: Perform
    private var peers: [ConnectionID: Peer] = [:]
    /// Of the connection that is being accepted.
    private var arriving: LocalSocket.Peer?
    private var ownQueue: QueueConfined<ControlServer>?

    private init(_ path: String, on queue: DispatchQueue, _ perform: @escaping Perform) throws(TransportError)
    {
        self.path = path
        self.perform = perform
        self.loop = try SocketLoop(
            on: queue,
            limits: SocketLoop.Limits(connections: Self.connections, unreadOutputBytes: Self.unreadBytes))
    }

    /// Listens, and answers until it is shut down.
    static func start(
        at path: String, _ perform: @escaping Perform
    ) throws(LocalSocket.Failure) -> QueueConfined<ControlServer> {
        let descriptor = try LocalSocket.listen(at: path)
        do throws(TransportError) {
            let queue = DispatchQueue(label: "catrace.control")
            let confined = QueueConfined(try ControlServer(path, on: queue, perform), on: queue)
            let result = confined.waitOnQueue { server in
                server.ownQueue = confined
                server.loop.start(handler: server)
                server.loop.distribute { [unowned server] descriptor, _, _ in
                    server.arriving = LocalSocket.peer(of: descriptor)
                    return false
                }
                return Result { () throws(TransportError) in
                    try server.loop.listen(inherited: descriptor)
                }
            }
            _ = try result.get()
            return confined
        } catch {
            unsafe unlink(path)
            throw LocalSocket.Failure(sentence: "no socket can be had at '\(path)' (\(error))")
        }
    }

    /// The file goes with it.
    func shutDown() {
        guard self.ownQueue != nil else { return }
        self.ownQueue = nil
        unsafe unlink(self.path)
        self.loop.shutDown()
    }

    // MARK: Loop

    func accepted(_ connection: ConnectionID, from address: String) {
        // Who can't be named does nothing here.
        guard let identity = self.arriving else { return self.loop.close(connection) }
        self.arriving = nil
        self.peers[connection] = Peer(identity: identity, due: self.loop.now + Self.patience)
        self.makeRoom()
    }

    /// With the last connection there may be, who has said nothing for the longest time makes room.
    private func makeRoom() {
        guard self.loop.counters.live >= Self.connections else { return }
        let silent = self.peers.filter { !$0.value.isBusy && $0.value.input.isEmpty }
        if let longest = silent.min(by: { $0.value.due < $1.value.due }) { self.loop.abort(longest.key) }
    }

    func connected(_ connection: ConnectionID) {}

    func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        guard self.peers[connection] != nil else { return }
        self.peers[connection]?.input += bytes
        self.goOn(connection)
    }

    func inputEnded(_ connection: ConnectionID) {
        guard self.peers[connection] != nil else { return }
        self.peers[connection]?.inputEnded = true
        self.goOn(connection)
    }

    func closed(_ connection: ConnectionID, _ end: ConnectionEnd) { self.peers[connection] = nil }

    func deadlinePassed() {
        for (connection, peer) in self.peers where !peer.isBusy && peer.due <= self.loop.now {
            self.loop.close(connection)
        }
    }

    func batchEnded() {
        self.loop.setDeadline(self.peers.values.filter { !$0.isBusy }.map(\.due).min())
    }

    func acceptingPaused(_ error: TransportError) {}

    // MARK: Lines

    /// Carries out the next line, if the last one is answered.
    private func goOn(_ connection: ConnectionID) {
        while let peer = self.peers[connection], !peer.isBusy {
            guard let end = peer.input.firstIndex(of: 0x0A) else {
                if peer.input.count > ControlCommand.lineBytes { return self.refuseLength(connection) }
                // A last line without its end is none.
                if peer.inputEnded { self.loop.close(connection) }
                break
            }
            var line = peer.input[..<end]
            self.peers[connection]?.input.removeFirst(end + 1)
            if line.last == 0x0D { line.removeLast() }
            guard line.count <= ControlCommand.lineBytes else { return self.refuseLength(connection) }
            self.peers[connection]?.due = self.loop.now + Self.patience
            self.take(line, from: connection, peer.identity)
        }
        self.updateReading(connection)
    }

    /// What comes while a line is carried out waits here, a little of it.
    private func updateReading(_ connection: ConnectionID) {
        guard let peer = self.peers[connection] else { return }
        let mustPause = peer.isBusy && peer.input.count > ControlCommand.lineBytes
        guard mustPause != peer.isPaused else { return }
        self.peers[connection]?.isPaused = mustPause
        if mustPause { self.loop.pauseReading(connection) } else { self.loop.resumeReading(connection) }
    }

    private func refuseLength(_ connection: ConnectionID) {
        self.send(
            .error(.lineTooLong, "a line has at most \(ControlCommand.lineBytes) bytes"), to: connection)
        self.peers[connection] = nil
        self.loop.close(connection)
    }

    private func take(_ line: ArraySlice<UInt8>, from connection: ConnectionID, _ identity: LocalSocket.Peer)
    {
        do throws(ProtocolViolation) {
            guard let command = try ControlCommand.parse(line) else { return }
            self.peers[connection]?.isBusy = true
            self.perform(command, identity) { [ownQueue] answer in
                ownQueue?.enqueue { server in
                    server.loop.perform { server.finish(connection, answer) }
                }
            }
        } catch {
            self.send(.error(error), to: connection)
        }
    }

    private func finish(_ connection: ConnectionID, _ answer: ControlAnswer) {
        guard self.peers[connection] != nil else { return }
        self.send(answer, to: connection)
        self.peers[connection]?.isBusy = false
        self.peers[connection]?.due = self.loop.now + Self.patience
        self.goOn(connection)
    }

    private func send(_ answer: ControlAnswer, to connection: ConnectionID) {
        self.loop.send(connection, answer.bytes.span)
    }
}
