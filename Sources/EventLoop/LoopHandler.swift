package import RaceModel

/// What a loop tells its user, always on the loop's queue. Inside these calls every method of the loop may be
/// called but `perform` (and `shutDown`, which only `batchEnded` may call); a connection that is closed
/// meanwhile is reported by `closed` after the call, never in it.
package protocol LoopHandler: AnyObject {
    func accepted(_ connection: ConnectionID, from address: String)
    /// A connection made by `connect` stands.
    func connected(_ connection: ConnectionID)
    /// From here on, nobody between the peer and us, or our proxy, can read along.
    func secured(_ connection: ConnectionID)
    /// A connection could not become one, and is closed.
    func refused(_ refusal: ConnectionRefusal, from address: String)
    /// The slice is valid during the call only.
    func received(_ connection: ConnectionID, _ bytes: ArraySlice<UInt8>)
    /// The peer sends no more, but may still read. At most once.
    func inputEnded(_ connection: ConnectionID)
    /// All output that had to be kept for this connection is written.
    func drained(_ connection: ConnectionID)
    /// The last word on a connection, exactly once for each that was accepted or asked for by `connect`.
    func closed(_ connection: ConnectionID, _ end: ConnectionEnd)
    /// The deadline that was set has come; it is no longer set.
    func deadlinePassed()
    /// All that was ready is delivered: now is the time to send.
    func batchEnded()
    /// Accepting failed for want of descriptors or memory and pauses for a moment.
    func acceptingPaused(_ error: TransportError)
}

extension LoopHandler {
    package func drained(_ connection: ConnectionID) {}
    package func secured(_ connection: ConnectionID) {}
    package func refused(_ refusal: ConnectionRefusal, from address: String) {}
}

/// How a connection ended.
package enum ConnectionEnd: Hashable, Sendable {
    /// By `close` or `abort`, or both sides were done.
    case closed
    /// By the peer or the network, not in order.
    case reset
    /// The peer left more unread than the loop keeps for it.
    case slowReader
    /// It never stood.
    case notConnected(TransportError)
    /// It could not be made secure, or did not stay so.
    case notSecured(TLSFailure)
}
