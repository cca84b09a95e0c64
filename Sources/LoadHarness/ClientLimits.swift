package import EventLoop
import Glibc

/// What this process and this machine allow for, found out before a run, so that a limit on our side is
/// never taken for
/// one of the server.
package struct ClientLimits: Hashable, Sendable {
    /// Descriptors this process may still open; the soft limit was raised to the hard one.
    package var descriptors: Int
    /// Local ports of one source address for connections to one server.
    package var portsPerSource: Int

    /// For what is no connection: epoll, Dispatch, the report.
    private static let reserved = 16

    package init(descriptors: Int, portsPerSource: Int) {
        self.descriptors = descriptors
        self.portsPerSource = portsPerSource
    }

    /// Raises the soft limit of descriptors to the hard one, which every process may.
    package static func ofThisProcess() -> ClientLimits {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return ClientLimits(descriptors: 0, portsPerSource: Self.ports)
        }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        let open = (Int32(0)..<256).count { fcntl($0, F_GETFD) >= 0 }
        return ClientLimits(
            descriptors: max(0, Int(min(limit.rlim_cur, 1 << 30)) - open - Self.reserved),
            portsPerSource: Self.ports)
    }

    /// From the system's range; the usual one where it can't be read.
    private static var ports: Int {
        let usual = 28_232
        let descriptor = unsafe open("/proc/sys/net/ipv4/ip_local_port_range", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return usual }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return usual }
        let numbers = String(decoding: bytes[..<count], as: UTF8.self)
            .split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] >= numbers[0] else { return usual }
        return numbers[1] - numbers[0] + 1
    }

    /// The source addresses to use, and a sentence about which limit the run is nearest to.
    package struct Choice: Sendable {
        /// Nil: the kernel chooses.
        package var sources: [SocketAddress?]
        package var sentence: String
    }

    /// The run can't be made here; a sentence that says what is short and what would help.
    package struct Shortage: Error, Hashable {
        package var text: String
    }

    /// Keeps a tenth of the ports for others and for those not yet free again. With a server on 127.0.0.0/8
    /// and no
    /// sources given, as many loopback addresses are used as are needed.
    package func choose(
        players: Int, server: SocketAddress, given: [SocketAddress]
    ) throws(Shortage) -> Choice {
        guard players <= self.descriptors else {
            throw Shortage(
                text: "--players \(players) needs more descriptors than this process may open: choose "
                    + "\(self.descriptors) or fewer, or raise `ulimit -Hn`")
        }
        let perSource = max(1, self.portsPerSource / 10 * 9)
        let needed = (players + perSource - 1) / perSource
        var sources: [SocketAddress?] = given
        if given.isEmpty {
            sources = [nil]
            if needed > 1, server.description.hasPrefix("127.") {
                sources = (1...min(needed, 250)).map { SocketAddress("127.0.0.\($0)", port: 0) }
            }
        }
        guard needed <= sources.count else {
            throw Shortage(
                text: "--players \(players) needs \(needed) source addresses, for one has \(perSource) ports "
                    + "for it: give more, such as --sources 127.0.0.1-127.0.0.\(min(needed, 250))")
        }
        let ports = perSource * sources.count
        let sentence =
            self.descriptors <= ports
            ? "the first limit here is \(self.descriptors) descriptors (of \(ports) local ports)"
            : "the first limit here is \(ports) local ports of \(sources.count) source address"
                + (sources.count == 1 ? "" : "es") + " (of \(self.descriptors) descriptors)"
        return Choice(sources: sources, sentence: sentence)
    }

    /// Errors that say that this side is out of something.
    static func isOurs(_ error: TransportError) -> Bool {
        [EMFILE, ENFILE, EADDRNOTAVAIL, ENOBUFS, ENOMEM, EADDRINUSE].contains(error.code)
    }

    /// `ECONNREFUSED`, or the number of one that is rare.
    static func name(of code: Int32) -> String {
        switch code {
        case ECONNREFUSED: "ECONNREFUSED"
        case ECONNRESET: "ECONNRESET"
        case ETIMEDOUT: "ETIMEDOUT"
        case EHOSTUNREACH: "EHOSTUNREACH"
        case ENETUNREACH: "ENETUNREACH"
        case EADDRNOTAVAIL: "EADDRNOTAVAIL"
        case EADDRINUSE: "EADDRINUSE"
        case EMFILE: "EMFILE"
        case ENFILE: "ENFILE"
        case ENOBUFS: "ENOBUFS"
        case ENOMEM: "ENOMEM"
        case EINVAL: "EINVAL"
        case EACCES: "EACCES"
        case EPERM: "EPERM"
        default: "errno \(code)"
        }
    }
}
