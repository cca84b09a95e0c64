import CEpoll
import Glibc

/// Sockets of this machine alone, under the path of a file.
package enum LocalSocket {
    /// A socket can't be had: one sentence that says why, and what to do.
    package struct Failure: Error, Hashable, Sendable {
        package var sentence: String
        package init(sentence: String) { self.sentence = sentence }
    }

    /// Who is at the other end, as the kernel knows.
    package struct Peer: Hashable, Sendable {
        package var user: UInt32
        package var process: Int32
    }

    /// A path's bytes, at most.
    package static let pathBytes = 107
    private static let backlog: Int32 = 16

    /// Listens there, for this user alone. A file of an earlier listener that answers no more is replaced.
    /// - Returns: the descriptor, for `SocketLoop.listen(inherited:)`.
    package static func listen(at path: String) throws(Failure) -> Int32 {
        try Self.check(path)
        try Self.clear(path)
        let descriptor = catrace_local_socket()
        guard descriptor >= 0 else { throw Self.failure(path, -descriptor) }
        do throws(Failure) {
            let bound = unsafe catrace_local_bind(descriptor, path)
            guard bound == 0 else { throw Self.failure(path, -bound) }
            // Nobody can connect before it listens.
            guard unsafe chmod(path, 0o600) == 0, Glibc.listen(descriptor, Self.backlog) == 0 else {
                throw Self.failure(path, errno)
            }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Every later call on the descriptor waits for so many seconds at most.
    package static func connect(to path: String, seconds: Int) throws(Failure) -> Int32 {
        try Self.check(path)
        let descriptor = catrace_local_socket()
        guard descriptor >= 0 else { throw Self.failure(path, -descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let code = unsafe -catrace_local_connect(descriptor, path)
        guard code == 0 else {
            close(descriptor)
            switch code {
            case ENOENT, ECONNREFUSED, ENOTSOCK:
                throw Failure(
                    sentence: "no server listens at '\(path)': start one with --control, or name its path")
            case EACCES, EPERM:
                throw Failure(
                    sentence: "no right to speak at '\(path)': be the user that the server runs as, or root")
            default: throw Self.failure(path, code)
            }
        }
        return descriptor
    }

    package static func peer(of descriptor: Int32) -> Peer? {
        var peer = Peer(user: 0, process: 0)
        return unsafe catrace_local_peer(descriptor, &peer.user, &peer.process) == 0 ? peer : nil
    }

    private static func check(_ path: String) throws(Failure) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw Failure(sentence: "a socket needs the path of a file")
        }
        guard path.utf8.count <= Self.pathBytes else {
            throw Failure(
                sentence: "the path of a socket has at most \(Self.pathBytes) bytes, not \(path.utf8.count): "
                    + "choose a shorter one")
        }
    }

    /// Removes a socket at which nobody answers; anything else that is there stays.
    private static func clear(_ path: String) throws(Failure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw Failure(sentence: "'\(path)' is there already, and is no socket: choose another path")
        }
        let descriptor = catrace_local_socket()
        guard descriptor >= 0 else { throw Self.failure(path, -descriptor) }
        defer { close(descriptor) }
        let code = unsafe -catrace_local_connect(descriptor, path)
        guard code == ECONNREFUSED else {
            throw Failure(sentence: "somebody listens at '\(path)' already: end it, or choose another path")
        }
        guard unsafe unlink(path) == 0 else { throw Self.failure(path, errno) }
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        let reason = unsafe String(cString: strerror(code))
        return Failure(sentence: "no socket can be had at '\(path)' (\(reason)): choose another path")
    }
}
