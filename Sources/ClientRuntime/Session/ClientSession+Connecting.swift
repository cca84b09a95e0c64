import ClientCore
import Dispatch
import EventLoop
import RaceModel

/// Finding the server, again too.
extension ClientSession {
    func resolve() {
        self.changeLink(.resolving)
        guard let own else { return }
        let address = self.settings.address
        // It may take seconds, and the queue has keys to read and clocks to show.
        DispatchQueue(label: "catrace.resolve").async {
            let found = Result { () throws(TransportError) in
                try SocketAddress.resolve(host: address.host, port: address.port)
            }
            own.enqueue { $0.resolved(found) }
        }
    }

    func resolved(_ found: Result<[SocketAddress], TransportError>) {
        self.loop.perform {
            guard self.link == .resolving else { return }
            switch found {
            case .success(let addresses):
                self.addresses = addresses
                self.nextAddress = 0
                self.connectNext()
            case .failure(let error):
                self.addresses = []
                self.nextAddress = 0
                self.attemptFailed(self.sentence(for: error))
            }
        }
    }

    func connectNext() {
        let address = self.addresses[self.nextAddress]
        self.nextAddress += 1
        self.attemptDue = self.now + SessionSettings.connectTime
        let host = self.settings.address.host
        self.connection =
            if let context { self.loop.connect(to: address, over: context, host: host) } else {
                self.loop.connect(to: address)
            }
        self.changeLink(.connecting)
    }

    func attemptFailed(_ sentence: String) {
        self.attemptDue = nil
        self.connection = nil
        if self.nextAddress < self.addresses.count { return self.connectNext() }
        self.lose(sentence)
    }

    /// No connection: another attempt later, or the end.
    func lose(_ sentence: String) {
        self.connection = nil
        self.attemptDue = nil
        self.askedAt = nil
        if let goodbye { return self.end(goodbye.end) }
        guard self.settings.returns, self.wasReady else { return self.end(SessionEnd(.lost, sentence)) }
        self.lossReason = sentence
        guard let due = self.retry.next(now: self.now) else {
            guard self.retry.attempt > 0 else {
                return self.end(SessionEnd(.lost, "\(sentence): check the server, then start again"))
            }
            let tried = "\(self.retry.attempt) attempts in \(self.settings.patience.seconds) s"
            return self.end(
                SessionEnd(
                    .lost, "\(sentence); it was not back after \(tried): check the server, then start again"))
        }
        self.changeLink(.waiting(attempt: self.retry.attempt, until: due))
    }

    func changeLink(_ link: Link) {
        guard self.link != .ended else { return }
        self.link = link
        self.user.linkChanged(in: self)
    }

    func sentence(for error: TransportError) -> String {
        error.connectSentence(host: self.settings.address.host, port: self.settings.address.port)
    }
}
