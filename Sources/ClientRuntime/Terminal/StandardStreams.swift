import Glibc

/// Standard input, output and error, written whole whatever mode they are in.
package enum StandardStreams {
    /// A descriptor that the parent closed would be given to the first socket.
    package static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// - Returns: false when nobody reads it any more.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&ready, 1, 1000)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    @discardableResult
    package static func write(_ text: String, to descriptor: Int32) -> Bool {
        self.write(Array(text.utf8), to: descriptor)
    }

    /// The next piece, waited for; nil at the end.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 { return Array(buffer[..<count]) }
            switch count == 0 ? 0 : errno {
            case EINTR: continue
            case EAGAIN:
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                unsafe poll(&ready, 1, 1000)
            case EIO where self.isTerminal(descriptor):
                // A job in the background: the keys are not ours now.
                usleep(200_000)
            default: return nil
            }
        }
    }

    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
