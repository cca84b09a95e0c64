import RaceModel
import ServerCore

/// Connections: bytes are cut and joined, late, and in order within one connection only.
extension World {
    /// Opens a connection. What is written before the server accepts it waits.
    mutating func open(program: Int?) -> ConnectionID {
        let slot: Int
        if let free = self.freeSlots.popLast() {
            slot = free
            self.generations[slot] += 1
        } else {
            slot = self.links.count
            self.links.append(nil)
            self.generations.append(1)
        }
        let id = ConnectionID(slot: UInt32(slot), generation: self.generations[slot])
        // People share addresses in threes; all vandals come from a few.
        let address =
            program.map { NetworkAddress(ipv4: 0x0A00_0000 + UInt32(self.programs[$0].person / 3)) }
            ?? NetworkAddress(ipv4: 0xC633_6400 + UInt32(self.chance.below(3)))
        self.links[slot] = Link(id: id, program: program, address: address)
        self.queue.plan(.arrival(id), at: self.now + self.chance.milliseconds(self.weather.latency))
        return id
    }

    /// The slot of a connection that is not over.
    func slot(of id: ConnectionID) -> Int? {
        let slot = Int(id.slot)
        guard slot < self.links.count, self.links[slot]?.id == id else { return nil }
        return slot
    }

    // MARK: Client to server

    mutating func write(_ bytes: some Collection<UInt8>, from id: ConnectionID) {
        guard !bytes.isEmpty, let slot = self.slot(of: id), !self.links[slot]!.isClientGone,
            !self.links[slot]!.toServer.isEnded
        else { return }
        self.links[slot]!.toServer.write(bytes)
        self.planToServer(slot)
    }

    /// The client sends no more, and goes on reading.
    mutating func endOutput(of id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.links[slot]!.isClientGone else { return }
        self.links[slot]!.toServer.isEnded = true
        self.planToServer(slot)
    }

    mutating func planToServer(_ slot: Int) {
        guard self.links[slot]!.isAccepted, !self.links[slot]!.toServer.isPlanned,
            !self.links[slot]!.isPaused
        else { return }
        self.links[slot]!.toServer.isPlanned = true
        self.queue.plan(
            .toServer(self.links[slot]!.id), at: self.now + self.chance.milliseconds(self.weather.latency))
    }

    mutating func deliverToServer(_ id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.links[slot]!.isLossTold else { return }
        self.links[slot]!.toServer.isPlanned = false
        guard !self.links[slot]!.isPaused, !self.links[slot]!.isServerClosing else { return }
        let bytes = self.links[slot]!.toServer.read(self.portion(of: self.links[slot]!.toServer.count))
        if !bytes.isEmpty { self.feed(.received(id, bytes)) }
        guard self.links[slot]?.id == id else { return }
        if self.links[slot]!.toServer.count > 0 { return self.planToServer(slot) }
        if self.links[slot]!.toServer.isEnded, !self.links[slot]!.toServer.isEndDelivered {
            self.links[slot]!.toServer.isEndDelivered = true
            self.feed(.inputEnded(id))
        }
    }

    private mutating func portion(of count: Int) -> Int {
        guard count > 1, self.chance.chance(self.weather.split) else { return count }
        return self.chance.within(1...min(count, 1 + Int(self.chance.below(64))))
    }

    // MARK: Server to client

    mutating func planToClient(_ slot: Int) {
        guard !self.links[slot]!.toClient.isPlanned, !self.links[slot]!.isClientGone else { return }
        self.links[slot]!.toClient.isPlanned = true
        let due = self.now + self.chance.milliseconds(self.weather.latency)
        self.queue.plan(.toClient(self.links[slot]!.id), at: max(due, self.links[slot]!.stalledUntil))
    }

    mutating func deliverToClient(_ id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.links[slot]!.isClientGone else { return }
        self.links[slot]!.toClient.isPlanned = false
        let bytes = self.links[slot]!.toClient.read(self.portion(of: self.links[slot]!.toClient.count))
        if !bytes.isEmpty {
            self.history.append(UInt64(id.slot) << 32 | UInt64(id.generation))
            self.history.append(bytes)
            if let program = self.links[slot]!.program { self.give(bytes, to: program, over: id) }
        }
        guard self.links[slot]?.id == id, !self.links[slot]!.isClientGone else { return }
        if self.links[slot]!.toClient.count > 0 {
            self.planToClient(slot)
        } else if self.links[slot]!.isServerClosing, self.links[slot]!.held.count == 0 {
            return self.hangUp(id)
        } else if self.links[slot]!.isBackedUp, !self.links[slot]!.isLossTold {
            self.links[slot]!.isBackedUp = false
            return self.feed(.drained(id))
        }
        if self.chance.chance(self.weather.reset) {
            self.note("network resets \(id.slot).\(id.generation)")
            self.planLoss(slot, .reset, within: self.weather.latency)
            self.hangUp(id)
        } else if self.chance.chance(self.weather.stall) {
            self.links[slot]!.stalledUntil = self.now + self.chance.milliseconds(100...20_000)
            if self.chance.chance(500) { self.backUp(slot) }
        }
    }

    /// As if more waited for this client than it reads, until it has read all.
    private mutating func backUp(_ slot: Int) {
        guard !self.links[slot]!.isLossTold, !self.links[slot]!.isBackedUp else { return }
        self.links[slot]!.isBackedUp = true
        self.feed(.backedUp(self.links[slot]!.id))
        self.planToClient(slot)
    }

    // MARK: Ends

    /// The server is told once that a connection is gone: what is planned first to happen counts.
    mutating func planLoss(_ slot: Int, _ loss: ConnectionLoss, within delay: ClosedRange<Int>) {
        self.queue.plan(
            .loss(self.links[slot]!.id, loss), at: self.now + self.chance.milliseconds(delay))
    }

    mutating func tellLoss(_ id: ConnectionID, _ loss: ConnectionLoss) {
        guard let slot = self.slot(of: id), !self.links[slot]!.isLossTold else { return }
        self.links[slot]!.isLossTold = true
        if self.links[slot]!.isAccepted { self.feed(.closed(id, loss)) }
        self.free(slot)
    }

    /// The client's end is gone: what was on its way to it is lost.
    mutating func hangUp(_ id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.links[slot]!.isClientGone else { return }
        self.links[slot]!.isClientGone = true
        self.links[slot]!.toClient.discard()
        if let program = self.links[slot]!.program { self.disconnect(program, from: id) }
        self.free(slot)
    }

    mutating func free(_ slot: Int) {
        guard self.links[slot]!.isOver else { return }
        self.links[slot] = nil
        self.freeSlots.append(slot)
    }

    /// The client goes without a word. What it wrote may or may not arrive before the server notices.
    mutating func cut(_ id: ConnectionID, noticedWithin delay: ClosedRange<Int>) {
        guard let slot = self.slot(of: id) else { return }
        if self.chance.chance(500) { self.links[slot]!.toServer.discard() }
        self.planLoss(slot, .reset, within: delay)
        self.hangUp(id)
    }
}
