import RaceModel
import WireProtocol

/// Finds the `bye` of a server that closes before it knows what we speak, and so says it in text.
struct EarlyFarewell: Sendable {
    private var lines = ServerLineDecoder()
    private var isOver = false

    /// - Parameter bytes: what came behind all that came before.
    /// - Returns: the farewell, once.
    mutating func read(_ bytes: ArraySlice<UInt8>) -> ServerMessage? {
        guard !self.isOver else { return nil }
        // Text holds no such byte, and the answer to the preface begins with one.
        let text = bytes.prefix { $0 < 0x80 }
        self.isOver = text.count < bytes.count
        var input = text
        while !input.isEmpty, !self.isOver {
            do throws(ProtocolViolation) {
                guard let message = try self.lines.next(in: &input) else { return nil }
                if case .bye = message {
                    self.isOver = true
                    return message
                }
            } catch {
                // A line too long is thrown again for ever; any other that can't be read is passed over.
                self.isOver = error.code == .lineTooLong
            }
        }
        return nil
    }
}
