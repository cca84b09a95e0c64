import EventLoop
import Glibc

/// How much memory this process may have: the least of what the machine can give, what its control group may have,
/// and its own limit of address space.
package enum MemoryLimits {
    /// In bytes; nil: nothing is known.
    package static func available() -> Int? {
        var least = Self.machine(Self.contents(of: "/proc/meminfo"))
        func consider(_ bytes: Int?) {
            guard let bytes else { return }
            least = min(least ?? bytes, bytes)
        }
        for path in Self.groupFiles(Self.contents(of: "/proc/self/cgroup")) {
            consider(Self.number(Self.contents(of: path)[...]))
        }
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < 1 << 62 {
            consider(Int(limit.rlim_cur))
        }
        return least
    }

    /// `MemAvailable` of /proc/meminfo, in bytes.
    static func machine(_ text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }

    /// The files that may tell a limit of the groups in /proc/self/cgroup and of those above them, in both versions
    /// of control groups. Inside a container the group's own path may not exist, and its root is the container's.
    static func groupFiles(_ text: String) -> [String] {
        var files: [String] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let (root, name): (String, String)
            if parts[0] == "0", parts[1].isEmpty {
                (root, name) = ("/sys/fs/cgroup", "memory.max")
            } else if parts[1].split(separator: ",").contains("memory") {
                (root, name) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            } else {
                continue
            }
            var path = ""
            files.append("\(root)/\(name)")
            for part in parts[2].split(separator: "/") {
                path += "/\(part)"
                files.append("\(root)\(path)/\(name)")
            }
        }
        return files
    }

    /// Nil for `max`, for what is no number, and for numbers that mean no limit.
    static func number(_ text: Substring) -> Int? {
        guard let bytes = Int(text.prefix { $0 != "\n" }), bytes < 1 << 62 else { return nil }
        return bytes
    }

    private static func contents(of path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1 << 16 {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
