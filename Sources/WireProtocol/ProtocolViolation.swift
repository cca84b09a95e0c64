/// A peer's fault in the stream: what kind, which message it was in if that is known, and a sentence that
/// names what was wrong and what would be right.
package struct ProtocolViolation: Error, Hashable, Sendable {
    package var code: ErrorCode
    package var request: UInt8?
    package var text: String
    package init(code: ErrorCode, request: UInt8?, text: String) {
        self.code = code
        self.request = request
        self.text = text
    }
}

extension ErrorReply {
    /// What the peer is told of its fault.
    package init(_ violation: ProtocolViolation) {
        self.init(code: violation.code, request: violation.request, text: violation.text)
    }
}
