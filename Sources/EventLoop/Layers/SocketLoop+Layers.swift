import CEpoll
import Glibc
package import ProxyProtocol
import RaceModel

/// Connections that are not, or not yet, bytes for the handler.
extension SocketLoop {
    /// New connections may speak TLS from now on; those that do already keep what they have.
    package func secure(by identity: TLSIdentity) throws(TLSSetupFault) {
        self.layers.context = try TLSContext(identity)
    }

    /// Listens for proxies in these networks, each of whose connections begins with a PROXY header; others are
    /// refused. See `listen(host:port:)`.
    package func listen(
        host: String, port: UInt16, proxies: [IPNetwork]
    ) throws(TransportError) -> UInt16 {
        self.layers.proxies = proxies
        let first = self.listeners.count
        let chosen = try self.listen(host: host, port: port)
        for index in first..<self.listeners.count { self.listeners[index].demandsHeader = true }
        return chosen
    }

    /// As `listen`, for connections that another loop accepts.
    package func believe(proxies: [IPNetwork]) { self.layers.proxies = proxies }

    func firstState(demandsHeader: Bool) -> ConnectionSlot.State {
        demandsHeader ? .awaitingHeader : self.stateWithoutHeader
    }

    private var stateWithoutHeader: ConnectionSlot.State {
        self.layers.context == nil ? .open : .awaitingFirstByte
    }

    /// The handler is told, unless a header must come first.
    func admit(_ connection: ConnectionID, from peer: SocketAddress, _ handler: any LoopHandler) {
        let index = Int(connection.slot)
        guard self.slots[index].state == .awaitingHeader else {
            return handler.accepted(connection, from: peer.description)
        }
        self.layers.headers[index] = LayerTable.HeaderWait(peer: peer)
        let address = peer.ipAddress
        guard self.layers.proxies.contains(where: { $0.contains(address) }) else {
            return self.refuseHeader(index, .notAProxy, handler)
        }
        self.startWait(connection)
    }

    // MARK: Input

    /// As `read`, of a connection with something in between.
    func readLayered(
        _ index: Int, _ connection: ConnectionID, isLast: Bool, _ handler: any LoopHandler
    ) {
        guard !self.slots[index].inputEnded else { return }
        guard !self.slots[index].paused else {
            self.slots[index].armed = .max
            return
        }
        if self.layers.stepsLeft <= 0, self.mayTakeStep(index) {
            return self.leaveUnfinished(index, connection, isLast: isLast)
        }
        let descriptor = self.slots[index].descriptor
        self.counters.reads &+= 1
        let count = unsafe self.buffer.withUnsafeMutableBytes { room in
            unsafe catrace_receive(descriptor, room.baseAddress, UInt(room.count))
        }
        switch count {
        case 1...:
            if isLast || count == self.buffer.count { self.leaveUnfinished(index, connection) }
            self.receiveLayered(index, connection, self.buffer[0..<count], handler)
        case 0: self.endLayered(index, connection, handler)
        case -Int(EAGAIN): return
        case -Int(EINTR): self.leaveUnfinished(index, connection)
        default:
            let isStanding =
                self.slots[index].state != .secured || self.layers.stream(index)?.isStanding == true
            if isStanding { return self.condemn(index, .reset) }
            self.failSecured(index, TLSFailure(.brokenOff), handler)
        }
    }

    /// What is there to read may be part of a handshake. Who speaks plain text waits for nobody's.
    private func mayTakeStep(_ index: Int) -> Bool {
        switch self.slots[index].state {
        case .awaitingHeader: self.layers.context != nil
        case .awaitingFirstByte: catrace_peek(self.slots[index].descriptor) == Int32(Self.firstByteOfTLS)
        case .secured: self.layers.stream(index)?.isStanding == false
        case .free, .connecting, .open, .flushing, .draining, .condemned: false
        }
    }

    private func receiveLayered(
        _ index: Int, _ connection: ConnectionID, _ bytes: ArraySlice<UInt8>, _ handler: any LoopHandler
    ) {
        var bytes = bytes
        if self.slots[index].state == .awaitingHeader {
            guard self.takeHeader(index, connection, &bytes, handler) else { return }
        }
        if self.slots[index].state == .awaitingFirstByte, let first = bytes.first {
            if first == Self.firstByteOfTLS {
                self.beginAccepting(index, connection)
            } else {
                self.slots[index].state = .open
            }
        }
        guard !bytes.isEmpty else { return }
        if self.slots[index].state == .secured {
            self.receiveSecured(index, connection, bytes, handler)
        } else if self.slots[index].state == .open {
            handler.received(connection, bytes)
        }
    }

    /// The first byte of a TLS handshake record.
    private static let firstByteOfTLS: UInt8 = 0x16

