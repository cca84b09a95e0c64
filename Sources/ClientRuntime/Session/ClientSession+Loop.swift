import ClientCore
package import EventLoop
package import RaceModel
import WireProtocol

extension ClientSession: LoopHandler {
    package func accepted(_ connection: ConnectionID, from address: String) {}
    package func acceptingPaused(_ error: TransportError) {}

    package func connected(_ connection: ConnectionID) {
        guard connection == self.connection else { return }
        self.attemptDue = self.now + SessionSettings.greetingTime
        self.lastReceived = self.now
        self.askedAt = nil
        self.lossReason = ""
        self.changeLink(.open)
        self.handle(.connected)
    }

    package func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>) {
        guard connection == self.connection, self.link != .ended else { return }
        self.lastReceived = self.now
        self.askedAt = nil
        self.handle(.received(bytes))
    }

    package func inputEnded(_ connection: ConnectionID) { self.loop.close(connection) }

    package func closed(_ connection: ConnectionID, _ end: ConnectionEnd) {
        guard connection == self.connection, self.link != .ended else { return }
        if case .notConnected(let error) = end { return self.attemptFailed(self.sentence(for: error)) }
        if case .notSecured(let failure) = end, self.link == .connecting {
            // Another address of the same server would hardly have another certificate.
            self.nextAddress = self.addresses.count
            return self.attemptFailed(failure.sentence(for: self.settings.address))
        }
        self.handle(.disconnected)
        let isTimeout = self.link == .connecting
        // The addresses that are left belong to the attempt that succeeded.
        if !isTimeout { self.nextAddress = self.addresses.count }
        var sentence = self.lossReason
        if sentence.isEmpty {
            sentence =
                isTimeout
                ? "\(self.settings.address) does not answer: check the address and the network"
                : "the connection to \(self.settings.address) was lost"
        }
        if isTimeout { self.attemptFailed(sentence) } else { self.lose(sentence) }
    }

    package func deadlinePassed() {
        if let due = self.sessionDue, due <= self.now {
            return self.end(
                SessionEnd(
                    .lost, "\(self.settings.address) did not answer in time: check the address and the server"
                ))
        }
        if let goodbye, goodbye.due <= self.now { return self.end(goodbye.end) }
        if let due = self.attemptDue, due <= self.now, let connection {
            self.attemptDue = nil
            if self.link == .open {
                self.lossReason =
                    "\(self.settings.address) does not answer: it is full, or no Cat Race server; "
                    + "try again in a minute, or check the port"
            }
            self.loop.abort(connection)
        }
        if case .waiting(_, let until) = self.link, until <= self.now { self.resolve() }
        if let due = self.askDue, due <= self.now { self.ask() }
        self.handle(.deadlinePassed)
    }

    package func batchEnded() {
        guard self.link != .ended else { return }
        self.user.settled(in: self)
        guard self.link != .ended else { return }
        var next = [
            self.sessionDue, self.goodbye?.due, self.attemptDue, self.askDue, self.client.nextDeadline,
            self.user.nextDeadline(in: self),
        ].compactMap { $0 }
        if case .waiting(_, let until) = self.link { next.append(until) }
        self.loop.setDeadline(next.min())
    }
}

/// A connection that stands need not work: silence is asked about.
extension ClientSession {
    func ask() {
        if let askedAt {
            if askedAt + SessionSettings.answerTime <= self.now, let connection {
                self.loop.abort(connection)
                self.lossReason = "the server at \(self.settings.address) does not answer any more"
                self.askedAt = nil
            }
        } else if self.lastReceived + SessionSettings.quietTime <= self.now {
            self.askedAt = self.now
            self.wish(.message(.ping(0)))
        }
    }

    var askDue: Instant? {
        guard self.link == .open, self.wasReady, self.attemptDue == nil else { return nil }
        return self.askedAt.map { $0 + SessionSettings.answerTime }
            ?? (self.lastReceived + SessionSettings.quietTime)
    }
}
