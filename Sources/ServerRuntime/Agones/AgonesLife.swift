import Dispatch
package import EventLoop
import Glibc
import RaceModel
import ServerCore

/// Tells Agones, which runs game servers on Kubernetes, how this one does: over HTTP to the helper beside it, as its
/// documentation describes (SDK server, REST: /ready, /health, /allocate, /shutdown). While a race is on it is
/// allocated, so that nothing ends it; without one it is ready, and may be scaled away.
///
/// Lives on a queue of its own and waits there: nothing else waits for it.
package final class AgonesLife {
    package enum Stage: String, Sendable, CaseIterable { case ready, allocate, shutdown }

    private let helper: HostAndPort
    private let ask: AdminServer.Ask
    private let log: LogWriter
    private let timer: any DispatchSourceTimer
    private var told: Stage?
    private var isFailing = false
    private var isEnding = false

    /// Agones takes a server for dead after some missed beats of five seconds.
    static let beat = 2
    /// For one request.
    private static let patience = 1

    private init(
        helper: HostAndPort, log: LogWriter, on queue: DispatchQueue, _ ask: @escaping AdminServer.Ask
    ) {
        self.helper = helper
        self.ask = ask
        self.log = log
        self.timer = DispatchSource.makeTimerSource(queue: queue)
    }

    package static func start(
        helper: HostAndPort, log: LogWriter, _ ask: @escaping AdminServer.Ask
    ) -> QueueConfined<AgonesLife> {
        let queue = DispatchQueue(label: "catrace.agones")
        let life = QueueConfined(AgonesLife(helper: helper, log: log, on: queue, ask), on: queue)
        life.enqueue { agones in
            agones.timer.setEventHandler { [weak agones] in agones?.report(to: life) }
            agones.timer.schedule(deadline: .now(), repeating: .seconds(Self.beat))
            agones.timer.activate()
        }
        return life
    }

    /// Only a race server that answers is healthy.
    private func report(to own: QueueConfined<AgonesLife>) {
        self.ask { report in
            own.enqueue { agones in
                guard !agones.isEnding else { return }
                agones.post("health")
                agones.tell(report.census.matches > 0 || report.isDraining ? .allocate : .ready)
            }
        }
    }

    /// The last word: the pod may go.
    package func end() {
        guard !self.isEnding else { return }
        self.isEnding = true
        self.timer.cancel()
        self.tell(.shutdown)
    }

    private func tell(_ stage: Stage) {
        guard stage != self.told, self.post(stage.rawValue) else { return }
        self.told = stage
        self.log.write([LogLine(.info, "agones", [LogLine.Field("told", stage.rawValue)])])
    }

    @discardableResult
    private func post(_ path: String) -> Bool {
        let isDone = self.isTaken(path)
        if !isDone, !self.isFailing {
            let fields = [LogLine.Field("helper", self.helper.text), LogLine.Field("request", "/" + path)]
            self.log.write([LogLine(.warning, "agones-not-reached", fields)])
        }
        self.isFailing = !isDone
        return isDone
    }

    private func isTaken(_ path: String) -> Bool {
        let host = self.helper.host == "localhost" ? "127.0.0.1" : self.helper.host
        guard let address = SocketAddress(host, port: self.helper.port),
            let descriptor = try? BlockingSocket.connect(to: address, seconds: Self.patience)
        else { return false }
        defer { close(descriptor) }
        let request = Array(
            ("POST /\(path) HTTP/1.1\r\nHost: \(self.helper.text)\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n{}").utf8)
        guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return false
        }
        var answer = [UInt8](repeating: 0, count: 1024)
        let count = unsafe recv(descriptor, &answer, answer.count, 0)
        let words = String(decoding: answer[..<max(0, count)], as: UTF8.self).split(separator: " ")
        return words.count > 1 && words[0].hasPrefix("HTTP/1.") && words[1] == "200"
    }
}
