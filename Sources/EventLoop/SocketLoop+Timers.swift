import Dispatch
package import RaceModel

extension SocketLoop {
    /// When `deadlinePassed` is due; nil: never. Free of charge unless it is earlier than all before it:
    /// deadlines move with every message, so the timer is left to fire early and then set again.
    package func setDeadline(_ deadline: Instant?) { self.deadline = deadline }

    func timerFired() {
        self.armedFor = nil
        guard let handler = self.handler else { return }
        self.now = Self.clock()
        self.passDeadlines(handler)
        self.finishBatch()
    }

    var isDue: Bool { self.nextDue().map { $0 <= self.now } ?? false }

    /// Does what is due.
    func passDeadlines(_ handler: any LoopHandler) {
        if let due = self.deadline, due <= self.now {
            self.deadline = nil
            handler.deadlinePassed()
        }
        if let due = self.acceptAgain, due <= self.now { self.acceptAgain = nil }
        self.expireLingering()
        self.expireWaits(handler)
    }

    /// Sets the timer if anything is due before it fires.
    func rearm() {
        guard let next = self.nextDue() else { return }
        if let armed = self.armedFor, armed <= next { return }
        self.arm(for: next)
    }

    /// When something is due, at the earliest.
    func nextDue() -> Instant? {
        var next = self.deadline
        if let due = self.acceptAgain { next = min(next ?? due, due) }
        if let due = self.firstWaitDue() { next = min(next ?? due, due) }
        // Most are closed by their peer long before: nothing wakes us for those.
        while self.lingeringStart < self.lingering.count,
            self.index(of: self.lingering[self.lingeringStart].connection) == nil
        {
            self.lingeringStart += 1
        }
        if self.lingeringStart == self.lingering.count, self.lingeringStart > 0 {
            self.lingering.removeAll(keepingCapacity: self.lingering.count < 1024)
            self.lingeringStart = 0
        }
        if self.lingeringStart < self.lingering.count {
            let due = self.lingering[self.lingeringStart].due
            next = min(next ?? due, due)
        }
        return next
    }

    func arm(for instant: Instant) {
        self.armedFor = instant
        // Dispatch's uptime clock is CLOCK_MONOTONIC in nanoseconds here.
        let time = DispatchTime(uptimeNanoseconds: UInt64(max(instant.nanoseconds, 1)))
        self.timer.schedule(deadline: time, leeway: .nanoseconds(0))
    }

    /// All linger equally long, so those added last are due last.
    /// - Parameter givenUp: whatever it takes until then; nil: as long as a connection may be closing.
    func startLingering(_ connection: ConnectionID, until givenUp: Instant? = nil) {
        self.lingering.append((self.now + Self.linger, givenUp ?? self.now + self.limits.closing, connection))
    }

    private func expireLingering() {
        while self.lingeringStart < self.lingering.count, self.lingering[self.lingeringStart].due <= self.now
        {
            let (_, givenUp, connection) = self.lingering[self.lingeringStart]
            self.lingeringStart += 1
            guard let index = self.index(of: connection) else { continue }
            if self.slots[index].progressed, self.now < givenUp {
                self.slots[index].progressed = false
                self.startLingering(connection, until: givenUp)
            } else {
                self.condemn(index, .closed)
            }
        }
        if self.lingeringStart > self.lingering.count / 2, self.lingeringStart < self.lingering.count {
            self.lingering.removeFirst(self.lingeringStart)
            self.lingeringStart = 0
        }
    }
}
