import CEpoll
import Glibc
package import RaceModel

extension SocketLoop {
    /// Begins a connection; `connected` or `closed` follows. A local address may be given, its port is left
    /// to the kernel.
    package func connect(to address: SocketAddress, from local: SocketAddress? = nil) -> ConnectionID {
        var raw = address.raw
        var descriptor = unsafe catrace_socket(&raw)
        var failure: TransportError?
        if descriptor < 0 {
            failure = TransportError(call: .socket, code: -descriptor)
        } else {
            catrace_set_stream_options(descriptor)
            if var local = local?.raw {
                // The port is chosen when the far end is known, so one address serves many connections.
                _ = catrace_set(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, 1)
                let bound = unsafe catrace_bind(descriptor, &local)
                if bound < 0 { failure = TransportError(call: .bind, code: -bound) }
            }
            if failure == nil {
                let code = unsafe -catrace_connect(descriptor, &raw)
                if code != 0, code != EINPROGRESS { failure = TransportError(call: .connect, code: code) }
            }
        }
        if failure != nil, descriptor >= 0 {
            Glibc.close(descriptor)
            descriptor = -1
        }
        let index = self.takeSlot()
        let connection = ConnectionID(slot: UInt32(index), generation: self.slots[index].generation)
        self.slots[index].descriptor = descriptor
        self.slots[index].state = .connecting
        if let failure {
            self.condemn(index, .notConnected(failure))
        } else {
            self.watch(index, 1, catrace_writable | catrace_edge)
        }
        return connection
    }

    /// Sends these bytes after all before them. What the kernel does not take at once is kept, up to the
    /// limit; over it, the connection ends. Does nothing for a connection that is closing or gone.
    /// - Returns: true when the kernel has taken all of it, and nothing of this connection waits; false says nothing.
    @discardableResult
    package func send(_ connection: ConnectionID, _ bytes: Span<UInt8>) -> Bool {
        guard let index = self.index(of: connection), !bytes.isEmpty else { return false }
        guard self.slots[index].state == .open else {
            self.sendLayered(index, connection, bytes)
            return false
        }
        return self.transmit(index, bytes)
    }

    /// These bytes as they are; returns as `send` does.
    @discardableResult
    @inline(__always) func transmit(_ index: Int, _ bytes: Span<UInt8>) -> Bool {
        var written = 0
        if !self.slots[index].mustWait {
            let descriptor = self.slots[index].descriptor
            written = unsafe bytes.withUnsafeBytes { unsafe Self.write(descriptor, $0) }
            self.counters.writes &+= 1
            guard written >= 0 else {
                self.condemn(index, .reset)
                return false
            }
            self.counters.sent &+= written
            if written == bytes.count { return true }
        }
        let rest = bytes.extracting(written...)
        guard self.mayKeep(rest.count, self.slots[index].pendingCount + rest.count) else {
            self.counters.slowReaders += 1
            self.condemn(index, .slowReader)
            return false
        }
        self.slots[index].keep(rest)
        self.pendingBytes += rest.count
        if !self.slots[index].isHeld { self.updateInterest(index) }
        return false
    }

    /// The same, but ahead of what is held, also when the connection closes behind that. It is written at the release.
    package func sendAhead(_ connection: ConnectionID, _ bytes: Span<UInt8>) {
        guard let index = self.index(of: connection), self.slots[index].isHeld,
            [.open, .secured, .flushing].contains(self.slots[index].state)
        else {
            self.send(connection, bytes)
            return
        }
        if self.slots[index].state == .secured { return self.sendSecured(index, bytes, ahead: true) }
        guard self.slots[index].pendingCount + bytes.count <= self.limits.unreadOutputBytes else {
            self.counters.slowReaders += 1
            return self.condemn(index, .slowReader)
        }
        self.slots[index].keepAhead(bytes)
        self.pendingBytes += bytes.count
    }

    /// Writes what was sent before, then closes: our side is shut, and what the peer still sends is thrown
    /// away until its end or a deadline, so that no reset overtakes the last bytes. `closed` follows.
    package func close(_ connection: ConnectionID) {
        guard let index = self.index(of: connection) else { return }
        switch self.slots[index].state {
        case .open, .awaitingFirstByte: break
        case .secured:
            if self.slots[index].isHeld { return self.closeSecuredLater(index) }
            if !self.closeSecured(index) { return }
        case .connecting, .awaitingHeader: return self.condemn(index, .closed)
        case .free, .flushing, .draining, .condemned: return
        }
        self.slots[index].paused = false
        self.slots[index].state = .flushing
        if self.slots[index].pending.isEmpty { self.shut(index) } else { self.updateInterest(index) }
        // Held output is in nobody's way: its time begins with the release.
        let isWaiting = self.slots[index].state == .flushing && self.slots[index].isHeld
        if !isWaiting, self.slots[index].state != .condemned { self.startLingering(connection) }
    }

    /// Closes with a reset: nothing more is delivered. `closed` follows.
    package func abort(_ connection: ConnectionID) {
        guard let index = self.index(of: connection), self.slots[index].state != .condemned else { return }
        catrace_set_abortive(self.slots[index].descriptor)
        self.condemn(index, .closed)
    }

    package func pauseReading(_ connection: ConnectionID) { self.setPaused(connection, true) }
    package func resumeReading(_ connection: ConnectionID) { self.setPaused(connection, false) }

    /// From now on, what is sent to this connection is kept instead of written, up to the limit as ever, until
    /// `release` was called as often as this. What was sent before and still waits, waits too. A `close`
    /// takes place behind the release; `abort`, a reset and `shutDown` don't wait for it.
    package func hold(_ connection: ConnectionID) {
        guard let index = self.index(of: connection), self.slots[index].state != .condemned else { return }
        self.slots[index].hold()
    }

    /// Takes back one `hold`. The last one writes at once what was kept; `drained` follows when all of it is
    /// written. Nothing for a connection that is not held, or gone.
    package func release(_ connection: ConnectionID) {
        guard let index = self.index(of: connection), self.slots[index].isHeld else { return }
        self.slots[index].release()
        if self.slots[index].state == .secured { return self.releaseSecured(index, connection) }
        guard self.slots[index].hasOutput else { return }
        if self.slots[index].state == .flushing { self.startLingering(connection) }
        if self.writePending(index) {
            if self.slots[index].state == .open { self.flushed.append(connection) }
        } else {
            self.updateInterest(index)
        }
    }

    /// Output of this connection that waits, in bytes: the kernel has not taken it yet, or it is held.
    package func unsentBytes(_ connection: ConnectionID) -> Int {
        guard let index = self.index(of: connection) else { return 0 }
        let early = self.slots[index].state == .secured ? self.layers.stream(index)?.early.count ?? 0 : 0
        return self.slots[index].pendingCount + early
    }

    /// The same of all connections together.
    package var unreadBytes: Int { self.pendingBytes }

    /// - Parameter unread: what the connection would then have unread.
    func mayKeep(_ more: Int, _ unread: Int) -> Bool {
        unread <= self.limits.unreadOutputBytes
            && (unread <= self.limits.unreadOutputShareBytes
                || self.pendingBytes + more <= self.limits.sharedOutputBytes)
    }

    private func setPaused(_ connection: ConnectionID, _ paused: Bool) {
        guard let index = self.index(of: connection), self.slots[index].state.isStanding else { return }
        self.slots[index].paused = paused
        self.updateInterest(index)
    }
}
