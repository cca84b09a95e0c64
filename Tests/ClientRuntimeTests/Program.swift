import CSpawn
import Glibc
import Testing

/// One of the real binaries, run with pipes or at a pseudo-terminal of its own.
final class Program {
    enum Streams {
        case pipes
        case terminal(PseudoTerminal)
    }

    let pid: pid_t
    private var input: Int32 = -1
    private var output: Int32 = -1
    private(set) var text = ""
    /// Where a client keeps keys, unless the test says where: nobody's home, and nobody else's.
    private let state = StateDirectory()
    private var isReaped = false

    /// Built next to the tests.
    private static let directory: String = {
        var path = [CChar](repeating: 0, count: 4096)
        unsafe readlink("/proc/self/exe", &path, 4095)
        let own = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex))
    }()

    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        _ streams: Streams = .pipes
    ) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        var (into, out): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        switch streams {
        case .pipes:
            unsafe catrace_pipe(&into)
            unsafe catrace_pipe(&out)
            unsafe posix_spawn_file_actions_adddup2(&actions, into[0], 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, out[1], 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, out[1], 2)
        case .terminal(let terminal):
            // POSIX_SPAWN_SETSID: the leader of a new session takes the first terminal it opens as its own.
            unsafe posix_spawnattr_setflags(&attributes, 0x80)
            unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        unsafe catrace_close_from(&actions, 3)
        let words = [Self.directory + name] + arguments
        let variables = environment.merging(
            ["TERM": "xterm", "USER": "tester", "XDG_STATE_HOME": self.state.path]
        ) { given, _ in given }.merging(sanitizerSettings) { given, _ in given }
        let settings = variables.map { "\($0.key)=\($0.value)" }.sorted()
        var strings = unsafe words.map { unsafe strdup($0) } + [nil]
        var pairs = unsafe settings.map { unsafe strdup($0) } + [nil]
        defer {
            for index in words.indices { unsafe free(strings[index]) }
            for index in settings.indices { unsafe free(pairs[index]) }
        }
        var pid = pid_t()
        let code = unsafe posix_spawn(&pid, words[0], &actions, &attributes, &strings, &pairs)
        unsafe posix_spawn_file_actions_destroy(&actions)
        self.pid = pid
        if case .pipes = streams {
            close(into[0])
            close(out[1])
            self.input = into[1]
            self.output = out[0]
        }
        try #require(code == 0, "\(words[0]) could not be started: build it first")
    }

    deinit {
        if !self.isReaped {
            kill(self.pid, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(self.pid, &status, 0)
        }
        if self.input >= 0 { close(self.input) }
        if self.output >= 0 { close(self.output) }
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe Glibc.write(self.input, bytes, bytes.count)
    }

    func endInput() {
        close(self.input)
        self.input = -1
    }

    func signal(_ number: Int32) { kill(self.pid, number) }

    /// Reads until all that was written so far holds this; false when it does not come in time.
    func waits(for word: String, seconds: Double = 30) -> Bool {
        eventually(seconds: seconds) {
            self.text += readAvailable(self.output)
            return self.text.contains(word)
        }
    }

    /// Waits for the end, for so many seconds; a process that was killed gives 128 and the signal, as in a
    /// shell.
    func exitCode(within seconds: Double = 60) -> Int32 {
        var status: Int32 = 0
        let ended = eventually(seconds: seconds) {
            if self.output >= 0 { self.text += readAvailable(self.output) }
            return unsafe waitpid(self.pid, &status, WNOHANG) != 0
        }
        if !ended {
            kill(self.pid, SIGKILL)
            unsafe waitpid(self.pid, &status, 0)
        }
        self.isReaped = true
        if self.output >= 0 { self.text += readAvailable(self.output) }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    /// Whether it stops, as Ctrl-Z makes it.
    func stops() -> Bool {
        var status: Int32 = 0
        return eventually {
            unsafe waitpid(self.pid, &status, WNOHANG | WUNTRACED) == self.pid && status & 0xff == 0x7f
        }
    }
}

/// A real server of its own for each test.
struct TestServer {
    let program: Program
    let port: UInt16

    init(_ arguments: [String] = [], port: UInt16 = 0) throws {
        self.program = try Program(
            "catrace-server", ["--memory", "--port", "\(port)", "--log-level", "error"] + arguments)
        try #require(self.program.waits(for: "\n"))
        let line = self.program.text.split(separator: "\n").first ?? ""
        self.port = try #require(line.split(separator: "port=").last.flatMap { UInt16($0) }, "\(line)")
    }

    var address: String { "127.0.0.1:\(self.port)" }
}

/// What `Tests/Sanitize/sanitize` tells the runtime of a sanitizer: the programs are built with it as the tests
/// are, and what it finds in them has to come where the script looks.
let sanitizerSettings: [String: String] = [
    "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE",
].reduce(into: [:]) { settings, name in
    if let value = unsafe getenv(name) { settings[name] = unsafe String(cString: value) }
}

/// Asks again and again until it holds; false after the time, which is far more than any machine needs.
func eventually(seconds: Double = 30, _ condition: () -> Bool) -> Bool {
    let end = elapsed() + seconds
    while !condition() {
        if elapsed() > end { return false }
        usleep(10_000)
    }
    return true
}

/// Seconds on the monotonic clock.
func elapsed() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// What can be read without waiting.
func readAvailable(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, 0) == 1 else { break }
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}
