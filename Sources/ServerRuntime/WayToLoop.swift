import RaceModel
import ServerCore

/// What is on its way from the core to one loop, and back.
struct WayToLoop {
    private var orders = LoopOrders()
    /// Outbox bytes of these orders, of one or more rounds.
    private var isSharing = false
    private var base = 0
    private(set) var nextNumber = 1
    /// The last orders known to be carried out.
    private(set) var carried = 0
    private var sentBytes = 0
    private var carriedBytes = 0

    /// Sent and not known to be carried out, in bytes.
    var outputBytes: Int { self.sentBytes - self.carriedBytes }

    mutating func noteReport(_ report: LoopReport) {
        self.carried = report.carried
        self.carriedBytes = report.carriedBytes
        self.orders.answered += report.events.count
        self.orders.answeredBytes += report.bytes.count
    }

    mutating func noteHeard(_ instant: Instant?) {
        guard let instant else { return }
        self.orders.heard = min(self.orders.heard ?? instant, instant)
    }

    /// What was heard so far is answered, or needs no answer.
    mutating func forgetHeard() { self.orders.heard = nil }

    /// - Parameter bytes: those that the output refers to. The first round's are shared as they are; what a second
    ///   one adds to the same orders is copied behind them.
    mutating func add(_ output: Output, sharing bytes: [UInt8]) {
        if !self.isSharing {
            self.isSharing = true
            self.base = self.orders.bytes.count
            if self.base == 0 { self.orders.bytes = bytes } else { self.orders.bytes += bytes }
        }
        if case .send(let connection, let range) = output {
            self.sentBytes += range.count
            self.orders.sentBytes += range.count
            let moved = range.lowerBound + self.base..<range.upperBound + self.base
            self.orders.outputs.append(.send(connection, moved))
        } else {
            self.orders.outputs.append(output)
        }
    }

    /// A round of outputs is over; the next one's bytes are others.
    mutating func closeBytes() { self.isSharing = false }

    mutating func wantReport() { self.orders.wantsReport = true }

    /// Orders without outputs only give room for more input: a quarter of it, or what was asked for, at a time.
    func hasOrders(isFull: Bool) -> Bool {
        if !self.orders.outputs.isEmpty || self.orders.wantsReport { return true }
        return !isFull
            && (self.orders.answered >= Limits.crossingInputs / 4
                || self.orders.answeredBytes >= Limits.crossingInputBytes / 4)
    }

    mutating func takeOrders(isFull: Bool) -> LoopOrders {
        var taken = self.orders
        self.orders = LoopOrders()
        taken.number = self.nextNumber
        self.nextNumber += 1
        if self.outputBytes > Limits.crossingOutputBytes / 4 { taken.wantsReport = true }
        if isFull {
            swap(&taken.answered, &self.orders.answered)
            swap(&taken.answeredBytes, &self.orders.answeredBytes)
        }
        return taken
    }
}
