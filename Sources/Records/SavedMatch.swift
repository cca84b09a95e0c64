package import RaceModel
package import WireProtocol

/// A match that was under way when the server ended: all that another process needs to go on with it.
package struct SavedMatch: Hashable, Sendable {
    /// Who holds a seat.
    package struct Holder: Hashable, Sendable {
        package var keyDigest: Bytes32
        package var hasRaced: Bool
        package init(keyDigest: Bytes32, hasRaced: Bool) {
            self.keyDigest = keyDigest
            self.hasRaced = hasRaced
        }
    }

    /// Match, settings, seal and seats. `ownSeat` is nil.
    package var found: MatchFound
    package var request: RaceRequest
    /// Secret until the race is over: whoever reads a saved match can foretell its dice.
    package var nonce: Bytes32
    /// By seat; nil for a computer opponent, and for who has left for good.
    package var holders: [Holder?]
    /// Every number that was revealed, in order.
    package var numbers: [RevealedNumber]
    /// Numbers of the open round, which nobody has seen yet.
    package var hidden: [RevealedNumber]
    package var hasBegun: Bool
    package var events: RaceLog

    package init(
        found: MatchFound, request: RaceRequest, nonce: Bytes32, holders: [Holder?],
        numbers: [RevealedNumber],
        hidden: [RevealedNumber], hasBegun: Bool, events: RaceLog
    ) {
        self.found = found
        self.request = request
        self.nonce = nonce
        self.holders = holders
        self.numbers = numbers
        self.hidden = hidden
        self.hasBegun = hasBegun
        self.events = events
    }
}

/// The form in which a store keeps it.
///
/// A byte for the version, 1. The frames of found and of the request, as on the wire. 32 bytes of nonce. For each seat
/// a byte, 0 without a holder, 1 and 2 with one who has not, or has, raced, and then 32 bytes of key digest. Two lists
/// of numbers, each a byte of count and as many frames. A byte, 1 once the race has begun, and a byte an event.
extension SavedMatch {
    private static let version: UInt8 = 1

    package var bytes: [UInt8] {
        var bytes = [Self.version]
        BinaryEncoder.append(.matchFound(self.found), to: &bytes)
        BinaryEncoder.append(.findMatch(self.request), to: &bytes)
        bytes += self.nonce.bytes
        for holder in self.holders {
            guard let holder else {
                bytes.append(0)
                continue
            }
            bytes.append(holder.hasRaced ? 2 : 1)
            bytes += holder.keyDigest.bytes
        }
        for list in [self.numbers, self.hidden] {
            bytes.append(UInt8(list.count))
            for number in list { BinaryEncoder.append(.randomNumber(number), to: &bytes) }
        }
        bytes.append(self.hasBegun ? 1 : 0)
        return bytes + self.events.bytes
    }

    /// Reads what `bytes` wrote, and nothing else.
    package init(bytes: [UInt8]) throws(RecordFault) {
        let fault = RecordFault(text: "these bytes are not a saved match")
        var rest = bytes[...]
        guard rest.popFirst() == Self.version,
            case .matchFound(let found) = Self.message(ServerMessage.self, in: &rest),
            MatchRecord.fault(in: found) == nil,
            case .findMatch(let request) = Self.message(ClientMessage.self, in: &rest),
            let nonce = Self.take32(&rest)
        else { throw fault }
        var holders: [Holder?] = []
        for _ in found.seats {
            switch rest.popFirst() {
            case 0: holders.append(nil)
            case .some(let mark) where mark <= 2:
                guard let digest = Self.take32(&rest) else { throw fault }
                holders.append(Holder(keyDigest: digest, hasRaced: mark == 2))
            default: throw fault
            }
        }
        guard let numbers = Self.numbers(in: &rest, seats: found.seats.count),
            let hidden = Self.numbers(in: &rest, seats: found.seats.count),
            let begun = rest.popFirst(), begun <= 1,
            let events = RaceLog(bytes: rest, players: found.seats.count)
        else { throw fault }
        self.init(
            found: found, request: request, nonce: nonce, holders: holders, numbers: numbers, hidden: hidden,
            hasBegun: begun == 1, events: events)
        guard self.bytes == bytes else { throw fault }
    }

    private static func numbers(in rest: inout ArraySlice<UInt8>, seats: Int) -> [RevealedNumber]? {
        guard let count = rest.popFirst(), count <= Limits.playersPerMatch * Int(Limits.drawRounds) else {
            return nil
        }
        var numbers: [RevealedNumber] = []
        for _ in 0..<count {
            guard case .randomNumber(let number) = Self.message(ServerMessage.self, in: &rest),
                number.seat.index < seats
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    private static func message<Message: BinaryMessage>(
        _ type: Message.Type, in rest: inout ArraySlice<UInt8>
    ) -> Message? {
        var frames = FrameDecoder<Message>()
        return (try? frames.next(in: &rest)) ?? nil
    }

    private static func take32(_ rest: inout ArraySlice<UInt8>) -> Bytes32? {
        guard rest.count >= 32 else { return nil }
        defer { rest = rest.dropFirst(32) }
        return Bytes32(rest.prefix(32))
    }
}
