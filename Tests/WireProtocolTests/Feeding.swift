import RaceModel
import WireProtocol

/// What a decoder made of its input: a value or the code of a fault.
enum Event<Value: Hashable & Sendable>: Hashable, Sendable {
    case value(Value)
    case fault(ErrorCode)
}

/// Pieces are handed over one by one, as reads would be.
enum Feed {
    /// Cuts into pieces of at most `size` bytes.
    static func pieces(_ bytes: [UInt8], of size: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    }

    /// Two pieces, cut at `index`.
    static func pieces(_ bytes: [UInt8], cutAt index: Int) -> [ArraySlice<UInt8>] {
        [bytes[..<index], bytes[index...]]
    }

    static func frames<Message: BinaryMessage>(
        _ pieces: [ArraySlice<UInt8>], as type: Message.Type
    ) -> [Event<Message>] {
        var decoder = FrameDecoder<Message>()
        return Self.drain(pieces) { input throws(ProtocolViolation) in try decoder.next(in: &input) }
    }

    static func lines(_ pieces: [ArraySlice<UInt8>]) -> [Event<TextInput>] {
        var decoder = LineDecoder()
        return Self.drain(pieces) { input throws(ProtocolViolation) in try decoder.next(in: &input) }
    }

    static func lines(_ text: String) -> [Event<TextInput>] { Self.lines([Array(text.utf8)[...]]) }

    static func serverLines(_ pieces: [ArraySlice<UInt8>]) -> [Event<ServerMessage>] {
        var decoder = ServerLineDecoder()
        return Self.drain(pieces) { input throws(ProtocolViolation) in try decoder.next(in: &input) }
    }

    /// Stops at a fault that closes the connection.
    static func drain<Value>(
        _ pieces: [ArraySlice<UInt8>],
        _ next: (inout ArraySlice<UInt8>) throws(ProtocolViolation) -> Value?
    ) -> [Event<Value>] {
        var events: [Event<Value>] = []
        for piece in pieces {
            var input = piece
            while true {
                do throws(ProtocolViolation) {
                    guard let value = try next(&input) else { break }
                    events.append(.value(value))
                } catch {
                    events.append(.fault(error.code))
                    if error.code.closesConnection { return events }
                }
            }
        }
        return events
    }

    static func frame(_ message: ClientMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        BinaryEncoder.append(message, to: &bytes)
        return bytes
    }

    static func frame(_ message: ServerMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        BinaryEncoder.append(message, to: &bytes)
        return bytes
    }

    static func line(_ message: ClientMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        LineEncoder.append(message, to: &bytes)
        return bytes
    }

    static func line(_ message: ServerMessage, names: RosterNames = .none) -> [UInt8] {
        var bytes: [UInt8] = []
        LineEncoder.append(message, names: names, to: &bytes)
        return bytes
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
