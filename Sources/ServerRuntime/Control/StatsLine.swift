import EventLoop
import ServerCore

extension ServerReport {
    /// For operators: the most asked-for figures, as one line.
    func statsLine(_ log: LogWriter) -> String {
        let fields: [(String, Int)] = [
            ("connections", self.census.connections), ("players", self.census.players),
            ("matches", self.census.matches), ("tickets", self.census.tickets),
            ("invites", self.census.invites), ("results-underway", self.census.results),
            ("results-pending", self.census.lateResults), ("accepted", self.loop.accepted),
            ("received-bytes", self.loop.received), ("sent-bytes", self.loop.sent),
            ("resident-bytes", self.process.residentBytes), ("descriptors", self.process.openDescriptors),
            ("log-lines-lost", log.linesLost),
        ]
        let state =
            "loglevel=\(log.level) draining=\(self.isDraining ? "yes" : "no")"
            + " store=\(self.isStoreUp ? "up" : "down")"
        return "stats \(state) " + fields.map { "\($0.0)=\($0.1)" }.joined(separator: " ") + "\n"
    }
}
