import EventLoop
import RaceModel
import ServerCore

/// What one of several loops has heard: values that cross to the core's queue.
struct LoopReport: Sendable {
    enum Event: Sendable {
        case accepted(ConnectionID, address: String)
        /// A range of the report's bytes.
        case received(ConnectionID, Range<Int>)
        case secured(ConnectionID)
        case inputEnded(ConnectionID)
        case backedUp(ConnectionID)
        case drained(ConnectionID)
        case closed(ConnectionID, ConnectionLoss)
    }

    var events: [Event] = []
    var bytes: [UInt8] = []
    /// The last orders that were carried out, and the bytes sent by all so far.
    var carried = 0
    /// When its loop had heard the first of it; nil: it heard nothing.
    var heard: Instant?
    var carriedBytes = 0
}

/// What the core wants of one of several loops: values that cross to that loop's queue.
struct LoopOrders: Sendable {
    var outputs: [Output] = []
    /// All that was sent with these orders, to other loops too: encoded once, and shared.
    var bytes: [UInt8] = []
    /// Counted from 1.
    var number = 0
    /// Bytes sent by these.
    var sentBytes = 0
    /// Inputs, and their bytes, that the core has answered for.
    var answered = 0
    var answeredBytes = 0
    /// When loops had heard the first of what these answer; nil: of nothing.
    var heard: Instant?
    /// The core waits to hear that these are carried out.
    var wantsReport = false
}

/// Connections are known to the core by slots that all loops share: each loop's own ones, interleaved.
struct SlotShare: Sendable {
    var loops: Int
    var index: Int

    func shared(_ own: ConnectionID) -> ConnectionID {
        ConnectionID(slot: own.slot * UInt32(self.loops) + UInt32(self.index), generation: own.generation)
    }

    static func loop(of shared: ConnectionID, loops: Int) -> Int { Int(shared.slot) % loops }

    static func own(_ shared: ConnectionID, loops: Int) -> ConnectionID {
        ConnectionID(slot: shared.slot / UInt32(loops), generation: shared.generation)
    }
}

extension Output {
    /// The same for the loop that has the connection.
    func own(loops: Int) -> (loop: Int, output: Output) {
        func split(_ id: ConnectionID) -> (Int, ConnectionID) {
            (SlotShare.loop(of: id, loops: loops), SlotShare.own(id, loops: loops))
        }
        switch self {
        case .send(let id, let range):
            let (loop, own) = split(id)
            return (loop, .send(own, range))
        case .close(let id):
            let (loop, own) = split(id)
            return (loop, .close(own))
        case .abort(let id):
            let (loop, own) = split(id)
            return (loop, .abort(own))
        case .pauseReading(let id):
            let (loop, own) = split(id)
            return (loop, .pauseReading(own))
        case .resumeReading(let id):
            let (loop, own) = split(id)
            return (loop, .resumeReading(own))
        case .hold(let id):
            let (loop, own) = split(id)
            return (loop, .hold(own))
        case .release(let id):
            let (loop, own) = split(id)
            return (loop, .release(own))
        case .sendAhead(let id, let range):
            let (loop, own) = split(id)
            return (loop, .sendAhead(own, range))
        }
    }
}
