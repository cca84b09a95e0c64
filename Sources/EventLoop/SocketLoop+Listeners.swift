import CEpoll
import Glibc
import RaceModel

struct Listener {
    var descriptor: Int32
    var accepting = true
    /// Its connections begin with a PROXY header.
    var demandsHeader = false
}

extension SocketLoop {
    /// As many waiting connects as the kernel allows.
    private static let backlog: Int32 = 4096
    /// Connections accepted for each batch: few, so that players hardly wait for those who come. A listener that may
    /// not have been in a batch, since that was full, makes up for it, up to the second.
    private static let acceptsPerBatch = 8
    private static let acceptsAtOnce = 64
    private static let acceptPause = Instant.Span.milliseconds(100)

    /// Listens on an IPv4 or IPv6 address, or on `localhost`, which is 127.0.0.1 and ::1. `::` takes IPv4 as
    /// well.
    /// Port 0 takes a free one.
    /// - Returns: the port.
    package func listen(host: String, port: UInt16) throws(TransportError) -> UInt16 {
        guard host == "localhost" else {
            guard !host.utf8.contains(0), let address = SocketAddress(host, port: port) else {
                throw TransportError(call: .resolve, code: 0)
            }
            return try self.listen(on: address)
        }
        for attempt in 1... {
            let chosen = try self.listen(hostDigits: "127.0.0.1", port: port)
            do {
                return try self.listen(hostDigits: "::1", port: chosen)
            } catch  where error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL {
                return chosen  // A machine without IPv6.
            } catch {
                // The free IPv4 port was taken on IPv6: another one.
                self.closeListener(self.listeners.count - 1)
                guard port == 0, error.code == EADDRINUSE, attempt < 16 else { throw error }
            }
        }
        throw TransportError(call: .bind, code: EADDRINUSE)
    }

    /// Listens on a socket that listens already, and owns it from here on.
    /// - Returns: the port.
    package func listen(inherited descriptor: Int32) throws(TransportError) -> UInt16 {
        catrace_set_stream_options(descriptor)
        let token = Self.listenerBit | UInt64(self.listeners.count)
        let added = catrace_epoll_control(self.epoll, 1, descriptor, catrace_readable, token)
        guard added >= 0 else { throw TransportError(call: .epoll, code: -added) }
        self.listeners.append(Listener(descriptor: descriptor))
        var raw = catrace_address()
        _ = unsafe catrace_local_address(descriptor, &raw)
        return SocketAddress(raw: raw).port
    }

    package func stopListening() {
        while !self.listeners.isEmpty { self.closeListener(self.listeners.count - 1) }
    }

    private func closeListener(_ index: Int) {
        let listener = self.listeners.remove(at: index)
        _ = catrace_epoll_control(self.epoll, 2, listener.descriptor, 0, 0)
        Glibc.close(listener.descriptor)
    }

    private func listen(hostDigits: String, port: UInt16) throws(TransportError) -> UInt16 {
        guard let address = SocketAddress(hostDigits, port: port) else {
            throw TransportError(call: .resolve, code: 0)
        }
        return try self.listen(on: address)
    }

