import CSpawn
import Foundation
import Glibc
import Testing

/// A program that was built next to the tests, with its output caught.
final class Program {
    private let pid: pid_t
    private let output: Int32
    private var isReaped = false

    static func path(_ name: String) -> String {
        var path = [CChar](repeating: 0, count: 4096)
        unsafe readlink("/proc/self/exe", &path, 4095)
        let own = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + name
    }

    /// Stdout and stderr come out together.
    init(_ name: String, _ arguments: [String]) throws {
        var pair: [Int32] = [0, 0]
        unsafe catrace_pipe(&pair)
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_adddup2(&actions, pair[1], 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, pair[1], 2)
        unsafe catrace_close_from(&actions, 3)
        let words = [Self.path(name)] + arguments
        var strings = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in words.indices { unsafe free(strings[index]) } }
        var pid = pid_t()
        let code = unsafe posix_spawn(&pid, words[0], &actions, nil, &strings, environ)
        unsafe posix_spawn_file_actions_destroy(&actions)
        close(pair[1])
        self.pid = pid
        self.output = pair[0]
        try #require(code == 0, "\(words[0]) could not be started: build it first")
    }

    deinit {
        if !self.isReaped {
            kill(self.pid, SIGKILL)
            _ = self.reap()
        }
        close(self.output)
    }

    func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(self.output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads to the end of the output, then waits: a run ends by itself.
    func finish() -> (text: String, status: Int32) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(self.output, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        return (String(decoding: bytes, as: UTF8.self), self.reap())
    }

    var processID: Int32 { self.pid }

    /// Waits until it has so many sockets more than it begins with, for thirty seconds at most.
    func hasConnections(_ count: Int) -> Bool {
        for _ in 0..<3000 {
            let folder = "/proc/\(self.pid)/fd/"
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let sockets = descriptors.count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
                return target?.hasPrefix("socket:") == true
            }
            // Its own one listens.
            if sockets > count { return true }
            usleep(10_000)
        }
        return false
    }

    func signal(_ number: Int32) { kill(self.pid, number) }

    private func reap() -> Int32 {
        var status: Int32 = 0
        unsafe waitpid(self.pid, &status, 0)
        self.isReaped = true
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }
}

/// The server, on a free port.
func startServer() throws -> (program: Program, port: String) {
    let server = try Program("catrace-server", ["--memory", "--port", "0", "--log-level", "error"])
    let line = server.line()
    let port = try #require(line.split(separator: "port=").last.map(String.init), "the server said: \(line)")
    return (server, port)
}
