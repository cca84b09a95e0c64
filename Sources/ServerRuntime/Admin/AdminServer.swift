import Dispatch
package import EventLoop
package import RaceModel

/// Answers an operator's machines over HTTP, on a queue and a loop of its own: `/livez`, `/readyz` and `/metrics`.
/// Whoever reaches it sees everything it shows: it belongs on an address that players don't reach.
package final class AdminServer: LoopHandler {
    /// Asks the race server; `nil` from it within `patience` means that it is stuck.
    package typealias Ask = @Sendable (@escaping @Sendable (ServerReport) -> Void) -> Void

    private struct Peer {
        var bytes: [UInt8] = []
        var due: Instant
        var waitsForReport: HTTPRequest?
        var isAnswered = false
    }

    package static let connections = 64
    /// For a whole request, and for the race server's answer to it.
    package static let patience = Instant.Span.seconds(2)

    let loop: SocketLoop
    private let ask: Ask
    private var peers: [ConnectionID: Peer] = [:]
    private var ownQueue: QueueConfined<AdminServer>?

    private init(on queue: DispatchQueue, _ ask: @escaping Ask) throws(TransportError) {
        self.loop = try SocketLoop(on: queue, limits: SocketLoop.Limits(connections: Self.connections))
        self.ask = ask
    }

    /// Listens, and answers until it is stopped.
    /// - Returns: its own value, to stop it by, and the port.
    package static func start(
        host: String, port: UInt16, _ ask: @escaping Ask
    ) throws(TransportError) -> (QueueConfined<AdminServer>, port: UInt16) {
        let queue = DispatchQueue(label: "catrace.admin")
        let confined = QueueConfined(try AdminServer(on: queue, ask), on: queue)
        let result = confined.waitOnQueue { server in
            server.ownQueue = confined
            server.loop.start(handler: server)
            return Result { () throws(TransportError) in try server.loop.listen(host: host, port: port) }
        }
        do {
            return (confined, try result.get())
        } catch {
            confined.waitOnQueue { $0.shutDown() }
            throw error
        }
    }

    package func shutDown() {
        self.ownQueue = nil
        self.loop.shutDown()
    }

    // MARK: Loop

    package func accepted(_ connection: ConnectionID, from address: String) {
        self.peers[connection] = Peer(due: self.loop.now + Self.patience)
        self.makeRoom()
    }

    /// With the last connection there may be, who has asked for nothing for the longest time makes room.
    private func makeRoom() {
        guard self.loop.counters.live >= Self.connections else { return }
        let silent = self.peers.filter { $0.value.waitsForReport == nil && !$0.value.isAnswered }
        if let longest = silent.min(by: { $0.value.due < $1.value.due }) { self.loop.abort(longest.key) }
    }

    package func connected(_ connection: ConnectionID) {}

    package func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        guard var peer = self.peers[connection], peer.waitsForReport == nil, !peer.isAnswered else { return }
        peer.bytes += bytes.prefix(HTTPRequest.mostBytes - peer.bytes.count + 1)
        let reading = HTTPRequest.read(peer.bytes)
        self.peers[connection] = peer
        switch reading {
        case .incomplete: break
        case .malformed(let status, let sentence):
            self.answer(connection, HTTPResponse(status: status, body: sentence + "\n"))
        case .request(let request): self.take(request, from: connection)
        }
    }

    package func inputEnded(_ connection: ConnectionID) {
        if self.peers[connection]?.waitsForReport == nil { self.loop.close(connection) }
    }

    package func closed(_ connection: ConnectionID, _ end: ConnectionEnd) { self.peers[connection] = nil }

    package func deadlinePassed() {
        for (connection, peer) in self.peers where peer.due <= self.loop.now && !peer.isAnswered {
            if peer.waitsForReport == nil {
                self.loop.close(connection)
            } else {
                self.answer(connection, HTTPResponse(status: 503, body: "the race server does not answer\n"))
            }
        }
    }

    package func batchEnded() {
        self.loop.setDeadline(self.peers.values.filter { !$0.isAnswered }.map(\.due).min())
    }

    package func acceptingPaused(_ error: TransportError) {}

    // MARK: Requests

    private static let paths = ["/livez", "/readyz", "/metrics"]

    private func take(_ request: HTTPRequest, from connection: ConnectionID) {
        guard request.method == "GET" || request.method == "HEAD" else {
            return self.answer(
                connection, HTTPResponse(status: 405, body: "only GET and HEAD are answered\n"))
        }
        guard Self.paths.contains(request.path) else {
            let paths = Self.paths.joined(separator: ", ")
            return self.answer(connection, HTTPResponse(status: 404, body: "there are \(paths)\n"))
        }
        self.peers[connection]?.waitsForReport = request
        self.peers[connection]?.due = self.loop.now + Self.patience
        self.ask { [ownQueue] report in
            ownQueue?.enqueue { server in
                server.loop.perform { server.answer(connection, server.response(to: request, report)) }
            }
        }
    }

    private func response(to request: HTTPRequest, _ report: ServerReport) -> HTTPResponse {
        switch request.path {
        case "/metrics":
            // Read here, since files are: not on the queue of the race server.
            HTTPResponse(
                status: 200, type: "text/plain; version=0.0.4; charset=utf-8",
                body: report.with(ProcessFigures.now()).metrics)
        case "/readyz":
            report.isDraining
                ? HTTPResponse(status: 503, body: "draining\n") : HTTPResponse(status: 200, body: "ready\n")
        default: HTTPResponse(status: 200, body: "alive\n")
        }
    }

    private func answer(_ connection: ConnectionID, _ response: HTTPResponse) {
        guard let peer = self.peers[connection], !peer.isAnswered else { return }
        self.peers[connection]?.isAnswered = true
        let withBody = peer.waitsForReport?.method != "HEAD"
        self.loop.send(connection, response.bytes(withBody: withBody).span)
        self.loop.close(connection)
    }
}
