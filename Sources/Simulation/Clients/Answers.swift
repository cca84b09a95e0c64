import WireProtocol

/// Requests of one connection that are still to be answered: of each kind as many answers come as there were
/// requests.
struct Answers: Sendable {
    private var open: InlineArray<37, Int> = InlineArray(repeating: 0)
    private var pings: [UInt64] = []

    private static func isCounted(_ number: ClientMessageNumber) -> Bool {
        switch number {
        case .hello, .lookUpAliases, .listPlayers, .listMatches, .leaderboard, .replay, .why, .lookUpPlayer:
            true
        default: false
        }
    }

    mutating func note(sent message: ClientMessage) {
        if case .ping(let token) = message { return self.pings.append(token) }
        if Self.isCounted(message.number) { self.open[Int(message.number.rawValue)] += 1 }
    }

    /// What is wrong with this answer, if something is.
    mutating func note(received message: ServerMessage) -> String? {
        switch message {
        case .pong(let token):
            guard let first = self.pings.first, first == token else { return "pong \(token) answers no ping" }
            self.pings.removeFirst()
            return nil
        case .welcome: return self.answer(.hello)
        case .aliases: return self.answer(.lookUpAliases)
        case .players: return self.answer(.listPlayers)
        case .matches: return self.answer(.listMatches)
        case .leaderboard: return self.answer(.leaderboard)
        case .record: return self.answer(.replay)
        case .history: return self.answer(.lookUpPlayer)
        case .reason: return self.answer(.why)
        case .error(let error):
            guard let number = error.request.flatMap(ClientMessageNumber.init(rawValue:)),
                Self.isCounted(number)
            else { return nil }
            return self.answer(number)
        default: return nil
        }
    }

    private mutating func answer(_ number: ClientMessageNumber) -> String? {
        let index = Int(number.rawValue)
        guard self.open[index] > 0 else { return "an answer to \(number.name), which was not asked" }
        self.open[index] -= 1
        return nil
    }

    var awaitsHello: Bool { self.open[Int(ClientMessageNumber.hello.rawValue)] > 0 }

    /// What was never answered; nil when all was.
    var missing: String? {
        if let first = self.pings.first { return "ping \(first)" }
        let number = ClientMessageNumber.allCases.first {
            Int($0.rawValue) < 37 && self.open[Int($0.rawValue)] > 0
        }
        return number?.name
    }
}
