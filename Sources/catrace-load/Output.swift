import Glibc

/// Text to descriptors and files.
enum Output {
    static let isTerminal = isatty(STDERR_FILENO) == 1

    /// False when not all could be written.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Creates the file or empties it; nil when it can't be written.
    static func open(_ path: String) -> Int32? {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        return descriptor >= 0 ? descriptor : nil
    }

    static func fail(_ sentence: String, status: Int32) -> Never {
        Self.write("catrace-load: \(sentence)\n", to: STDERR_FILENO)
        exit(status)
    }

    /// A terminal's line, over the one before.
    static func showLive(_ line: String) { Self.write("\r\u{1B}[K\(line)", to: STDERR_FILENO) }
}
