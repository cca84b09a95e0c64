import Glibc

/// What a program writes into a pipe. Every wait ends after thirty seconds at most.
final class CaughtStream {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false

    /// Takes over the descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(self.descriptor) }

    /// One page is all that it holds unread from here on.
    func narrow() {
        let setPipeSize: Int32 = 1031  // F_SETPIPE_SZ of linux/fcntl.h, which the Glibc module leaves out
        _ = fcntl(self.descriptor, setPipeSize, 4096)
    }

    /// One line, without its end, which is taken away. At the end of the stream: what there is.
    func line() -> String {
        self.read { self.bytes.contains(UInt8(ascii: "\n")) }
        let line = self.bytes.prefix { $0 != UInt8(ascii: "\n") }
        self.bytes.removeFirst(min(line.count + 1, self.bytes.count))
        return text(Array(line))
    }

    /// All up to the end, which is taken away.
    func rest() -> String {
        self.read { false }
        defer { self.bytes = [] }
        return text(self.bytes)
    }

    /// The lines so far that hold a word, as soon as there are more than `count` of them; nothing is taken away.
    func lines(holding word: String, moreThan count: Int = 0) -> [String] {
        func found() -> [String] {
            // What comes behind the last end of a line is none yet.
            let whole = self.bytes.prefix((self.bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
            return text(Array(whole)).split(separator: "\n").map(String.init).filter { $0.contains(word) }
        }
        self.read { found().count > count }
        return found()
    }

    /// Reads until it is enough, up to the end.
    private func read(until isEnough: () -> Bool) {
        let end = elapsed() + 30
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while !self.hasEnded, !isEnough() {
            var ready = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
            let left = max(0, Int32((end - elapsed()) * 1000))
            guard unsafe poll(&ready, 1, left) == 1 else { return }
            let count = unsafe Glibc.read(self.descriptor, &buffer, buffer.count)
            if count > 0 { self.bytes += buffer[..<count] } else { self.hasEnded = true }
        }
    }
}