    /// True once the header is in, and the handler knows.
    private func takeHeader(
        _ index: Int, _ connection: ConnectionID, _ bytes: inout ArraySlice<UInt8>,
        _ handler: any LoopHandler
    ) -> Bool {
        guard var wait = self.layers.headers[index] else { return false }
        do throws(ProxyFault) {
            guard let header = try wait.decoder.next(in: &bytes) else {
                self.layers.headers[index] = wait
                return false
            }
            self.layers.headers[index] = nil
            self.slots[index].state = self.stateWithoutHeader
            let source = header.source.flatMap { SocketAddress("\($0.address)", port: $0.port) }
            handler.accepted(connection, from: (source ?? wait.peer).description)
            if header.isSecure { handler.secured(connection) }
            return true
        } catch {
            self.refuseHeader(index, .badHeader(error), handler)
            return false
        }
    }

    private func refuseHeader(_ index: Int, _ refusal: ConnectionRefusal, _ handler: any LoopHandler) {
        guard let wait = self.layers.headers[index] else { return }
        handler.refused(refusal, from: wait.peer.description)
        self.condemn(index, .closed)
    }

    /// The peer's bytes are at their end.
    private func endLayered(_ index: Int, _ connection: ConnectionID, _ handler: any LoopHandler) {
        switch self.slots[index].state {
        case .awaitingHeader: self.refuseHeader(index, .headerBrokenOff, handler)
        case .secured:
            // All that was asked is answered, and waits for its release.
            if self.layers.stream(index)?.isClosing == true {
                self.slots[index].inputEnded = true
                return self.updateInterest(index)
            }
            // Without TLS's own end: cut off, by whomever.
            if self.layers.stream(index)?.isStanding == true { return self.condemn(index, .reset) }
            self.failSecured(index, TLSFailure(.brokenOff), handler)
        case .awaitingFirstByte:
            self.slots[index].state = .open
            self.slots[index].inputEnded = true
            self.updateInterest(index)
            handler.inputEnded(connection)
        case .free, .connecting, .open, .flushing, .draining, .condemned: return
        }
    }

    // MARK: Output

    /// As `send`, of a connection that is not simply open.
    func sendLayered(_ index: Int, _ connection: ConnectionID, _ bytes: Span<UInt8>) {
        switch self.slots[index].state {
        case .awaitingFirstByte:
            // What came meanwhile decides. When nothing did, it has had plain text now, and stays plain.
            if catrace_peek(self.slots[index].descriptor) == Int32(Self.firstByteOfTLS) {
                self.beginAccepting(index, connection)
                self.sendSecured(index, bytes)
            } else {
                self.slots[index].state = .open
                self.transmit(index, bytes)
            }
        case .secured: self.sendSecured(index, bytes)
        case .free, .connecting, .open, .awaitingHeader, .flushing, .draining, .condemned: return
        }
    }

    // MARK: Time

    /// All wait equally long, so those added last are due last.
    func startWait(_ connection: ConnectionID) {
        self.layers.waits.append((self.now + RaceModel.Limits.transportHandshake, connection))
    }

    /// When the first handshake or header is given up. Those that are done are passed over: nothing wakes us
    /// for them.
    func firstWaitDue() -> Instant? {
        while self.layers.waitsStart < self.layers.waits.count {
            let wait = self.layers.waits[self.layers.waitsStart]
            if self.isWaiting(wait.connection) { return wait.due }
            self.layers.waitsStart += 1
        }
        if self.layers.waitsStart > 0 {
            self.layers.waits.removeAll(keepingCapacity: self.layers.waits.count < 1024)
            self.layers.waitsStart = 0
        }
        return nil
    }

    private func isWaiting(_ connection: ConnectionID) -> Bool {
        guard let index = self.index(of: connection) else { return false }
        switch self.slots[index].state {
        case .awaitingHeader: return true
        case .secured: return self.layers.stream(index)?.isStanding == false
        case .free, .connecting, .open, .awaitingFirstByte, .flushing, .draining, .condemned: return false
        }
    }

    func expireWaits(_ handler: any LoopHandler) {
        while let due = self.firstWaitDue(), due <= self.now {
            let connection = self.layers.waits[self.layers.waitsStart].connection
            self.layers.waitsStart += 1
            guard let index = self.index(of: connection) else { continue }
            if self.slots[index].state == .awaitingHeader {
                self.refuseHeader(index, .headerLate, handler)
            } else {
                self.failSecured(index, TLSFailure(.tooLate), handler)
            }
        }
        if self.layers.waitsStart > max(1024, self.layers.waits.count / 2) {
            self.layers.waits.removeFirst(self.layers.waitsStart)
            self.layers.waitsStart = 0
        }
    }
}
