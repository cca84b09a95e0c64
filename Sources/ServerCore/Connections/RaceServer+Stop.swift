import WireProtocol

extension RaceServer {
    /// Tells everybody and closes all connections.
    mutating func stop() {
        guard !self.isStopping else { return }
        self.isStopping = true
        for connection in self.connections {
            guard connection.isOpen else { continue }
            self.close(
                connection.id, .shutdown, "the server is stopping: races in progress end without a result")
        }
    }
}
