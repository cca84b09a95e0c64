import CEpoll
import Dispatch
import Glibc
import RaceModel

/// Idle, the loop is woken by Dispatch, at the price of two switches of threads for each time. Busy, it keeps its
/// thread and waits in the kernel by itself, like any bare loop; every few batches, and whenever the doorbell rings,
/// it goes to the end of its queue. After a quiet moment it is Dispatch's again.
extension SocketLoop {
    /// Events that come closer together than this make the loop busy; without one for as long it becomes idle.
    static let busySpan = Instant.Span(nanoseconds: 5_000_000)
    /// Batches handled before other work on the queue gets its turn.
    static let batchesPerTurn = 16

    func sourceFired() {
        let now = Self.clock()
        if (now - self.lastFired).nanoseconds <= Self.busySpan.nanoseconds { self.becomeBusy() }
        self.lastFired = now
        self.turn()
    }

    func turn() {
        self.isTurnQueued = false
        var batches = 0
        repeat {
            guard let handler = self.handler else { return }
            if self.isPaused {
                self.becomeBusy()  // The source would fire all the time.
                return self.rearm()
            }
            let (wait, isLast) = self.nextWait()
            let count = self.awaitEvents(wait)
            if wait > 0 { self.doorbell.stopWaiting() }
            self.now = Self.clock()
            let isDue = self.isBusy && self.passDeadlines(handler)
            guard count > 0 || isDue || !self.unfinished.isEmpty else {
                if isLast { break }
                return self.becomeIdle()
            }
            self.handleEvents(count, handler)
            if self.handler == nil { return }
            // What is left to read no source will tell of.
            if !self.unfinished.isEmpty { self.becomeBusy() }
            // What is left in the set makes the source fire again.
            if !self.isBusy { return }
            if isLast { break }
            batches += 1
        } while batches < Self.batchesPerTurn
        self.doorbell.answer()
        self.queueTurn()
    }

    private func queueTurn() {
        guard let again = self.again, !self.isTurnQueued else { return }
        self.isTurnQueued = true
        self.queue.async(execute: again)
    }

    /// Looks at no socket, neither to read, to accept nor to write on, until `resume`: what is ready waits in the
    /// kernel. Sends, closes and deadlines go on.
    package func pause() { self.isPaused = true }

    package func resume() {
        guard self.isPaused else { return }
        self.isPaused = false
        if self.isBusy { self.queueTurn() }
    }

    /// How long the next look at the set may take, in nanoseconds, and whether other work must have its turn behind it.
    private func nextWait() -> (wait: Int64, isLast: Bool) {
        guard self.isBusy, self.unfinished.isEmpty else { return (0, false) }
        var wait = Self.busySpan.nanoseconds
        // The clock is read again only if it can matter: no batch takes a second.
        if let due = self.nextDue(), (due - self.now).nanoseconds < 1_000_000_000 {
            wait = min(wait, (due - Self.clock()).nanoseconds)
            guard wait > 0 else { return (0, false) }
        }
        return self.doorbell.startWaiting() ? (wait, false) : (0, true)
    }

    private func awaitEvents(_ wait: Int64) -> Int {
        let epoll = self.epoll
        return Int(
            unsafe self.events.withUnsafeMutableBufferPointer {
                unsafe catrace_epoll_wait(epoll, $0.baseAddress, wait)
            })
    }

    private func handleEvents(_ count: Int, _ handler: any LoopHandler) {
        self.counters.batches &+= 1
        if !self.unfinished.isEmpty { self.readUnfinished(handler) }
        for index in 0..<max(0, count) {
            let event = self.events[index]
            if event.token & Self.listenerBit == 0 {
                self.handle(event, handler)
            } else if event.token != Self.doorbellToken {
                self.accept(at: Int(event.token & (Self.listenerBit - 1)), handler)
            }
        }
        self.finishBatch()
    }

    // MARK: Busy and idle

    private func becomeBusy() {
        guard !self.isBusy, !self.isShutDown else { return }
        self.isBusy = true
        self.source.suspend()
    }

    private func becomeIdle() {
        guard self.isBusy else { return }
        self.isBusy = false
        self.rearm()
        self.source.resume()
    }
}
