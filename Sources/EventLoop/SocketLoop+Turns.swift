import CEpoll
import Dispatch
import Glibc
import RaceModel

/// Idle, the loop is woken by Dispatch, at the price of two switches of threads for each time. Busy, it keeps its
/// thread and waits in the kernel by itself, like any bare loop; every few batches, and whenever the doorbell rings,
/// it goes to the end of its queue. After a quiet moment it is Dispatch's again.
extension SocketLoop {
    /// Events that come closer together than this make the loop busy; without one for as long it becomes idle.
    static let busySpan = Instant.Span.milliseconds(20)
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
            let (waits, isLast) = self.nextWait()
            let count = self.awaitEvents(waits)
            if waits { self.doorbell.stopWaiting() }
            self.now = Self.clock()
            let isDue = self.isBusy && self.isDue
            let isNews = count > 1 || count == 1 && self.events[0].token != Self.alarmToken
            guard isNews || isDue || !self.unfinished.isEmpty else {
                if count == 1 { self.alarm.hasRung() }
                if isLast { break }
                let quiet = (self.now - self.lastNews).nanoseconds
                guard self.isBusy, quiet < Self.busySpan.nanoseconds else { return self.becomeIdle() }
                continue
            }
            self.lastNews = self.now
            self.handleEvents(count, isDue: isDue, handler)
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

    /// Whether the next look at the set may wait, and whether other work must have its turn behind it.
    private func nextWait() -> (waits: Bool, isLast: Bool) {
        guard self.isBusy else { return (false, false) }
        guard self.unfinished.isEmpty else { return (false, self.doorbell.isRung) }
        var end = self.now + Self.busySpan
        if let due = self.nextDue(), due < end {
            // It may be always due, as while many wait for a turn.
            guard due > Self.clock() else { return (false, self.doorbell.isRung) }
            end = due
        }
        self.alarm.ring(by: end)
        return self.doorbell.startWaiting() ? (true, false) : (false, true)
    }

    private func awaitEvents(_ waits: Bool) -> Int {
        let epoll = self.epoll
        return Int(
            unsafe self.events.withUnsafeMutableBufferPointer {
                unsafe catrace_epoll_wait(epoll, $0.baseAddress, waits)
            })
    }

    /// Those who stand are heard and answered first; what takes longer comes behind them: what is due, which may be
    /// much, new connections, handshakes, and what was left to read.
    private func handleEvents(_ count: Int, isDue: Bool, _ handler: any LoopHandler) {
        self.counters.batches &+= 1
        self.layers.allowNoSteps()
        for index in 0..<max(0, count) {
            let event = self.events[index]
            if event.token & Self.listenerBit == 0 {
                self.handle(event, handler)
            } else if event.token == Self.alarmToken {
                self.alarm.hasRung()
            } else if event.token != Self.doorbellToken {
                self.readyListeners.append(Int(event.token & (Self.listenerBit - 1)))
            }
        }
        if count == self.events.count { self.fullBatches += 1 }
        if isDue || !self.readyListeners.isEmpty || !self.unfinished.isEmpty {
            handler.batchEnded()
            if !self.isShutDown { self.handleRest(isDue: isDue, handler) }
        }
        self.finishBatch()
    }

    private func handleRest(isDue: Bool, _ handler: any LoopHandler) {
        if isDue { self.passDeadlines(handler) }
        for listener in self.readyListeners { self.accept(at: listener, handler) }
        self.readyListeners.removeAll(keepingCapacity: true)
        self.layers.allowSteps()
        self.readUnfinished(handler)
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
