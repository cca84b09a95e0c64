import RaceModel
import Testing
import WireProtocol

@testable import ClientCore

/// A client whose server was started anew, and so has forgotten who it was.
@Suite struct StartedAnewTests {
    private let key = PlayerKey(high: 1, low: 2)
    private let newKey = PlayerKey(high: 3, low: 4)
    private let request = RaceRequest(minimum: 3, maximum: 3)

    private func welcome(_ key: PlayerKey?) throws -> ServerMessage {
        .welcome(PlayerID(17), try #require(Alias("ann")), key)
    }

    private func refusal(_ code: ErrorCode) -> ServerMessage {
        .error(ErrorReply(code: code, request: ClientMessageNumber.hello.rawValue, text: "no"))
    }

    /// Ann, as far as she was before the server died.
    private func client(
        _ messages: [ServerMessage], key: PlayerKey? = nil, looksForRaces: Bool = false
    ) throws -> RaceClient {
        var strategy = Strategy(generator: SeededGenerator(seed: 5))
        if looksForRaces { strategy.afterRace = .findRace }
        var client = RaceClient(
            RaceClient.Configuration(name: "ann", key: key, request: self.request), strategy: strategy)
        _ = client.feed([try self.welcome(key == nil ? self.key : nil)] + messages)
        var outbox = ClientOutbox()
        client.handle(.disconnected, now: .zero, into: &outbox)
        return client
    }

    private func race(_ count: Int) -> some Sequence<ServerMessage> {
        HonestRace(
            seed: 9, players: 2, settings: RaceSettings(rule: .turns, draw: .highest, finish: 25)
        ).messages.prefix(count)
    }

    @Test func `it says that the race is lost, takes the alias again and keeps the new key`() throws {
        var client = try self.client(Array(self.race(8)))
        #expect(client.view.match?.state == .active)
        var events = client.feed([self.refusal(.wrongKey)])
        #expect(events.sent.last == .hello(Hello(name: "ann")))
        #expect(events.contains(.startedAnew(.race)))
        #expect(events.received == [], "the refusal is not told as one")
        #expect(client.isTakingAliasAgain && client.view.identity == nil && client.view.match == nil)
        events = client.feed([try self.welcome(self.newKey)], connects: false)
        #expect(events.sent == [], "a person is asked before the next race")
        #expect(!client.isTakingAliasAgain && client.view.identity?.key == self.newKey)
        var outbox = ClientOutbox()
        client.handle(.disconnected, now: .zero, into: &outbox)
        #expect(client.feed([]).sent == [.hello(Hello(name: "ann", key: self.newKey))])
    }

    @Test func `one that races by itself looks for the next race, though its first was lost`() throws {
        var client = try self.client(Array(self.race(8)), looksForRaces: true)
        _ = client.feed([self.refusal(.wrongKey)])
        let events = client.feed([try self.welcome(self.newKey)], connects: false)
        #expect(events.sent == [.findMatch(self.request)])
    }

    @Test func `who was queued asks again for the race it asked for`() throws {
        let queued = ServerMessage.queued(Queued(waiting: 1, minimum: 2, maximum: 2, startsIn: nil))
        for typed in [nil, RaceRequest(minimum: 2, maximum: 2, group: 7)] {
            var client = RaceClient(RaceClient.Configuration(name: "ann", request: self.request))
            _ = client.feed([try self.welcome(self.key)])
            var outbox = ClientOutbox()
            if let typed { client.handle(.wish(.message(.findMatch(typed))), now: .zero, into: &outbox) }
            _ = client.feed([queued], connects: false)
            client.handle(.disconnected, now: .zero, into: &outbox)
            #expect(client.feed([self.refusal(.noSuchPlayer)]).contains(.startedAnew(.ticket)))
            let events = client.feed([try self.welcome(self.newKey)], connects: false)
            #expect(events.sent == [.findMatch(typed ?? self.request)])
        }
    }

    @Test func `a race that was over is not lost`() throws {
        var client = try self.client(Array(self.race(.max)))
        #expect(client.view.match?.state == .done)
        #expect(client.feed([self.refusal(.wrongKey)]).contains(.startedAnew(.nothing)))
    }

    @Test func `a key that was right once counts as given no more`() throws {
        var client = try self.client([], key: self.key)
        let events = client.feed([self.refusal(.wrongKey)])
        #expect(events.sent == [.hello(Hello(name: "ann", key: self.key)), .hello(Hello(name: "ann"))])
        #expect(client.configuration.key == nil)
    }

    @Test func `a refusal before any welcome, and a taken alias behind one, are told`() throws {
        var client = RaceClient(RaceClient.Configuration(name: "ann", key: self.key))
        var events = client.feed([self.refusal(.wrongKey)])
        #expect(events.received == [self.refusal(.wrongKey)])
        #expect(events.sent.count == 1 && !client.isTakingAliasAgain)
        client = try self.client([])
        events = client.feed([self.refusal(.wrongKey), self.refusal(.aliasTaken)])
        #expect(events.received == [self.refusal(.aliasTaken)])
        #expect(events.sent.count == 2 && client.isTakingAliasAgain)
    }
}