    private func listen(on address: SocketAddress) throws(TransportError) -> UInt16 {
        var raw = address.raw
        let descriptor = unsafe catrace_socket(&raw)
        guard descriptor >= 0 else { throw TransportError(call: .socket, code: -descriptor) }
        // So that a restart needs not wait for old connections to time out. Ports are never shared.
        _ = catrace_set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.isIPv6 {
            let onlyIPv6: Int32 = unsafe catrace_address_is_any6(&raw) ? 0 : 1
            _ = catrace_set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, onlyIPv6)
        }
        // Accepted sockets inherit them, which saves six calls a connection.
        catrace_set_stream_options(descriptor)
        var failure: TransportError?
        let bound = unsafe catrace_bind(descriptor, &raw)
        if bound < 0 {
            failure = TransportError(call: .bind, code: -bound)
        } else if Glibc.listen(descriptor, Self.backlog) < 0 {
            failure = TransportError(call: .listen, code: errno)
        } else {
            let token = Self.listenerBit | UInt64(self.listeners.count)
            let added = catrace_epoll_control(self.epoll, 1, descriptor, catrace_readable, token)
            if added < 0 { failure = TransportError(call: .epoll, code: -added) }
        }
        if let failure {
            Glibc.close(descriptor)
            throw failure
        }
        self.listeners.append(Listener(descriptor: descriptor))
        _ = unsafe catrace_local_address(descriptor, &raw)
        return SocketAddress(raw: raw).port
    }

    func accept(at index: Int, _ handler: any LoopHandler) {
        guard index < self.listeners.count else { return }
        var peer = catrace_address()
        let most = min(Self.acceptsPerBatch * (1 + self.fullBatches), Self.acceptsAtOnce)
        self.fullBatches = 0
        for _ in 0..<most {
            guard self.hasRoom, self.acceptAgain == nil, index < self.listeners.count
            else { return }
            let descriptor = unsafe catrace_accept(self.listeners[index].descriptor, &peer)
            switch -descriptor {
            case ..<1:
                let address = SocketAddress(raw: peer)
                let demandsHeader = self.listeners[index].demandsHeader
                if let distributor = self.distributor, distributor(descriptor, address, demandsHeader) {
                    self.handedOut += 1
                } else if !self.take(descriptor, from: address, demandsHeader, handler) {
                    self.pauseAccepting(ENOMEM, handler)
                }
            case EAGAIN: return
            case EINTR, ECONNABORTED, EPROTO, EPERM, ETIMEDOUT, ENETDOWN, ENETUNREACH, EHOSTDOWN,
                EHOSTUNREACH,
                ENONET, ENOPROTOOPT, EOPNOTSUPP:
                continue  // That connection's fault, not the listener's.
            case let code: self.pauseAccepting(code, handler)
            }
        }
    }

    private func take(
        _ descriptor: Int32, from address: SocketAddress, _ demandsHeader: Bool, _ handler: any LoopHandler
    ) -> Bool {
        let state = self.firstState(demandsHeader: demandsHeader)
        guard let connection = self.add(descriptor, as: state) else { return false }
        self.counters.accepted += 1
        self.admit(connection, from: address, handler)
        return true
    }

    /// Those who were given to other loops count too.
    private var hasRoom: Bool { self.counters.live + self.handedOut < self.limits.connections }

    /// Takes over a descriptor, or returns false.
    package typealias Distributor = (
        _ descriptor: Int32, _ address: SocketAddress, _ demandsHeader: Bool
    ) -> Bool

    /// Who is accepted may be given to another loop.
    package func distribute(_ distributor: @escaping Distributor) {
        self.distributor = distributor
    }

    /// So many of those who were given away are gone. Inside `perform`.
    package func giveBack(_ count: Int) { self.handedOut -= count }

    /// Takes over a descriptor that another loop has accepted. Inside `perform`.
    /// - Returns: false when it can't, as after `shutDown`; then the descriptor is closed.
    package func adopt(_ descriptor: Int32, from address: SocketAddress, demandsHeader: Bool) -> Bool {
        guard let handler = self.handler else {
            Glibc.close(descriptor)
            return false
        }
        return self.take(descriptor, from: address, demandsHeader, handler)
    }

    /// No descriptor or no memory: the listener would be ready at once again, so it rests.
    private func pauseAccepting(_ code: Int32, _ handler: any LoopHandler) {
        self.acceptAgain = self.now + Self.acceptPause
        handler.acceptingPaused(TransportError(call: .accept, code: code))
    }

    /// Listeners are watched only while there is room for another connection.
    func updateAccepting() {
        let accepting = self.hasRoom && self.acceptAgain == nil
        for index in self.listeners.indices where self.listeners[index].accepting != accepting {
            self.listeners[index].accepting = accepting
            let mask = accepting ? catrace_readable : 0
            let token = Self.listenerBit | UInt64(index)
            _ = catrace_epoll_control(self.epoll, 3, self.listeners[index].descriptor, mask, token)
        }
    }
}
