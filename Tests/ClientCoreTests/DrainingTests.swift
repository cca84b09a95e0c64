import RaceModel
import Testing
import WireProtocol

@testable import ClientCore

/// A client whose server is about to restart.
@Suite struct DrainingTests {
    private let request = RaceRequest(minimum: 3, maximum: 3)
    private let queued = ServerMessage.queued(Queued(waiting: 1, minimum: 3, maximum: 3, startsIn: nil))
    private let draining = ServerMessage.notice(.draining, seconds: 8, text: "")

    private func welcome() throws -> ServerMessage {
        .welcome(PlayerID(17), try #require(Alias("ann")), PlayerKey(high: 1, low: 2))
    }

    /// What it sends first once it is welcome again.
    private func afterRestart(_ messages: [ServerMessage]) throws -> [ClientMessage] {
        var client = RaceClient(RaceClient.Configuration(name: "ann", request: self.request))
        _ = client.feed([try self.welcome()])
        _ = client.feed(messages, connects: false)
        var outbox = ClientOutbox()
        client.handle(.disconnected, now: .zero, into: &outbox)
        return client.feed([try self.welcome()]).sent.filter {
            if case .hello = $0 { false } else { true }
        }
    }

    private func refusal(_ code: ErrorCode, of request: ClientMessageNumber) -> ServerMessage {
        .error(ErrorReply(code: code, request: request.rawValue, text: "no"))
    }

    @Test func `who was taken out of the queue looks again behind the restart`() throws {
        let sent = try self.afterRestart([self.queued, self.draining, .stopped(.queue)])
        #expect(sent == [.findMatch(self.request)])
    }

    @Test func `who asked for a race too late asks again behind the restart`() throws {
        let sent = try self.afterRestart([self.draining, self.refusal(.draining, of: .findMatch)])
        #expect(sent == [.findMatch(self.request)])
    }

    @Test func `who took the wish back looks for no race, with or without a restart`() throws {
        #expect(try self.afterRestart([self.queued, .stopped(.queue)]) == [])
        let messages = [
            self.queued, self.draining, .stopped(.queue), self.refusal(.notQueued, of: .cancelFind),
        ]
        #expect(try self.afterRestart(messages) == [])
    }
}
