import RaceModel
import WireProtocol

/// The form in which a store keeps a record.
///
/// A byte for the version, 1. The frames of found, of each number, of the order and of over, as on the wire. Then a
/// byte: 1, and a byte for each event to the end; or 0, for a race too long, and a byte with a bit for each seat that
/// forfeited.
extension MatchRecord {
    private static let version: UInt8 = 1
    private enum Ending: UInt8 { case withoutEvents, withEvents }

    package var bytes: [UInt8] {
        var bytes = [Self.version]
        BinaryEncoder.append(.matchFound(self.found), to: &bytes)
        for number in self.numbers { BinaryEncoder.append(.randomNumber(number), to: &bytes) }
        BinaryEncoder.append(.playerOrder(self.order), to: &bytes)
        BinaryEncoder.append(.gameOver(self.over), to: &bytes)
        if let events = self.events {
            bytes.append(Ending.withEvents.rawValue)
            bytes.append(contentsOf: events.bytes)
        } else {
            bytes.append(Ending.withoutEvents.rawValue)
            bytes.append(self.forfeited.bits)
        }
        return bytes
    }

    /// Reads what `bytes` wrote, and nothing else: any other bytes are a fault.
    package init(bytes: [UInt8]) throws(RecordFault) {
        guard bytes.first == Self.version else {
            throw RecordFault(text: "a record begins with its version, \(Self.version)")
        }
        var rest = bytes.dropFirst()
        guard case .matchFound(let found) = try Self.message(in: &rest) else {
            throw RecordFault(text: "found comes first in a record")
        }
        var numbers: [RevealedNumber] = []
        var message = try Self.message(in: &rest)
        while case .randomNumber(let number) = message {
            numbers.append(number)
            message = try Self.message(in: &rest)
        }
        guard case .playerOrder(let order) = message else {
            throw RecordFault(text: "the order comes behind the numbers")
        }
        guard case .gameOver(let over) = try Self.message(in: &rest) else {
            throw RecordFault(text: "over comes behind the order")
        }
        let (events, forfeited) = try Self.ending(rest, players: found.seats.count)
        self.init(
            found: found, numbers: numbers, order: order, events: events, forfeited: forfeited, over: over)
        let fault =
            Self.fault(in: found) ?? Self.fault(in: numbers, of: found) ?? Self.fault(in: order, of: found)
            ?? Self.fault(in: over, after: events, of: found)
        if let fault { throw RecordFault(text: fault) }
        guard self.bytes == bytes else {
            throw RecordFault(text: "a record has one form, and this is another")
        }
    }

    private static func message(in rest: inout ArraySlice<UInt8>) throws(RecordFault) -> ServerMessage {
        var frames = FrameDecoder<ServerMessage>()
        do throws(ProtocolViolation) {
            if let message = try frames.next(in: &rest) { return message }
        } catch {
            throw RecordFault(text: error.text)
        }
        throw RecordFault(text: "the record ends too early")
    }

    private static func ending(
        _ rest: ArraySlice<UInt8>, players: Int
    ) throws(RecordFault) -> (RaceLog?, SeatSet) {
        switch rest.first.flatMap(Ending.init(rawValue:)) {
        case .withEvents:
            guard let events = RaceLog(bytes: rest.dropFirst(), players: players) else {
                throw RecordFault(text: "these bytes are not the events of a race")
            }
            return (events, SeatSet())
        case .withoutEvents:
            guard rest.count == 2, let bits = rest.last,
                SeatSet.first(players).isSuperset(of: SeatSet(bits: bits))
            else { throw RecordFault(text: "a record without events ends with the seats that forfeited") }
            return (nil, SeatSet(bits: bits))
        case nil: throw RecordFault(text: "behind over stands whether there are events")
        }
    }
}
