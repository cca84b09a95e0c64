package import Lobby
package import RaceModel
package import Records

/// What the core wants done with connections, in order.
package enum Output: Hashable, Sendable {
    /// These bytes of `Outbox.bytes`. Several sends may share one range: a message is encoded once for all
    /// who get it.
    case send(ConnectionID, Range<Int>)
    /// Write what was sent before, then close. Nothing more is sent to this connection; `Input.closed`
    /// follows.
    case close(ConnectionID)
    /// Close at once, without a word. Nothing was sent to this connection; `Input.closed` follows.
    case abort(ConnectionID)
    /// Read no more from this connection until `resumeReading`.
    case pauseReading(ConnectionID)
    case resumeReading(ConnectionID)
    /// Keep what is sent to this connection from here on, up to `Limits.unreadOutputBytes`, until `release`
    /// came as often. What was sent before goes out.
    case hold(ConnectionID)
    case release(ConnectionID)
    /// Like `send`, but ahead of what is held of this connection, also of a close behind it.
    case sendAhead(ConnectionID, Range<Int>)
}

/// What the core wants done beside that, in order. (Apart from outputs, which are many, and small.)
package enum Errand: Hashable, Sendable {
    case directory(LookUpID, DirectoryRequest)
    case results(LookUpID, ResultRequest)
    /// The server has come to its end: everybody has been told, and all connections are about to close.
    case ended
    case log(LogLine)
    /// The answer to the operator's command of this number.
    case operated(UInt64, OperatorAnswer)
    /// The bans have changed: for who keeps them beyond the process.
    case bans(BanChange)
}

/// Outputs of one or more calls of `handle`, with the bytes they refer to, and errands. One is reused for ever: in
/// steady state it allocates nothing.
package struct Outbox: Sendable {
    package var bytes: [UInt8] = []
    package var outputs: [Output] = []
    package var errands: [Errand] = []
    /// What its inputs took beside that, in bytes of answers that take as long to write.
    var work = 0

    package init() {}

    package var isEmpty: Bool { self.outputs.isEmpty && self.errands.isEmpty }

    /// Empties it and keeps the memory.
    package mutating func clear() {
        self.bytes.removeAll(keepingCapacity: true)
        self.outputs.removeAll(keepingCapacity: true)
        if !self.errands.isEmpty { self.errands.removeAll(keepingCapacity: true) }
        self.work = 0
    }
}
