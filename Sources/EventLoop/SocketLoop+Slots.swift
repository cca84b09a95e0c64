import CEpoll
import Glibc
import RaceModel

extension SocketLoop {
    func index(of connection: ConnectionID) -> Int? {
        let index = Int(connection.slot)
        guard index < self.slots.count, self.slots[index].generation == connection.generation,
            self.slots[index].state != .free
        else { return nil }
        return index
    }

    /// Takes a descriptor over. Nil: the kernel can't watch another; then it is closed.
    func add(_ descriptor: Int32, as state: ConnectionSlot.State) -> ConnectionID? {
        let index = self.takeSlot()
        self.slots[index].descriptor = descriptor
        self.slots[index].state = state
        let connection = ConnectionID(slot: UInt32(index), generation: self.slots[index].generation)
        self.slots[index].armed = catrace_readable | catrace_input_ended | catrace_edge
        guard
            catrace_epoll_control(self.epoll, 1, descriptor, self.slots[index].armed, self.token(index)) == 0
        else {
            Glibc.close(descriptor)
            self.slots[index] = ConnectionSlot()
            self.slots[index].generation = connection.generation &+ 1
            self.freeSlots.append(connection.slot)
            self.counters.live -= 1
            return nil
        }
        return connection
    }

    func takeSlot() -> Int {
        self.counters.live += 1
        if let slot = self.freeSlots.popLast() { return Int(slot) }
        self.slots.append(ConnectionSlot())
        return self.slots.count - 1
    }

    /// Ends a connection at the end of this batch. The first reason stands, and one we asked for is in order
    /// however the peer takes it.
    func condemn(_ index: Int, _ end: ConnectionEnd) {
        let state = self.slots[index].state
        guard state != .free, state != .condemned else { return }
        let isClosing = state == .flushing || state == .draining
        self.slots[index].state = .condemned
        self.pendingBytes -= self.slots[index].pendingCount
        self.slots[index].dropPending()
        if state == .secured { self.dropEarly(index) }
        let connection = ConnectionID(slot: UInt32(index), generation: self.slots[index].generation)
        self.condemned.append((connection, isClosing ? .closed : end))
    }

    func updateInterest(_ index: Int) { self.reconsidered.append(index) }

    /// A slot may be here twice, or be free or another connection's by now: what counts is what it is.
    func updateInterests() {
        for index in self.reconsidered {
            var mask = catrace_edge
            switch self.slots[index].state {
            case .free, .condemned, .connecting: continue
            case .open, .awaitingHeader, .awaitingFirstByte, .secured, .flushing, .draining: break
            }
            if !self.slots[index].paused, !self.slots[index].inputEnded {
                mask |= catrace_readable | catrace_input_ended
            }
            if self.slots[index].hasOutput { mask |= catrace_writable }
            if mask != self.slots[index].armed { self.watch(index, 3, mask) }
        }
        self.reconsidered.removeAll(keepingCapacity: true)
    }

    func watch(_ index: Int, _ operation: Int32, _ mask: UInt32) {
        self.slots[index].armed = mask
        let (descriptor, token) = (self.slots[index].descriptor, self.token(index))
        let code = -catrace_epoll_control(self.epoll, operation, descriptor, mask, token)
        guard code != 0 else { return }
        let isNew = self.slots[index].state == .connecting
        self.condemn(index, isNew ? .notConnected(TransportError(call: .epoll, code: code)) : .reset)
    }

    private func token(_ index: Int) -> UInt64 {
        UInt64(self.slots[index].generation) << 32 | UInt64(index)
    }
}
