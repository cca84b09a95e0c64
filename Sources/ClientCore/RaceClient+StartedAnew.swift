import RaceModel
import WireProtocol

/// A server that was started anew keeps no players of before. The key was right once, so it is no mistake of
/// the user's: the client becomes a new player under its old alias, if that is still free.
extension RaceClient {
    /// Whether this answer says that a player who was welcome before is not known any more.
    func isForgotten(_ error: ErrorReply) -> Bool {
        guard self.view.identity != nil, error.request == ClientMessageNumber.hello.rawValue else {
            return false
        }
        return error.code == .wrongKey || error.code == .noSuchPlayer
    }

    mutating func startAnew(into outbox: inout ClientOutbox) {
        let name = self.view.identity?.alias.text ?? self.configuration.name ?? ""
        self.configuration.name = name
        self.configuration.key = nil
        var loss = self.view.forgetPlayer()
        self.witness = nil
        self.isMatchInDoubt = false
        if loss == .race {
            // A lost race is no reason to stop racing.
            self.strategy?.hasRaced = true
            self.isSeeking = false
        } else if self.isSeeking {
            loss = .ticket
        }
        self.isTakingAliasAgain = true
        outbox.events.append(.startedAnew(loss))
        self.send(.hello(Hello(name: name)), into: &outbox)
    }
}

extension RaceView {
    /// What a client lost with a server that was started anew.
    package enum Loss: Hashable, Sendable {
        /// A race that was not over.
        case race
        /// A place in the queue; the client looks for a race again.
        case ticket
        case nothing
    }

    /// The server knows this player no more, and nothing that went on.
    @discardableResult
    package mutating func forgetPlayer() -> Loss {
        let isRaceLost = self.match.map { $0.state != .done && !$0.isSpectating } == true
        self.identity = nil
        self.match = nil
        self.notice = nil
        return isRaceLost ? .race : .nothing
    }
}
