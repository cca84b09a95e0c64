package import WireProtocol

/// What happens to a client.
package enum ClientInput: Sendable {
    /// A connection to the server stands. Also the way back: what is known of the player goes into the new
    /// Hello.
    case connected
    /// Bytes from the server, cut anywhere.
    case received(ArraySlice<UInt8>)
    /// The connection is gone, for whatever reason.
    case disconnected
    /// The user wants something.
    case wish(ClientWish)
    /// `RaceClient.nextDeadline` has come.
    case deadlinePassed
}

/// What a user wants, where the client fills in what the user need not know.
package enum ClientWish: Hashable, Sendable {
    /// As it is.
    case message(ClientMessage)
    /// A number for the round of the draw that is open.
    case number(UInt32)
    /// A move, in answer to the turn that is open as far as this client knows.
    case move
    /// A race as the configuration asks for it.
    case findRace
}
