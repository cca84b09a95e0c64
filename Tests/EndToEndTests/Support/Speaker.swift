import Glibc

/// Somebody who can be spoken to: a program on pipes or at a terminal, or a bare socket.
class Speaker {
    let descriptor: Int32
    let lines: Lines
    private var isClosed = false

    init(descriptor: Int32) {
        self.descriptor = descriptor
        self.lines = Lines(descriptor: descriptor)
    }

    deinit { self.hangUp() }

    /// A line, ended by LF.
    func say(_ line: String) { self.send(Array((line + "\n").utf8)) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == ENOTSOCK {
                count = unsafe rest.withUnsafeBytes {
                    unsafe write(self.descriptor, $0.baseAddress, $0.count)
                }
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// What is said is over; what is heard is not.
    func endInput() { shutdown(self.descriptor, Int32(SHUT_WR)) }

    func hangUp() {
        if !self.isClosed { close(self.descriptor) }
        self.isClosed = true
    }
}

/// A bare connection to the server.
final class Socket: Speaker {
    init(port: Int) throws {
        // Programs of other tests must not hold it open.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        super.init(descriptor: descriptor)
        guard result == 0 else { throw Lines.Missing(description: "a connection to port \(port)") }
    }

    /// Ends it by a reset, as a machine that loses its power and comes back does.
    func reset() {
        var value = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            self.descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
        self.hangUp()
    }
}
