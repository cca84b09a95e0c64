import Dispatch
import EventLoop
import Glibc
package import ServerCore
import Synchronization

/// Writes log lines to stderr from a queue of its own: a reader that stalls delays no move. What it can't
/// keep up with is left out and counted.
package final class LogWriter: Sendable {
    private static let backlogLines = 4096

    /// What a reload may change.
    private struct Style: Sendable {
        var level: LogLine.Level
        var format: LogFormat
    }

    private let style: Mutex<Style>
    /// Of the queue that writes to stderr.
    private let rate: QueueConfined<LogRate>
    /// On a queue of its own: that a reader of the log stalls is no reason to keep an act unwritten, or unanswered.
    private let audit: QueueConfined<AuditFile?>
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)

    /// - Parameter audit: where acts of operators are written, beside the log; nil: only there.
    package init(level: LogLine.Level, format: LogFormat = .text, audit: AuditFile? = nil) {
        self.style = Mutex(Style(level: level, format: format))
        self.rate = QueueConfined(LogRate(), on: DispatchQueue(label: "catrace.log"))
        self.audit = QueueConfined(audit, on: DispatchQueue(label: "catrace.audit"))
    }

    /// Acts go into this file from now on.
    func take(_ audit: AuditFile) {
        self.audit.enqueue { file in
            if file == nil { file = audit } else { file?.goOn(in: audit) }
        }
    }

    package var level: LogLine.Level { self.style.withLock { $0.level } }

    package func change(level: LogLine.Level? = nil, format: LogFormat? = nil) {
        self.style.withLock { style in
            if let level { style.level = level }
            if let format { style.format = format }
        }
    }

    /// Lines that there was no time to write.
    package var linesLost: Int { self.lost.load(ordering: .relaxed) }

    package func isWritten(_ level: LogLine.Level) -> Bool { level >= self.level }

    /// - Parameter always: whatever the level: the operator asked for it.
    package func write(_ lines: [LogLine], always: Bool = false) {
        let style = self.style.withLock { $0 }
        let lines = always ? lines : lines.filter { $0.level >= style.level }
        guard !lines.isEmpty else { return }
        guard self.waiting.load(ordering: .relaxed) < Self.backlogLines else {
            self.dropped.add(lines.count, ordering: .relaxed)
            self.lost.add(lines.count, ordering: .relaxed)
            return
        }
        self.waiting.add(lines.count, ordering: .relaxed)
        self.rate.enqueue { rate in
            var text = ""
            let (now, time) = (SocketLoop.clock(), Self.timestamp())
            let dropped = self.dropped.exchange(0, ordering: .relaxed)
            if dropped > 0 {
                let line = LogLine(.warning, "log-lines-lost", [LogLine.Field("count", "\(dropped)")])
                text += style.format.line(line, time: time)
            }
            for line in lines {
                guard let leftOut = rate.admit(line.event, now: now) else { continue }
                text += style.format.line(line, time: time, leftOut: leftOut)
            }
            writeFully(text, to: STDERR_FILENO)
            self.waiting.subtract(lines.count, ordering: .relaxed)
        }
    }

    /// Writes down what an operator did, whatever the level and each time: into the audit file, if there is one, and
    /// into the log.
    /// - Parameter completion: called on some queue once the file has it, or can't have it; the log may take longer.
    package func write(act fields: [LogLine.Field], then completion: @escaping @Sendable () -> Void = {}) {
        let format = self.style.withLock { $0.format }
        let time = Self.timestamp()
        let act = format.line(LogLine(.info, "audit", fields), time: time)
        // In the log it comes ahead of what follows from it.
        self.rate.enqueue { _ in writeFully(act, to: STDERR_FILENO) }
        self.audit.enqueue { file in
            let news = file?.append(act).map { format.line($0, time: time) }
            completion()
            if let news { self.rate.enqueue { _ in writeFully(news, to: STDERR_FILENO) } }
        }
    }

    /// Waits until what was given is written, but not for long.
    package func flush() {
        let written = DispatchSemaphore(value: 0)
        self.audit.enqueue { _ in self.rate.enqueue { _ in written.signal() } }
        _ = written.wait(timeout: .now() + .milliseconds(200))
    }

    /// Universal time, to the millisecond: `2026-01-31T12:00:00.250Z`.
    private static func timestamp() -> String {
        var time = timespec()
        var parts = unsafe tm()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        unsafe gmtime_r(&time.tv_sec, &parts)
        func padded(_ value: some BinaryInteger, _ width: Int) -> String {
            let digits = "\(value)"
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date =
            unsafe "\(Int(parts.tm_year) + 1900)-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        let clock = unsafe "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
        return "\(date)T\(clock).\(padded(time.tv_nsec / 1_000_000, 3))Z"
    }
}

/// Writes all of a text, or as much as the other end takes: that it is closed is nobody's trouble.
package func writeFully(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            bytes = bytes.dropFirst(count)
        } else if errno == EAGAIN {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            unsafe poll(&ready, 1, 1000)
        } else if errno != EINTR {
            return
        }
    }
}
