import ClientCore
import RaceModel
import WireProtocol

extension RaceClient {
    /// Lets the client see these messages behind a preface, as one piece of bytes.
    mutating func feed(
        _ messages: [ServerMessage], now: Instant = .zero, connects: Bool = true
    ) -> [ClientEvent] {
        var outbox = ClientOutbox()
        var bytes: [UInt8] = []
        if connects {
            self.handle(.connected, now: now, into: &outbox)
            Preface.appendAnswer(to: Preface.Offer(lowest: 1, highest: 1), to: &bytes)
        }
        for message in messages { BinaryEncoder.append(message, to: &bytes) }
        self.handle(.received(bytes[...]), now: now, into: &outbox)
        return outbox.events
    }
}

extension [ClientEvent] {
    /// What the client sent.
    var sent: [ClientMessage] {
        self.compactMap { event in
            if case .sent(let message) = event { message } else { nil }
        }
    }

    var received: [ServerMessage] {
        self.compactMap { event in
            if case .message(let message) = event { message } else { nil }
        }
    }
}
