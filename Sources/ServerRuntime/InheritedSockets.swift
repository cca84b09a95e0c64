import Glibc

/// Listening sockets handed over by whoever started us, as systemd's socket activation does (sd_listen_fds(3)):
/// descriptors from 3 on, their number in LISTEN_FDS, and in LISTEN_PID whom they are meant for.
package enum InheritedSockets {
    private static let first: Int32 = 3
    private static let most = 16

    /// Takes them over, once: our children must not believe that they are theirs. Empty when there are none.
    /// A descriptor that is no listening TCP socket is a fault of the unit file.
    package static func take(process: Int32 = getpid()) throws(SettingFault) -> [Int32] {
        let meantFor = Self.variable("LISTEN_PID")
        let count = Self.variable("LISTEN_FDS")
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
        guard let count, meantFor == "\(process)" else { return [] }
        guard let number = Int(count), (1...Self.most).contains(number) else {
            throw SettingFault(
                "LISTEN_FDS must be a whole number from 1 to \(Self.most), not '\(PrintableText.of(count))'")
        }
        let descriptors = (0..<Int32(number)).map { Self.first + $0 }
        for descriptor in descriptors {
            guard Self.listens(descriptor) else {
                throw SettingFault(
                    "descriptor \(descriptor), handed over by the starter, is no listening TCP socket: "
                        + "use ListenStream= in the unit file")
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
        return descriptors
    }

    private static func listens(_ descriptor: Int32) -> Bool {
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
        }
        guard let family = option(SO_DOMAIN), family == AF_INET || family == AF_INET6 else { return false }
        return option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) && option(SO_ACCEPTCONN) == 1
    }

    private static func variable(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }
}
