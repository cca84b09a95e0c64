import EventLoop
import RaceModel
import ServerCore

/// Carries out what the core wants of connections, on the loop that has them.
struct OutputWriter {
    // Reused from batch to batch.
    private var gather = OutputGather()
    private var scratch: [UInt8] = []
    private var closing: [ConnectionID] = []
    /// Who has much to read yet, as the last `finish` found.
    private(set) var backedUp: [ConnectionID] = []

    /// One output, in order.
    @inline(__always)
    mutating func add(_ output: Output, _ bytes: [UInt8], _ loop: SocketLoop) {
        switch output {
        case .send(let connection, let range): self.gather.add(connection, range)
        case .close(let connection): self.closing.append(connection)
        case .abort(let connection): loop.abort(connection)
        case .pauseReading(let connection): loop.pauseReading(connection)
        case .resumeReading(let connection): loop.resumeReading(connection)
        case .hold(let connection):
            self.write(sentTo: connection, bytes, loop)
            loop.hold(connection)
        case .release(let connection):
            self.write(sentTo: connection, bytes, loop)
            loop.release(connection)
        case .sendAhead(let connection, let range):
            self.write(sentTo: connection, bytes, loop)
            loop.sendAhead(connection, bytes.span.extracting(range))
        }
    }

    /// Writes what was added, one write for each connection, then closes.
    mutating func finish(_ bytes: [UInt8], _ loop: SocketLoop) {
        for touched in self.gather.touched where !touched.isTaken { self.write(touched, bytes, loop) }
        self.gather.clear()
        for connection in self.closing { loop.close(connection) }
        self.closing.removeAll(keepingCapacity: true)
    }

    mutating func clearBackedUp() { self.backedUp.removeAll(keepingCapacity: true) }

    /// What was sent to one connection so far in this batch, ahead of the others.
    private mutating func write(sentTo connection: ConnectionID, _ bytes: [UInt8], _ loop: SocketLoop) {
        if let touched = self.gather.take(connection) { self.write(touched, bytes, loop) }
    }

    /// Straight from the outbox if its bytes lie together there, as they mostly do.
    private mutating func write(_ touched: OutputGather.Touched, _ bytes: [UInt8], _ loop: SocketLoop) {
        if touched.next < 0 {
            if loop.send(touched.connection, bytes.span.extracting(touched.range)) { return }
        } else {
            self.scratch.removeAll(keepingCapacity: true)
            self.scratch.append(contentsOf: bytes[touched.range])
            var next = touched.next
            while next >= 0 {
                self.scratch.append(contentsOf: bytes[self.gather.pieces[next].range])
                next = self.gather.pieces[next].next
            }
            if loop.send(touched.connection, self.scratch.span) { return }
        }
        if loop.unsentBytes(touched.connection) > Limits.backedUpBytes {
            self.backedUp.append(touched.connection)
        }
    }
}
