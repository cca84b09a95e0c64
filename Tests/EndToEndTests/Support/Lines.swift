import Glibc

/// What somebody says, line by line: lines are waited for, never slept for.
///
/// Waiting is asynchronous, so that many slow conversations go on at once.
final class Lines {
    /// What did not come, and what came instead.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// For each wait, unless a test says otherwise, in seconds: far more than any machine needs.
    static let patience = 60.0

    private let descriptor: Int32
    /// Every byte that came.
    private(set) var bytes: [UInt8] = []
    /// Every whole line that came, without its end.
    private(set) var all: [String] = []
    private var lineStart = 0
    private var nextLine = 0
    private(set) var hasEnded = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    var text: String { String(decoding: self.bytes, as: UTF8.self) }

    /// Takes what is there.
    func pump() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while !self.hasEnded {
            var ready = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&ready, 1, 0) == 1 else { break }
            let count = unsafe read(self.descriptor, &buffer, buffer.count)
            if count > 0 { self.take(buffer[..<count]) } else { self.hasEnded = true }
        }
    }

    private func take(_ piece: ArraySlice<UInt8>) {
        self.bytes += piece
        while let end = self.bytes[self.lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = self.bytes[self.lineStart..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            self.all.append(String(decoding: line, as: UTF8.self))
            self.lineStart = end + 1
        }
    }

    /// The next line that is no note and is here already.
    func nextNow() -> String? {
        self.pump()
        while self.nextLine < self.all.count {
            self.nextLine += 1
            let line = self.all[self.nextLine - 1]
            if !line.hasPrefix("#") { return line }
        }
        return nil
    }

    /// The next line that is no note; nil at the end.
    func next(within seconds: Double = patience) async throws -> String? {
        let end = elapsed() + seconds
        while true {
            if let line = self.nextNow() { return line }
            if self.hasEnded { return nil }
            guard elapsed() < end else { throw self.missing("a line") }
            try await Task.sleep(for: .milliseconds(4))
        }
    }

    /// The next line that begins so; those before it are passed over.
    @discardableResult
    func wait(for prefix: String, within seconds: Double = patience) async throws -> String {
        let end = elapsed() + seconds
        while let line = try await self.next(within: max(0, end - elapsed())) {
            if line.hasPrefix(prefix) { return line }
        }
        throw self.missing("'\(prefix)'")
    }

    /// Whether all that came so far holds this, now or soon; lines are not passed over.
    func holds(_ word: String, within seconds: Double = patience) async throws {
        try await eventually("'\(word)'", within: seconds) {
            self.pump()
            return self.text.contains(word)
        }
    }

    /// All lines that are left, notes apart, up to the end of the stream.
    func rest(within seconds: Double = patience) async throws -> [String] {
        let end = elapsed() + seconds
        var lines: [String] = []
        while let line = try await self.next(within: max(0, end - elapsed())) { lines.append(line) }
        return lines
    }

    /// Waits, and throws when it does not come to hold in time.
    func eventually(_ what: String, within seconds: Double, _ condition: () throws -> Bool) async throws {
        let end = elapsed() + seconds
        while try !condition() {
            guard elapsed() < end else { throw self.missing(what) }
            try await Task.sleep(for: .milliseconds(4))
        }
    }

    private func missing(_ what: String) -> Missing {
        Missing(
            description: "\(what) did not come\(self.hasEnded ? " before the end" : "") after:\n"
                + self.all.suffix(25).joined(separator: "\n"))
    }
}

/// Seconds on the monotonic clock.
func elapsed() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Waits until it holds; false when it does not in time.
func eventually(within seconds: Double = Lines.patience, _ condition: () async throws -> Bool) async throws
    -> Bool
{
    let end = elapsed() + seconds
    while try await !condition() {
        guard elapsed() < end else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}
