import Glibc
package import RaceModel

/// What the server's process used in the window, where it runs on this machine and its process id is known.
package struct ServerProcess: Sendable {
    package struct Usage: Hashable, Sendable {
        /// User and system, of all its threads; the kernel counts in hundredths of a second.
        package var processor: Instant.Span
        package var residentBytes: Int
    }

    private let pid: Int32
    private var phase = LoadFleet.Phase.ramp
    private var atStart: Usage?
    /// Processor time within the window, and memory at its end; nil: the process was not there.
    package private(set) var used: Usage?

    package init(pid: Int32) { self.pid = pid }

    package var isThere: Bool { self.read() != nil }

    mutating func follow(_ phase: LoadFleet.Phase) {
        guard phase != self.phase else { return }
        if phase == .measuring {
            self.atStart = self.read()
        } else if self.phase == .measuring, let start = self.atStart, var end = self.read() {
            end.processor.nanoseconds -= start.processor.nanoseconds
            self.used = end
        }
        self.phase = phase
    }

    private func read() -> Usage? {
        let descriptor = unsafe open("/proc/\(self.pid)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return Self.parse(String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// A line of `/proc/PID/stat`.
    static func parse(_ line: String) -> Usage? {
        // Behind the program's name, which may hold anything: the state is the third field of the line.
        guard let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[line.index(after: end)...].split(separator: " ")
        guard fields.count > 21, let user = Int64(fields[11]), let system = Int64(fields[12]),
            let pages = Int(fields[21])
        else { return nil }
        let nanosecondsPerTick = 1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        return Usage(
            processor: Instant.Span(nanoseconds: (user &+ system) &* nanosecondsPerTick),
            residentBytes: pages &* Int(sysconf(Int32(_SC_PAGESIZE))))
    }
}
