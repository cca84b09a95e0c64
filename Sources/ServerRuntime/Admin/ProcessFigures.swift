import Glibc

/// What this process takes of its machine.
package struct ProcessFigures: Hashable, Sendable {
    /// In memory, in bytes.
    package var residentBytes = 0
    package var openDescriptors = 0
    package var mostDescriptors = 0
    /// Processor time, in seconds.
    package var processorSeconds = 0.0
    /// Since 1970, in seconds.
    package var startedAt = 0.0

    package static func now() -> ProcessFigures {
        var figures = ProcessFigures()
        let words = Self.text(of: "/proc/self/statm").split(separator: " ")
        if words.count > 1, let pages = Int(words[1]) { figures.residentBytes = pages * Int(getpagesize()) }
        if let folder = unsafe opendir("/proc/self/fd") {
            // Without `.`, `..` and the one that looks.
            var entries = -3
            while unsafe readdir(folder) != nil { entries += 1 }
            unsafe closedir(folder)
            figures.openDescriptors = max(0, entries)
        }
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.mostDescriptors = Int(min(limit.rlim_cur, 1 << 40))
        }
        var usage = rusage()
        if unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            figures.processorSeconds =
                Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        }
        figures.startedAt = Self.startedAt
        return figures
    }

    /// Read once: boot time and the 22nd field of the process's own line, in clock ticks.
    private static let startedAt: Double = {
        let stat = Self.text(of: "/proc/self/stat")
        let boot = Self.text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard let boot = boot.flatMap({ Double($0.dropFirst(6)) }), let end = stat.lastIndex(of: ")") else {
            return 0
        }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = Double(fields[19]) else { return 0 }
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func text(of path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { room in
                unsafe read(descriptor, room.baseAddress! + count, room.count - count)
            }
            guard got > 0 else { break }
            count += got
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
