/// A message that can be read from a frame: what clients send, or what the server sends.
package protocol BinaryMessage: Hashable, Sendable {
    /// Reads the body of a message of this type.
    ///
    /// - Throws: what is wrong with this message; the stream itself is in order.
    static func decode(type: UInt8, body: ArraySlice<UInt8>) throws(ProtocolViolation) -> Self
}

extension ProtocolViolation {
    static func unknownType(_ type: UInt8) -> ProtocolViolation {
        ProtocolViolation(
            code: .unknownType, request: type, text: "there is no message type \(type) in version 1")
    }

    static func wrongDirection(_ type: UInt8, sender: String) -> ProtocolViolation {
        ProtocolViolation(
            code: .wrongDirection, request: type, text: "message type \(type) is only sent by \(sender)")
    }
}
