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
    /// What lines go through, one at a time.
    private struct Ways: Sendable {
        var rate = LogRate()
        var audit: AuditFile?
    }

    private let ways: QueueConfined<Ways>
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)

    /// - Parameter audit: where acts of operators are written, beside the log; nil: only there.
    package init(level: LogLine.Level, format: LogFormat = .text, audit: AuditFile? = nil) {
        self.style = Mutex(Style(level: level, format: format))
        self.ways = QueueConfined(Ways(audit: audit), on: DispatchQueue(label: "catrace.log"))
    }

    /// Acts go into this file from now on.
    func take(_ audit: AuditFile) {
        self.ways.enqueue { ways in
            if ways.audit == nil { ways.audit = audit } else { ways.audit?.goOn(in: audit) }
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
        let lines = always ? lines : lines.filter { $0.level >= style.level || $0.event == LogLine.audit }
        guard !lines.isEmpty else { return }
        let isAudit = lines.contains { $0.event == LogLine.audit }
        guard isAudit || self.waiting.load(ordering: .relaxed) < Self.backlogLines else {
            self.dropped.add(lines.count, ordering: .relaxed)
            self.lost.add(lines.count, ordering: .relaxed)
            return
        }
        self.waiting.add(lines.count, ordering: .relaxed)
        self.ways.enqueue { ways in
            var text = ""
            var (acts, audit) = (0, "")
            let (now, time) = (SocketLoop.clock(), Self.timestamp())
            let dropped = self.dropped.exchange(0, ordering: .relaxed)
            if dropped > 0 {
                let line = LogLine(.warning, "log-lines-lost", [LogLine.Field("count", "\(dropped)")])
                text += style.format.line(line, time: time)
            }
            for line in lines {
                guard line.event == LogLine.audit else {
                    guard let leftOut = ways.rate.admit(line.event, now: now) else { continue }
                    text += style.format.line(line, time: time, leftOut: leftOut)
                    continue
                }
                let act = style.format.line(line, time: time)
                (acts, audit, text) = (acts + 1, audit + act, text + act)
            }
            if acts > 0, let news = ways.audit?.append(audit, acts: acts) {
                text += style.format.line(news, time: time)
            }
            writeFully(text, to: STDERR_FILENO)
            self.waiting.subtract(lines.count, ordering: .relaxed)
        }
    }

    /// Waits until what was given is written, but not for long.
    package func flush() {
        let written = DispatchSemaphore(value: 0)
        self.ways.enqueue { _ in written.signal() }
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
