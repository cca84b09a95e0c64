import EventLoop
import Glibc
import RaceModel

/// Whether the server that these settings belong to answers: for container checks, so it waits for seconds at most.
package enum HealthCheck {
    /// For the whole check.
    private static let seconds = 2

    /// Nil: it does. Otherwise what is wrong, in one sentence.
    package static func fault(_ settings: ServerSettings) -> String? {
        if let admin = settings.admin {
            return Self.ask(
                host: admin.host, port: admin.port, request: "GET /livez HTTP/1.0\r\n\r\n",
                expecting: "HTTP/1.1 200 ")
        }
        let fault = Self.ask(
            host: settings.host, port: settings.port, request: "ping 1\n", expecting: "pong value=1\n")
        return fault.map { $0 + Self.hint }
    }

    /// A player is turned away by many a server that is well.
    private static let hint =
        "; one that drains or is full lets nobody in: ask by --admin, which tells those from one that is stuck"

    private static func ask(host: String, port: UInt16, request: String, expecting: String) -> String? {
        let host = Self.reachable(host)
        guard port > 0, let address = SocketAddress(host, port: port) else {
            return
                "no server can be asked at \(host) port \(port): give the address and port that it listens on"
        }
        let descriptor: Int32
        do throws(TransportError) {
            descriptor = try BlockingSocket.connect(to: address, seconds: Self.seconds)
        } catch { return error.connectSentence(host: host, port: port) }
        defer { close(descriptor) }
        let bytes = Array(request.utf8)
        guard unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            return "the server at \(host) port \(port) takes nothing"
        }
        let deadline = SocketLoop.clock() + .seconds(Self.seconds)
        var answer: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while answer.count < 1 << 16, SocketLoop.clock() < deadline {
            let count = unsafe recv(descriptor, &room, room.count, 0)
            guard count > 0 else { break }
            answer += room[..<count]
            if String(decoding: answer, as: UTF8.self).contains(expecting) { return nil }
        }
        let said = Self.farewell(in: answer).map { ": it said '\($0)'" } ?? ""
        return "the server at \(host) port \(port) did not answer as it should within \(Self.seconds) seconds"
            + said
    }

    /// Why the server closed, in its own words.
    private static func farewell(in answer: [UInt8]) -> String? {
        let lines = answer.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        return lines.first { $0.hasPrefix("bye ") }.map(PrintableText.whole)
    }

    /// Every address is reached by the loopback one.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "localhost": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
