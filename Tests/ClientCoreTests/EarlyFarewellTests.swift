import RaceModel
import Testing
import WireProtocol

@testable import ClientCore

@Suite struct EarlyFarewellTests {
    private static func events(of text: String, piece: Int) -> [ClientEvent] {
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        var outbox = ClientOutbox()
        client.handle(.connected, now: .zero, into: &outbox)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            client.handle(.received(rest.prefix(piece)), now: .zero, into: &outbox)
            rest = rest.dropFirst(piece)
        }
        return outbox.events
    }

    @Test(arguments: [1, 3, 1000])
    func `a server that closes before it knows what we speak is understood, however it is cut`(piece: Int) {
        let text =
            "hello server=catrace version=1\n# bye\nbye reason=full text=\"no room\"\nbye reason=quit\n"
        #expect(Self.events(of: text, piece: piece).received == [.bye(.full, text: "no room")])
    }

    @Test func `other text is passed over, and so are goodbyes behind the answer`() {
        for text in [
            "bye reason=nonsense\n", "bye \n", "bye reason=full text=\"\n", "bye reason=full", "a\n\n",
        ] {
            #expect(Self.events(of: text, piece: 1000).received.isEmpty, "\(text)")
        }
        #expect(
            Self.events(of: "nonsense \"\nbye reason=banned\n", piece: 7).received == [
                .bye(.banned, text: "")
            ])
        #expect(
            Self.events(of: String(repeating: "a", count: 4000), piece: 50).received.isEmpty)
        var early = EarlyFarewell()
        #expect(early.read([0x0A, 0xCA, 0x7E]) == nil)
        #expect(early.read(Array("bye reason=full\n".utf8)[...]) == nil)
    }
}
