import Glibc

/// How many descriptors this process may have.
package enum Descriptors {
    /// Kept, beside those that are open when we start, for what is no connection: listeners, epoll,
    /// Dispatch, the store.
    private static let reserved = 13

    /// Raises the soft limit to the hard one, which every process may, and says how many connections that
    /// allows.
    package static func connectionsAllowed() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        let open = (Int32(0)..<256).count { fcntl($0, F_GETFD) >= 0 }
        return max(0, Int(min(limit.rlim_cur, 1 << 30)) - open - Self.reserved)
    }

    /// A standard stream that the parent closed is opened on `/dev/null`: otherwise a connection would get
    /// its number, and its player the log.
    package static func openStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
