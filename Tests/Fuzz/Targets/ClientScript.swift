import ClientCore
import RaceModel
import WireProtocol

/// The whole client against a server that may send anything. The input is a script: of each step, the first
/// byte says what happens.
///
/// | byte mod 4 | what |
/// |---|---|
/// | 0 | the server's bytes: a count, and so many bytes |
/// | 1 | time passes: a byte, in tenths of a second |
/// | 2 | the connection ends, and another stands |
/// | 3 | the user wants something: a byte says what |
package enum ClientScript: FuzzTarget {
    package static let name = "client"

    package static func run(_ input: [UInt8]) -> String? {
        var rest = input[...]
        var run = Run(plays: rest.popFirst() ?? 0 > 127)
        while run.finding == nil, let step = rest.popFirst() {
            switch step % 4 {
            case 0:
                let count = Int(rest.popFirst() ?? 0)
                run.receive(rest.prefix(count))
                rest = rest.dropFirst(count)
            case 1: run.pass(tenths: Int64(rest.popFirst() ?? 0))
            case 2: run.reconnect()
            default: run.wish(rest.popFirst() ?? 0)
            }
        }
        return run.finding
    }

    private struct Run {
        var client: RaceClient
        var outbox = ClientOutbox()
        var now = Instant.zero
        var sent = FrameDecoder<ClientMessage>()
        var prefaceLeft = 0
        var closes = false
        var finding: String?

        init(plays: Bool) {
            var configuration = RaceClient.Configuration(name: "ann")
            configuration.request = RaceRequest(minimum: 2, maximum: 2)
            var strategy = Strategy(generator: SeededGenerator(seed: 1))
            strategy.afterRace = .rematch
            self.client = RaceClient(configuration, strategy: plays ? strategy : nil)
            self.reconnect()
        }

        mutating func receive(_ bytes: ArraySlice<UInt8>) {
            if !self.closes { self.handle(.received(bytes)) }
        }

        mutating func reconnect() {
            self.handle(.disconnected)
            self.sent = FrameDecoder()
            self.prefaceLeft = Preface.byteCount
            self.closes = false
            self.handle(.connected)
        }

        mutating func pass(tenths: Int64) {
            self.now = Instant(nanoseconds: self.now.nanoseconds + tenths * 100_000_000)
            self.handle(.deadlinePassed)
        }

        mutating func wish(_ byte: UInt8) {
            guard !self.closes else { return }
            let wishes: [ClientWish] = [
                .move, .number(7), .findRace, .message(.leave), .message(.rematch), .message(.gameBegin),
                .message(.watch(MatchID(1))), .message(.quit),
            ]
            self.handle(.wish(wishes[Int(byte) % wishes.count]))
        }

        private mutating func handle(_ input: ClientInput) {
            self.outbox.removeAll()
            self.client.handle(input, now: self.now, into: &self.outbox)
            self.closes = self.closes || self.outbox.closes
            var bytes = self.outbox.bytes[...]
            let skipped = min(self.prefaceLeft, bytes.count)
            self.prefaceLeft -= skipped
            bytes = bytes.dropFirst(skipped)
            do throws(ProtocolViolation) {
                while try self.sent.next(in: &bytes) != nil {}
            } catch {
                self.finding = "the client sends what it should not: \(error)"
            }
        }
    }
}
