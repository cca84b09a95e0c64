import RaceModel
import WireProtocol

/// Someone on netcat: lines out, lines in.
struct TextClient: Sendable {
    private var decoder = ServerLineDecoder()
    private var line: [UInt8] = []

    /// The server's next message. Notes, and what `set` answers, are for people.
    mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> ServerMessage? {
        while let end = input.firstIndex(of: 0x0A) {
            self.line.append(contentsOf: input[...end])
            input = input[(end + 1)...]
            let line = self.line
            self.line.removeAll(keepingCapacity: true)
            guard line.first != UInt8(ascii: "#"), !line.starts(with: "set ".utf8) else { continue }
            var rest = line[...]
            if let message = try self.decoder.next(in: &rest) { return message }
        }
        self.line.append(contentsOf: input)
        input = input[input.endIndex...]
        return nil
    }

    /// Whether the server broke off in a message.
    var isInsideMessage: Bool { !self.line.isEmpty || self.decoder.isInsideMessage }
}
