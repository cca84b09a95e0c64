import WireProtocol

extension RaceServer {
    /// Tells everybody and closes all connections. Who waits for a result hears of it before, or that it is not kept.
    mutating func stop() {
        guard !self.isStopping else { return }
        self.isStopping = true
        // The rest of what was reserved is free again.
        self.reservedMatches = self.lastMatch
        self.reserveMatches(upTo: self.lastMatch)
        for connection in self.connections {
            guard connection.isOpen else { continue }
            self.close(
                connection.id, .shutdown, "the server is stopping: races in progress end without a result")
        }
    }
}
