import CSpawn
import Glibc
import Testing

/// A real program, with both of its streams on one socket pair or at a pseudo-terminal; it ends with this
/// value.
final class Program: Speaker {
    let pid: pid_t
    /// What it says on stderr, when that is wanted apart.
    let errors: Lines?
    private let errorDescriptor: Int32
    /// Where a client keeps keys: nobody's home, and nobody else's.
    private let state = StateDirectory()
    private var status: Int32?

    /// Where the binaries are: next to the tests.
    static let directory: String = {
        var path = [CChar](repeating: 0, count: 4096)
        unsafe readlink("/proc/self/exe", &path, 4095)
        let own = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex))
    }()

    /// - Parameters:
    ///   - words: the program, one of ours by its name or any other by its path, and its arguments.
    ///   - terminal: both streams are this pseudo-terminal, and what it shows are the lines.
    ///   - apart: stderr is read apart, not as a part of the lines.
    init(
        _ words: [String], environment: [String: String] = [:], terminal: PseudoTerminal? = nil,
        apart: Bool = false
    ) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        // The thread that runs a test blocks signals, and netcat's own alarm is one.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK)
        var closing: [Int32] = []
        let own: Int32
        if let terminal {
            // POSIX_SPAWN_SETSID: the first terminal it opens is its own.
            flags |= 0x80
            unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
            own = fcntl(terminal.keyboard, F_DUPFD_CLOEXEC, 3)
        } else {
            let pair = Self.socketPair()
            unsafe posix_spawn_file_actions_adddup2(&actions, pair[1], 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, pair[1], 1)
            closing.append(pair[1])
            own = pair[0]
        }
        if apart {
            let pair = Self.socketPair()
            unsafe posix_spawn_file_actions_adddup2(&actions, pair[1], 2)
            closing.append(pair[1])
            self.errorDescriptor = pair[0]
            self.errors = Lines(descriptor: pair[0])
        } else {
            unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
            self.errorDescriptor = -1
            self.errors = nil
        }
        unsafe catrace_close_from(&actions, 3)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        let path = words[0].hasPrefix("/") ? words[0] : Self.directory + words[0]
        let variables = environment.merging(
            [
                "TERM": "xterm", "USER": "tester", "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "XDG_STATE_HOME": self.state.path,
            ]
        ) { given, _ in given }.merging(sanitizerSettings) { given, _ in given }
        self.pid = unsafe Self.spawn(path, words, variables, &actions, &attributes)
        for descriptor in closing { close(descriptor) }
        super.init(descriptor: own)
        try #require(self.pid > 0, "\(path) could not be started")
    }

    private static func spawn(
        _ path: String, _ words: [String], _ variables: [String: String],
        _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
    ) -> pid_t {
        let settings = variables.map { "\($0.key)=\($0.value)" }.sorted()
        var strings = unsafe ([path] + words.dropFirst()).map { unsafe strdup($0) } + [nil]
        var pairs = unsafe settings.map { unsafe strdup($0) } + [nil]
        defer {
            for index in words.indices { unsafe free(strings[index]) }
            for index in settings.indices { unsafe free(pairs[index]) }
        }
        var pid = pid_t()
        let code = unsafe posix_spawn(&pid, path, &actions, &attributes, &strings, &pairs)
        return code == 0 ? pid : 0
    }

    /// No child of another test inherits them.
    private static func socketPair() -> [Int32] {
        var pair: [Int32] = [-1, -1]
        unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        return pair
    }

    deinit {
        if self.pid > 0, self.status == nil {
            kill(self.pid, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(self.pid, &status, 0)
        }
        if self.errorDescriptor >= 0 { close(self.errorDescriptor) }
    }

    /// Nothing once it has ended: its number may be another's.
    func signal(_ number: Int32) {
        if self.status == nil { kill(self.pid, number) }
    }

    /// Waits for its end; a program that was killed gives 128 and the signal, as in a shell.
    func exitCode(within seconds: Double = Lines.patience) async throws -> Int32 {
        try await self.lines.eventually("the end of \(self.pid)", within: seconds) {
            self.lines.pump()
            self.errors?.pump()
            if self.status != nil { return true }
            var status: Int32 = 0
            guard unsafe waitpid(self.pid, &status, WNOHANG) == self.pid else { return false }
            self.status = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
            return true
        }
        self.lines.pump()
        self.errors?.pump()
        return self.status ?? -1
    }

    /// Waits for the end of a program that ends by itself at once, without letting others go on meanwhile.
    func waitForEnd() -> Int32 {
        var status: Int32 = 0
        guard self.status == nil, unsafe waitpid(self.pid, &status, 0) == self.pid else { return -1 }
        self.status = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
        return self.status ?? -1
    }

    /// Kills it and waits until it is gone.
    func killHard() async throws {
        self.signal(SIGKILL)
        _ = try await self.exitCode()
    }

    /// A field of `/proc/PID/status`, such as `VmRSS`, in its unit.
    func status(_ field: String) -> Int {
        let line = contents(of: "/proc/\(self.pid)/status").split(separator: "\n").first {
            $0.hasPrefix(field)
        }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}

/// What `Tests/Sanitize/sanitize` tells the runtime of a sanitizer: the programs are built with it as the tests
/// are, and what it finds in them has to come where the script looks.
let sanitizerSettings: [String: String] = [
    "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE",
].reduce(into: [:]) { settings, name in
    if let value = unsafe getenv(name) { settings[name] = unsafe String(cString: value) }
}

/// A whole small file.
func contents(of path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = unsafe read(file, &buffer, buffer.count)
        if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
    }
}
