import Testing

/// The five states of a match, as somebody who stands in them reaches them.
enum Stage: CaseIterable {
    case waitingForMatch, waitingForRandomNumber, waitingForStart, active, done

    /// How long a seat is held in these tests, in seconds.
    static let grace = 6
    /// Everything but the seat waits for longer than a test lasts.
    static let patient = ["number", "start", "turn", "idle", "rematch"].flatMap {
        ["--\($0)-seconds", "300"]
    }

    /// Takes Ann, in seat 1, and Bob there; Ann becomes player 1.
    func reach(_ ann: Racer, _ bob: Racer, finish: Int = 1) async throws {
        ann.say("set auto off")
        bob.say("set auto off")
        try await bob.lines.wait(for: "set auto=off")
        ann.say("play 2 finish=\(finish)")
        try await ann.lines.wait(for: "queued ")
        if self == .waitingForMatch { return }
        bob.say("play 2 finish=\(finish)")
        for racer in [ann, bob] { try await racer.lines.wait(for: "seat n=2 ") }
        if self == .waitingForRandomNumber { return }
        ann.say("number 2")
        bob.say("number 1")
        for racer in [ann, bob] { try await racer.lines.wait(for: "order seats=1,2") }
        if self == .waitingForStart { return }
        ann.say("begin")
        for racer in [ann, bob] { try await racer.lines.wait(for: "turn seq=1 ") }
        if self == .active { return }
        ann.say("move 1")
        for racer in [ann, bob] { try await racer.lines.wait(for: "place rank=2 ") }
    }
}

/// How a client can end without a word.
enum Death: CaseIterable {
    /// `kill -9` of netcat.
    case killed
    /// `kill -9` of our own client.
    case clientKilled
    case reset
    case finished

    func connect(_ server: Server) throws -> Speaker {
        switch self {
        case .killed: try server.netcat()
        case .clientKilled:
            try server.client(["play", "--name", "ann", "--manual", "--players", "2", "--finish", "1"])
        case .reset, .finished: try server.socket()
        }
    }

    func strike(_ speaker: Speaker) async throws {
        switch self {
        case .killed, .clientKilled: try await (speaker as? Program)?.killHard()
        case .reset: (speaker as? Socket)?.reset()
        case .finished: speaker.hangUp()
        }
    }
}
