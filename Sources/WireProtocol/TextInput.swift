/// What came of a line, or of telnet's own bytes, from a text client.
package enum TextInput: Hashable, Sendable {
    case message(ClientMessage)
    case command(TextCommand)
    /// This line is wrong; the connection goes on.
    case violation(ProtocolViolation)
    /// What telnet must be told; to be sent as it is.
    case reply([UInt8])
    /// Somebody speaks HTTP to us. Nothing comes after this.
    case http
}

/// What concerns only the text connection itself.
package enum TextCommand: Hashable, Sendable {
    /// The verb as it was written, which need not be one.
    case help(verb: String?)
    case setAuto(Bool)
    case setNotes(Bool)
    /// The server draws for the player.
    case drawNumber
}
