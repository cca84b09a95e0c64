import CEpoll
import Glibc
import RaceModel

extension SocketLoop {
    func handle(_ event: catrace_event, _ handler: any LoopHandler) {
        let connection = ConnectionID(
            slot: UInt32(truncatingIfNeeded: event.token),
            generation: UInt32(truncatingIfNeeded: event.token >> 32))
        guard let index = self.index(of: connection) else { return }
        let failed = event.mask & (catrace_failed | catrace_hung_up) != 0
        switch self.slots[index].state {
        case .free, .condemned: return
        case .connecting: return self.finishConnecting(index, connection, handler)
        case .open, .awaitingHeader, .awaitingFirstByte, .secured, .flushing, .draining: break
        }
        if event.mask & catrace_writable != 0 { self.flushPending(index, connection, handler) }
        guard failed || event.mask & (catrace_readable | catrace_input_ended) != 0 else { return }
        if failed, self.slots[index].paused || self.slots[index].inputEnded {
            return self.condemn(index, .reset)
        }
        self.read(index, connection, isLast: failed || event.mask & catrace_input_ended != 0, handler)
    }

    /// Reads on where the room in the buffer, or a batch, came to its end.
    func readUnfinished(_ handler: any LoopHandler) {
        let unfinished = self.unfinished
        self.unfinished.removeAll(keepingCapacity: true)
        for connection in unfinished {
            guard let index = self.index(of: connection), self.slots[index].state != .condemned else {
                continue
            }
            let isLast = self.slots[index].unfinished == .last
            self.slots[index].unfinished = .no
            self.read(index, connection, isLast: isLast, handler)
        }
    }

    func leaveUnfinished(_ index: Int, _ connection: ConnectionID, isLast: Bool = true) {
        if self.slots[index].unfinished == .no { self.unfinished.append(connection) }
        if isLast || self.slots[index].unfinished == .no {
            self.slots[index].unfinished = isLast ? .last : .yes
        }
    }

    private func finishConnecting(_ index: Int, _ connection: ConnectionID, _ handler: any LoopHandler) {
        let code = catrace_socket_error(self.slots[index].descriptor)
        guard code == 0 else {
            return self.condemn(index, .notConnected(TransportError(call: .connect, code: code)))
        }
        self.slots[index].state = .open
        self.updateInterest(index)
        if self.beginConnecting(index, connection, handler) { return }
        handler.connected(connection)
    }

    /// Once per batch, however much there is, so that others get their turn. The set reports only news, which
    /// saves the kernel a look at each connection and batch; so after a read that may have left something we
    /// come back: one that filled the buffer, or one of a connection whose end is in already (`isLast`) and
    /// was not what we read.
    private func read(
        _ index: Int, _ connection: ConnectionID, isLast: Bool, _ handler: any LoopHandler
    ) {
        if self.slots[index].state.isLayered {
            return self.readLayered(index, connection, isLast: isLast, handler)
        }
        guard !self.slots[index].inputEnded else { return }
        guard !self.slots[index].paused else {
            self.slots[index].armed = .max
            return
        }
        let descriptor = self.slots[index].descriptor
        self.counters.reads &+= 1
        let count = unsafe self.buffer.withUnsafeMutableBytes { room in
            unsafe catrace_receive(descriptor, room.baseAddress, UInt(room.count))
        }
        let isOpen = self.slots[index].state == .open
        switch count {
        case 1...:
            self.counters.received &+= count
            if isLast || count == self.buffer.count { self.leaveUnfinished(index, connection) }
            if isOpen { handler.received(connection, self.buffer[0..<count]) }
        case 0:
            self.slots[index].inputEnded = true
            if self.slots[index].state == .draining { return self.condemn(index, .closed) }
            self.updateInterest(index)
            if isOpen { handler.inputEnded(connection) }
        case -Int(EAGAIN): break
        case -Int(EINTR): self.leaveUnfinished(index, connection)
        default: self.condemn(index, .reset)
        }
    }

    private func flushPending(_ index: Int, _ connection: ConnectionID, _ handler: any LoopHandler) {
        guard self.slots[index].hasOutput, self.writePending(index), self.slots[index].state.isStanding else {
            return
        }
        self.updateInterest(index)
        handler.drained(connection)
    }

    /// One write of what waits.
    /// - Returns: whether that was all of it; the end of our side follows it if the connection is to close.
    func writePending(_ index: Int) -> Bool {
        let (descriptor, start) = (self.slots[index].descriptor, self.slots[index].pendingStart)
        let written = unsafe self.slots[index].pending.withUnsafeBytes {
            unsafe Self.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[start...]))
        }
        self.counters.writes &+= 1
        guard written >= 0 else {
            self.condemn(index, .reset)
            return false
        }
        guard written > 0 else { return false }
        self.slots[index].progressed = true
        self.slots[index].dropPending(first: written)
        self.pendingBytes -= written
        self.counters.sent &+= written
        guard self.slots[index].pending.isEmpty else { return false }
        if self.slots[index].state == .flushing { self.shut(index) }
        return true
    }

    /// All is written: ends our side, and the connection too if the peer's has ended.
    func shut(_ index: Int) {
        guard !self.slots[index].inputEnded, shutdown(self.slots[index].descriptor, Int32(SHUT_WR)) == 0
        else {
            return self.condemn(index, .closed)
        }
        self.slots[index].state = .draining
        self.updateInterest(index)
    }

    /// Bytes taken, 0 when the kernel takes none now, or -1.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count = unsafe catrace_send(descriptor, bytes.baseAddress, UInt(bytes.count))
            if count >= 0 { return count }
            if count == -Int(EAGAIN) { return 0 }
            if count != -Int(EINTR) { return -1 }
        }
    }
}
