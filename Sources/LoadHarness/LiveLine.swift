import RaceModel

/// What somebody at a terminal sees while the run goes on: one line, once a second.
struct LiveLine {
    private var due = Instant.zero
    private var last = Instant.zero
    private var moves = 0
    private var races = 0

    mutating func next(_ fleet: LoadFleet, now: Instant) -> String? {
        guard self.due <= now else { return nil }
        defer {
            self.due = now + .seconds(1)
            self.last = now
            self.moves = fleet.figures.movesDeliveredInAll
            self.races = fleet.figures.racesFinishedInAll
        }
        guard self.last > .zero else { return nil }
        let seconds = Double((now - self.last).nanoseconds) / 1e9
        let moves = Int((Double(fleet.figures.movesDeliveredInAll - self.moves) / seconds).rounded())
        let races = Int((Double(fleet.figures.racesFinishedInAll - self.races) / seconds).rounded())
        var line = "\(fleet.phase): \(fleet.present) players, \(fleet.racesUnderWay) races under way, "
        line += "\(moves) moves/s, \(races) races/s"
        if let slow = fleet.figures.latency.quantile(0.99) { line += ", p99 \(LoadReport.text(slow))" }
        line += ", \(fleet.figures.faults.total) errors"
        if fleet.phase == .measuring {
            line += ", \(max(0, (fleet.windowEnd - now).seconds)) s left"
        }
        return line
    }
}
