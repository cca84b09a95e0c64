import CSpawn
import Glibc
import Testing

/// The real server binary, or a shell that starts it, with its output caught.
final class Child {
    let pid: pid_t
    private let output: CaughtStream
    /// What it says on stderr.
    let errors: CaughtStream
    private var isReaped = false

    /// Built next to the tests.
    static let server: String = {
        var path = [CChar](repeating: 0, count: 4096)
        unsafe readlink("/proc/self/exe", &path, 4095)
        let own = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + "catrace-server"
    }()

    /// `shell`: a command line in which `$0` is the server; otherwise the server with these arguments. It keeps
    /// nothing on disk, unless they say where.
    /// Descriptor 3 of the child is `inherited`, if that is given: a shell's own redirections know one digit only.
    init(
        _ arguments: [String] = [], shell: String? = nil, blockingSignals: Bool = false,
        inherited: Int32? = nil
    ) throws {
        var (out, err): ([Int32], [Int32]) = ([0, 0], [0, 0])
        unsafe catrace_pipe(&out)
        unsafe catrace_pipe(&err)
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_adddup2(&actions, out[1], 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, err[1], 2)
        if let inherited { unsafe posix_spawn_file_actions_adddup2(&actions, inherited, 3) }
        unsafe catrace_close_from(&actions, inherited == nil ? 3 : 4)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        if blockingSignals {
            var all = sigset_t()
            unsafe sigfillset(&all)
            unsafe posix_spawnattr_setsigmask(&attributes, &all)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        }
        let keeps = arguments.contains("--data") || shell?.contains("--data") == true
        let words =
            // Dash knows no descriptors of two digits, which tests beside each other come to.
            shell.map { ["/bin/bash", "-c", (keeps ? "" : "export CATRACE_MEMORY=yes; ") + $0, Self.server] }
            ?? [Self.server] + Self.forgetting(arguments, keeps: keeps)
        var strings = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in words.indices { unsafe free(strings[index]) } }
        var pid = pid_t()
        let code = unsafe posix_spawn(&pid, words[0], &actions, &attributes, &strings, environ)
        unsafe posix_spawn_file_actions_destroy(&actions)
        close(out[1])
        close(err[1])
        self.pid = pid
        self.output = CaughtStream(out[0])
        self.errors = CaughtStream(err[0])
        try #require(code == 0, "\(words[0]) could not be started: build it first")
    }

    /// A verb comes first, and a flag that is last may want a value.
    private static func forgetting(_ arguments: [String], keeps: Bool) -> [String] {
        guard !keeps else { return arguments }
        let isVerb = arguments.first.map { !$0.hasPrefix("-") } ?? false
        return isVerb ? arguments + ["--memory"] : ["--memory"] + arguments
    }

    deinit {
        if !self.isReaped {
            kill(self.pid, SIGKILL)
            _ = self.exitCode()
        }
    }

    /// The first line of stdout, and the port in it.
    func port() throws -> UInt16 {
        let line = self.line()
        return try #require(line.split(separator: "port=").last.flatMap { UInt16($0) }, "stdout: \(line)")
    }

    /// One line of stdout.
    func line() -> String { self.output.line() }

    /// One line of stderr.
    func errorLine() -> String { self.errors.line() }

    func restOfOutput() -> String { self.output.rest() }
    func restOfErrors() -> String { self.errors.rest() }

    func signal(_ number: Int32) { kill(self.pid, number) }

    /// Stops all its threads, and waits until they are: until then one of them may still answer.
    func stop() {
        self.signal(SIGSTOP)
        waitid(P_PID, id_t(self.pid), nil, WSTOPPED | WEXITED | WNOWAIT)
    }

    /// Waits, for thirty seconds at most; a process that was killed gives 128 and the signal, as in a shell.
    func exitCode() -> Int32 {
        var status: Int32 = 0
        let ended = eventually { unsafe waitpid(self.pid, &status, WNOHANG) != 0 }
        if !ended {
            kill(self.pid, SIGKILL)
            unsafe waitpid(self.pid, &status, 0)
        }
        self.isReaped = true
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }

    /// Processor time so far, in clock ticks of 10 ms.
    var ticks: Int {
        let fields =
            contents(of: "/proc/\(self.pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    /// How often its threads went to sleep or were interrupted so far.
    var switches: Int {
        directoryEntries("/proc/\(self.pid)/task").reduce(0) { sum, task in
            contents(of: "/proc/\(self.pid)/task/\(task)/status").split(separator: "\n")
                .filter { $0.contains("ctxt_switches") }
                .reduce(sum) { $0 + (Int($1.split(separator: "\t").last ?? "") ?? 0) }
        }
    }
}
