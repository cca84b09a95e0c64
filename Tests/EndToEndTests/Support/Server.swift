import Glibc
import Testing

/// A real server of its own for one test. It keeps nothing on disk, unless the arguments say where.
final class Server {
    let program: Program
    let port: Int
    private let arguments: [String]
    private let prefix: [String]

    /// All these tests also hold with sockets spread over several loops: `CATRACE_TEST_LOOPS=2`.
    private static let loops: [String] = {
        guard let count = unsafe getenv("CATRACE_TEST_LOOPS") else { return [] }
        return unsafe ["--loops", String(cString: count)]
    }()

    init(_ arguments: [String] = [], host: String = "127.0.0.1", port: Int = 0, prefix: [String] = [])
        async throws
    {
        self.arguments = arguments
        self.prefix = prefix
        let server = prefix.isEmpty ? "catrace-server" : Program.directory + "catrace-server"
        self.program = try Program(
            prefix + [server, "--host", host, "--port", "\(port)", "--log-level", "info"] + Self.loops
                + (arguments.contains("--data") ? [] : ["--memory"]) + arguments,
            apart: true)
        let line = try await self.program.lines.wait(for: "listening ")
        self.port = try #require(value("port", in: line).flatMap { Int($0) })
    }

    var address: String { "127.0.0.1:\(self.port)" }

    /// Kills it, and starts another at the same port.
    func restart() async throws -> Server {
        try await self.program.killHard()
        return try await Server(self.arguments, port: self.port)
    }

    /// Tells it to end, and starts another at the same port once it has.
    func restartInOrder() async throws -> Server {
        self.program.signal(SIGTERM)
        #expect(try await self.program.exitCode() == 0)
        return try await Server(self.arguments, port: self.port)
    }

    /// How long it took to end once it was told to, by its own log, in seconds. A test that is kept from a processor
    /// looks late itself.
    func secondsToStop() throws -> Double {
        let log = try #require(self.program.errors).all
        let times = try ["event=stopping ", "event=stopped "].map { event in
            try #require(log.last { $0.contains(event) }.flatMap(Self.secondOfDay), "\(log)")
        }
        return (times[1] - times[0] + 86_400).truncatingRemainder(dividingBy: 86_400)
    }

    private static func secondOfDay(_ line: String) -> Double? {
        guard let time = value("time", in: line)?.split(separator: "T").last?.dropLast() else { return nil }
        let parts = time.split(separator: ":").compactMap { Double($0) }
        return parts.count == 3 ? (parts[0] * 60 + parts[1]) * 60 + parts[2] : nil
    }

    // MARK: Clients

    /// Netcat; its end of input is not the end of the connection.
    func netcat(_ arguments: [String] = []) throws -> Program {
        try Program(self.prefix + ["/usr/bin/nc"] + arguments + ["127.0.0.1", "\(self.port)"])
    }

    /// Netcat, each of whose lines ends with the moment it came: ` stamp=` and seconds as `elapsed` counts.
    func stampedNetcat() throws -> Program {
        let command = "nc 127.0.0.1 \(self.port) | python3 '\(Script.folder)stamp.py'"
        return try Program(self.prefix + ["/bin/sh", "-c", command])
    }

    /// Telnet, which ends a line by CR LF.
    func telnet(terminal: PseudoTerminal? = nil) throws -> Program {
        try Program(["/usr/bin/telnet", "127.0.0.1", "\(self.port)"], terminal: terminal)
    }

    func client(
        _ words: [String], environment: [String: String] = [:], terminal: PseudoTerminal? = nil
    ) throws -> Program {
        try Program(
            ["catrace"] + words + ["--connect", self.address], environment: environment, terminal: terminal)
    }

    func socket() throws -> Socket { try Socket(port: self.port) }

    /// What `who` and `matches` count, asked on a connection of its own.
    func census() async throws -> (players: Int, matches: Int) {
        let asker = try self.socket()
        asker.say("who")
        asker.say("matches")
        let players = try await asker.lines.wait(for: "players ")
        let matches = try await asker.lines.wait(for: "matches ")
        return (Int(value("count", in: players) ?? "") ?? -1, Int(value("count", in: matches) ?? "") ?? -1)
    }

    /// Waits until nobody is there and no match is kept.
    func expectEmpty(within seconds: Double = Lines.patience) async throws {
        var last = (players: -1, matches: -1)
        let isEmpty = try await eventually(within: seconds) {
            last = try await self.census()
            return last == (0, 0)
        }
        #expect(isEmpty, "left behind: \(last)")
    }
}

/// The value of a key in a line.
func value(_ key: String, in line: String) -> String? {
    line.split(separator: " ").first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
}
