package import Lobby
package import RaceModel
package import Records

/// Everything that can happen to the server. (What is rare and large is indirect, so that what is frequent is small.)
package enum Input: Sendable {
    /// The address is for logs and limits; players never see it.
    case accepted(ConnectionID, address: NetworkAddress)
    /// Nobody between the peer and us, or our proxy, can read along from here on. Comes before all bytes.
    case secured(ConnectionID)
    /// Bytes as they came, cut anywhere. The slice is not kept behind the call.
    case received(ConnectionID, ArraySlice<UInt8>)
    /// The peer sends no more, but may still read.
    case inputEnded(ConnectionID)
    /// So much output waits for this peer to read that more answers would only pile up; `drained` follows,
    /// or the end.
    case backedUp(ConnectionID)
    /// It has read all of it.
    case drained(ConnectionID)
    /// The connection is gone, by whosever doing, unread output included. Comes once for each accepted
    /// connection.
    case closed(ConnectionID, ConnectionLoss)
    /// `nextDeadline` has come. Early or late ones are harmless.
    case deadlinePassed
    indirect case answered(LookUpID, DirectoryAnswer)
    indirect case resultsAnswered(LookUpID, ResultAnswer)
    /// An operator asks for something; `Errand.operated` of the same number follows: at once, or
    /// when the store has told who somebody is.
    indirect case operated(UInt64, OperatorCommand)
    /// Races that another process saved: before anything else.
    case restore([SavedMatch])
    /// Take no new races, and stop once none is on, or after this time.
    case drain(Instant.Span)
    /// Save the races under way, tell everybody and close all connections: the process is about to end. `ended`
    /// follows.
    case stop
}

package enum ConnectionLoss: Sendable, Hashable {
    /// The core asked for it, or the peer closed in order.
    case closed
    case reset
    /// The peer left more than `Limits.unreadOutputBytes` unread.
    case slowReader

    /// For the log.
    var name: String {
        switch self {
        case .closed: "closed"
        case .reset: "reset"
        case .slowReader: "slow-reader"
        }
    }
}
