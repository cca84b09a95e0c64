import RaceModel
import WireProtocol

/// Reads the text of a record message by message, and holds each to the form in which the server writes it.
struct RecordReader {
    private let text: [UInt8]
    private var rest: ArraySlice<UInt8>
    /// Lines read so far.
    private var lines = 0
    /// Of the message read last.
    private var firstLine = 1
    private var written: ArraySlice<UInt8> = []
    private var names = RosterNames.none

    init(_ text: [UInt8]) {
        self.text = text
        self.rest = text[...]
    }

    /// About the message read last.
    func fault(_ text: String) -> RecordFault { RecordFault(line: self.firstLine, text: text) }

    /// About the first line of places that is out of order, or else about the end.
    func fault(_ text: String, in over: GameOver, of found: MatchFound) -> RecordFault {
        let places = over.standings.enumerated()
        let wrong = places.first { index, place in
            Int(place.rank) != index + 1 || place.player.index >= found.seats.count
                || places.contains { $0.offset < index && $0.element.player == place.player }
        }
        return RecordFault(line: self.firstLine + (wrong.map { $0.offset + 1 } ?? 0), text: text)
    }

    /// About the first seat that is out of order, or else about the race.
    private func fault(_ text: String, in found: MatchFound) -> RecordFault {
        let seats = found.seats.enumerated()
        let wrong = seats.first { index, entry in
            entry.seat != Seat(index: index)
                || entry.player.value != 0
                    && seats.contains { $0.offset < index && $0.element.player == entry.player }
        }
        return RecordFault(line: self.firstLine + (wrong.map { $0.offset + 1 } ?? 0), text: text)
    }

    /// The next message, of as many lines as it has.
    mutating func message() throws(RecordFault) -> ServerMessage {
        var decoder = ServerLineDecoder()
        let start = self.rest.startIndex
        self.firstLine = self.lines + 1
        repeat {
            guard let end = self.rest.firstIndex(of: 0x0A) else {
                throw RecordFault(
                    line: self.lines + 1,
                    text: self.rest.isEmpty
                        ? "the record ends too early: its last lines are over and its places"
                        : "a line ends with LF, the last one too")
            }
            var line = self.rest[...end]
            self.rest = self.rest[(end + 1)...]
            self.lines += 1
            do throws(ProtocolViolation) {
                if let message = try decoder.next(in: &line), line.isEmpty {
                    self.written = self.text[start..<self.rest.startIndex]
                    return message
                }
            } catch {
                throw RecordFault(line: self.faultyLine(from: start), text: error.text)
            }
        } while decoder.isInsideMessage
        throw RecordFault(line: self.lines, text: "this is no line of a record")
    }

    /// Of the lines of a message that can't be read, the first that is to blame: with good ones behind it, the message
    /// can't be read either.
    private func faultyLine(from start: Int) -> Int {
        let lines = self.text[start..<self.rest.startIndex].split(
            separator: 0x0A, omittingEmptySubsequences: false)
        let good =
            lines[0].starts(with: "over ".utf8) ? "place rank=1 player=1 at=0" : "seat n=1 player=0 alias=a"
        for count in 1..<max(2, lines.count - 1) {
            var decoder = ServerLineDecoder()
            let entries = [String](repeating: good, count: Limits.playersPerMatch).joined(separator: "\n")
            var input = (Array(lines[..<count].joined(separator: [0x0A])) + Array("\n\(entries)\n".utf8))[...]
            do throws(ProtocolViolation) {
                _ = try decoder.next(in: &input)
            } catch {
                return self.firstLine + count - 1
            }
        }
        return self.lines
    }

    /// The message read last must be written like this one.
    func check(_ message: ServerMessage) throws(RecordFault) {
        var right: [UInt8] = []
        LineEncoder.append(message, names: self.names, to: &right)
        if self.written.elementsEqual(right) { return }
        let lines = right.split(separator: 0x0A)
        let given = self.written.split(separator: 0x0A, omittingEmptySubsequences: false)
        let index =
            zip(lines, given).enumerated().first { !$0.element.0.elementsEqual($0.element.1) }?.offset ?? 0
        throw RecordFault(
            line: self.firstLine + index,
            text: "the server would have written: \(String(decoding: lines[index], as: UTF8.self))")
    }

    mutating func found() throws(RecordFault) -> MatchFound {
        guard case .matchFound(let found) = try self.message() else {
            throw self.fault("a record begins with found and its seats")
        }
        if let fault = MatchRecord.fault(in: found) { throw self.fault(fault, in: found) }
        self.names = RosterNames(aliases: found.seats.map(\.alias), finish: found.settings.finish)
        try self.check(.matchFound(found))
        return found
    }

    mutating func order(_ message: ServerMessage, of found: MatchFound) throws(RecordFault) -> [Seat] {
        guard case .playerOrder(let order) = message else {
            throw self.fault("behind found stand the numbers, and then the order")
        }
        if let fault = MatchRecord.fault(in: order, of: found) { throw self.fault(fault) }
        try self.check(message)
        self.names.order = order
        return order
    }

    func expectEnd() throws(RecordFault) {
        guard self.rest.isEmpty else {
            throw RecordFault(line: self.lines + 1, text: "the record ends with the places of over")
        }
    }
}
