import RaceModel

/// Cuts a stream of bytes into frames and reads the message in each. Whole frames are read where they lie;
/// only an incomplete one is kept, at most one frame of bytes, and nothing while none is incomplete.
///
/// Faults of the stream (`ErrorCode.closesConnection`) are thrown again for ever. Faults of one message are
/// thrown once; the next call goes on with the next frame.
package struct FrameDecoder<Message: BinaryMessage>: Sendable {
    /// What came of a frame whose end has not.
    private var rest: [UInt8] = []
    private var fault: ErrorCode?

    package init() {}

    /// Whether a frame has begun and its end is still to come.
    package var isInsideFrame: Bool { !self.rest.isEmpty }

    /// The next message; nil when more bytes are needed, and then all of `input` was consumed.
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> Message? {
        try self.decodeNext(in: &input)
    }

    @inline(__always)
    private mutating func decodeNext(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> Message?
    {
        if let fault = self.fault { throw Self.violation(fault) }
        guard self.rest.isEmpty else { return try self.finishRest(from: &input) }
        let start = input.startIndex
        let count = input.endIndex - start
        guard count >= 2 else {
            if count == 1 { self.rest = [input[start]] }
            input = input[input.endIndex...]
            return nil
        }
        let length = try self.checkedLength(input[start], input[start + 1])
        guard count - 2 >= length else {
            self.rest = Array(input)
            input = input[input.endIndex...]
            return nil
        }
        let end = start + 2 + length
        let body = input[(start + 3)..<end]
        let type = input[start + 2]
        input = input[end...]
        return try Message.decode(type: type, body: body)
    }

    private mutating func finishRest(from input: inout ArraySlice<UInt8>) throws(ProtocolViolation)
        -> Message?
    {
        if self.rest.count == 1 {
            guard let second = input.popFirst() else { return nil }
            self.rest.append(second)
        }
        let length = try self.checkedLength(self.rest[0], self.rest[1])
        let taken = min(length + 2 - self.rest.count, input.count)
        self.rest.append(contentsOf: input.prefix(taken))
        input = input.dropFirst(taken)
        guard self.rest.count == length + 2 else { return nil }
        let frame = self.rest
        self.rest = []
        return try Message.decode(type: frame[2], body: frame[3...])
    }

    private mutating func checkedLength(_ high: UInt8, _ low: UInt8) throws(ProtocolViolation) -> Int {
        let length = Int(high) << 8 | Int(low)
        if length >= 1, length <= Limits.frameBytes { return length }
        let fault: ErrorCode = length == 0 ? .badLength : .frameTooLong
        self.fault = fault
        self.rest = []
        throw Self.violation(fault)
    }

    private static func violation(_ fault: ErrorCode) -> ProtocolViolation {
        ProtocolViolation(
            code: fault, request: nil,
            text: "a frame has 1 to \(Limits.frameBytes) bytes behind its length, this one says "
                + (fault == .badLength ? "0" : "more"))
    }
}

// The same by name of the message, so that code outside this module does not go through the generic one.
extension FrameDecoder where Message == ClientMessage {
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> ClientMessage?
    {
        try self.decodeNext(in: &input)
    }

    /// The turn of a move, if these bytes are one whole frame with it, behind whole frames; then they need not be
    /// decoded any more.
    package func onlyMove(in input: ArraySlice<UInt8>) -> UInt32? {
        let start = input.startIndex
        guard self.rest.isEmpty, self.fault == nil, input.endIndex - start == 7, input[start] == 0,
            input[start + 1] == 5, input[start + 2] == ClientMessageNumber.move.rawValue
        else { return nil }
        let high = UInt32(input[start + 3]) << 24 | UInt32(input[start + 4]) << 16
        return high | UInt32(input[start + 5]) << 8 | UInt32(input[start + 6])
    }
}

extension FrameDecoder where Message == ServerMessage {
    package mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> ServerMessage?
    {
        try self.decodeNext(in: &input)
    }
}
