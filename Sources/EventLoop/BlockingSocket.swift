import CEpoll
import Glibc

/// A socket for programs that ask one question and end: every call waits, but not for longer than it is told.
package enum BlockingSocket {
    /// - Parameter seconds: of each call.
    package static func connect(to address: SocketAddress, seconds: Int) throws(TransportError) -> Int32 {
        var raw = address.raw
        let descriptor = unsafe catrace_socket(&raw)
        guard descriptor >= 0 else { throw TransportError(call: .socket, code: -descriptor) }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        let code = unsafe -catrace_connect(descriptor, &raw)
        guard code == 0 else {
            close(descriptor)
            throw TransportError(call: .connect, code: code == EINPROGRESS ? ETIMEDOUT : code)
        }
        return descriptor
    }
}
