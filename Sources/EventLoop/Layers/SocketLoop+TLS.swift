import CEpoll
package import RaceModel

/// Connections over TLS, of either side. Their slots are `secured`, before their handshake is done too.
extension SocketLoop {
    /// As `connect`, over TLS: `connected` follows once the certificate was found to be this host's, a name or
    /// the digits of an address, and to be trusted.
    package func connect(
        to address: SocketAddress, from local: SocketAddress? = nil, over context: TLSContext, host: String
    ) -> ConnectionID {
        let connection = self.connect(to: address, from: local)
        let index = Int(connection.slot)
        guard self.slots[index].state == .connecting else { return connection }
        if let stream = TLSStream(connecting: context, host: host) {
            self.layers.set(stream, index)
        } else {
            self.condemn(
                index, .notSecured(TLSFailure(.protocolError, details: "no memory, or no host name")))
        }
        return connection
    }

    /// A connection of ours stands: the handshake begins, if there is to be one.
    func beginConnecting(_ index: Int, _ connection: ConnectionID, _ handler: any LoopHandler) -> Bool {
        guard self.layers.stream(index) != nil else { return false }
        self.slots[index].state = .secured
        self.startWait(connection)
        self.receiveSecured(index, connection, [], handler)
        return true
    }

    func beginAccepting(_ index: Int, _ connection: ConnectionID) {
        guard let context = self.layers.context else { return }
        self.layers.set(TLSStream(accepting: context), index)
        self.slots[index].state = .secured
        self.startWait(connection)
    }

    func receiveSecured(
        _ index: Int, _ connection: ConnectionID, _ bytes: ArraySlice<UInt8>, _ handler: any LoopHandler
    ) {
        // What comes behind a close is thrown away.
        guard let stream = self.layers.stream(index), !stream.isClosing else { return }
        var input = bytes
        if !stream.isStanding {
            guard self.goOn(stream, index, &input, handler) else { return }
            self.standUp(stream, index, connection, handler)
        }
        var room: [UInt8] = []
        swap(&room, &self.layers.plaintext)
        defer { swap(&room, &self.layers.plaintext) }
        while self.slots[index].state == .secured, !self.slots[index].inputEnded {
            let reading = stream.read(&input, into: &room, &self.layers.output)
            self.transmitOutput(index)
            switch reading {
            case .bytes(let count): handler.received(connection, room[0..<count])
            case .more: return
            case .ended:
                self.slots[index].inputEnded = true
                self.updateInterest(index)
                handler.inputEnded(connection)
            case .failed(let failure): return self.failSecured(index, failure, handler)
            }
        }
    }

    /// A step of the handshake; true when it was the last.
    private func goOn(
        _ stream: TLSStream, _ index: Int, _ input: inout ArraySlice<UInt8>, _ handler: any LoopHandler
    ) -> Bool {
        let begin = Self.clock()
        let step = stream.handshake(&input, &self.layers.output)
        self.transmitOutput(index)
        self.layers.noteStep(taking: Self.clock() - begin)
        switch step {
        case .done: return self.slots[index].state == .secured
        case .more:
            if stream.handshakeBytes > RaceModel.Limits.tlsHandshakeBytes {
                self.failSecured(index, TLSFailure(.tooLong), handler)
            }
        case .failed(let failure): self.failSecured(index, failure, handler)
        }
        return false
    }

    private func standUp(
        _ stream: TLSStream, _ index: Int, _ connection: ConnectionID, _ handler: any LoopHandler
    ) {
        if stream.isServer { handler.secured(connection) } else { handler.connected(connection) }
        guard self.slots[index].state == .secured, !self.slots[index].isHeld else { return }
        self.sendEarly(stream, index)
    }

    /// What is sent before the handshake is done, or while output is held, goes out behind it: what is in the
    /// stream already can't be overtaken.
    /// - Parameter ahead: of what is held.
    func sendSecured(_ index: Int, _ bytes: Span<UInt8>, ahead: Bool = false) {
        guard let stream = self.layers.stream(index), ahead || !stream.isClosing else { return }
        let waiting = self.slots[index].pendingCount + stream.early.count
        guard self.mayKeep(bytes.count, waiting + bytes.count) else {
            self.counters.slowReaders += 1
            return self.condemn(index, .slowReader)
        }
        guard stream.isStanding, !self.slots[index].isHeld else {
            self.pendingBytes += bytes.count
            return stream.keep(bytes, ahead: ahead)
        }
        guard stream.write(bytes, &self.layers.output) else { return self.condemn(index, .reset) }
        self.transmitOutput(index)
    }

    /// What was kept while output was held goes out, and the close behind it.
    func releaseSecured(_ index: Int, _ connection: ConnectionID) {
        guard !self.slots[index].isHeld, let stream = self.layers.stream(index), stream.isStanding else {
            return
        }
        self.sendEarly(stream, index)
        guard self.slots[index].state == .secured else { return }
        if stream.isClosing { return self.close(connection) }
        if self.slots[index].pending.isEmpty { self.flushed.append(connection) }
    }

    private func sendEarly(_ stream: TLSStream, _ index: Int) {
        let early = self.takeEarly(stream)
        guard !early.isEmpty, stream.write(early.span, &self.layers.output) else {
            return early.isEmpty ? () : self.condemn(index, .reset)
        }
        self.transmitOutput(index)
    }

    private func takeEarly(_ stream: TLSStream) -> [UInt8] {
        let early = stream.takeEarly()
        self.pendingBytes -= early.count
        return early
    }

    /// It ends, or its handshake will not be done: what was kept for then is gone.
    func dropEarly(_ index: Int) { if let stream = self.layers.stream(index) { _ = self.takeEarly(stream) } }

    /// A close takes place behind the release.
    func closeSecuredLater(_ index: Int) { self.layers.stream(index)?.isClosing = true }

    /// Before our side is shut: says so in TLS as well. False when the connection ended over it.
    func closeSecured(_ index: Int) -> Bool {
        if let stream = self.layers.stream(index), stream.isStanding {
            stream.close(&self.layers.output)
            self.transmitOutput(index)
        } else {
            self.dropEarly(index)
        }
        return self.slots[index].state != .condemned
    }

    /// What the library wants to send, an alert included, goes before it.
    func failSecured(_ index: Int, _ failure: TLSFailure, _ handler: any LoopHandler) {
        if self.layers.stream(index)?.isServer == true {
            handler.refused(.tls(failure), from: self.peerAddress(index))
        }
        self.condemn(index, .notSecured(failure))
    }

    private func peerAddress(_ index: Int) -> String {
        var raw = catrace_address()
        guard unsafe catrace_peer_address(self.slots[index].descriptor, &raw) == 0 else { return "gone" }
        return SocketAddress(raw: raw).description
    }

    private func transmitOutput(_ index: Int) {
        guard !self.layers.output.isEmpty else { return }
        // Taken out for that time: a write that fails ends the connection, which changes the layers.
        var output = TLSOutput()
        swap(&output, &self.layers.output)
        output.take { self.transmit(index, $0) }
        swap(&output, &self.layers.output)
    }
}
