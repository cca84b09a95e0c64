import EventLoop
import RaceModel
import ServerCore

extension ServerHost {
    /// Only on the queue.
    var report: ServerReport {
        ServerReport(
            isDraining: self.isStopping, loop: self.loop.counters, census: self.census,
            unreadBytes: self.loop.unreadBytes, batches: self.batches ?? Histogram(),
            figures: self.figures, population: self.population)
    }
}
