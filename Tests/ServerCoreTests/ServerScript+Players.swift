import RaceModel
import ServerCore
import WireProtocol

/// Players who come with a name, and races they are in.
extension ServerScript {
    /// Someone on netcat with a name, greeted, notes off.
    mutating func join(_ alias: String, auto: Bool = true) -> ConnectionID {
        let id = self.connect()
        self.type("set notes off\nset auto \(auto ? "on" : "off")\nname \(alias)", id)
        _ = self.read(id)
        return id
    }

    /// The same, with the key that makes them that player again.
    mutating func joinKeepingKey(_ alias: String, auto: Bool = true) -> (ConnectionID, key: String) {
        let id = self.connect()
        self.type("set notes off\nset auto \(auto ? "on" : "off")\nname \(alias)", id)
        return (id, self.read(id).line("welcome")?.value("key") ?? "")
    }

    /// That player on a new connection; what they read is left to be read.
    mutating func rejoin(_ alias: String, _ key: String, seq: UInt32 = 0, auto: Bool = true) -> ConnectionID {
        let id = self.connect()
        self.type("set notes off\nset auto \(auto ? "on" : "off")", id)
        self.skip(id)
        self.type("name \(alias) \(key)\(seq > 0 ? " seq=\(seq)" : "")", id)
        return id
    }

    /// These players in one match, in this order of seats; what they read so far is thrown away.
    mutating func race(_ aliases: [String], _ options: String = "", auto: Bool = true) -> [ConnectionID] {
        let ids = aliases.map { self.join($0, auto: auto) }
        for id in ids { self.type("play \(aliases.count) \(options)", id) }
        for id in ids { self.skip(id) }
        return ids
    }

    /// A race that has begun: ann is player 1, the others follow in order; nobody has auto on.
    mutating func begunRace(_ aliases: [String] = ["ann", "bob"], _ options: String = "") -> [ConnectionID] {
        let ids = self.race(aliases, options, auto: false)
        for (index, id) in ids.enumerated() { self.type("number \(1000 - index)", id) }
        self.type("begin", ids[0])
        for id in ids { self.skip(id) }
        return ids
    }

    // MARK: Binary

    static let preface: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 1]

    mutating func connectBinary() -> ConnectionID {
        let id = self.connect()
        self.send(Self.preface, id)
        self.skip(id)
        return id
    }

    mutating func joinBinary(_ alias: String) -> ConnectionID {
        let id = self.connectBinary()
        self.send(.hello(Hello(name: alias)), id)
        self.skip(id)
        return id
    }

    mutating func send(_ message: ClientMessage, _ id: ConnectionID) { self.send(message.frame, id) }

    /// What came since the last look, as messages of the binary protocol.
    mutating func readMessages(_ id: ConnectionID) -> [ServerMessage] { Self.messages(self.readBytes(id)) }

    static func messages(_ bytes: [UInt8]) -> [ServerMessage] {
        var decoder = FrameDecoder<ServerMessage>()
        var input = bytes[...]
        var messages: [ServerMessage] = []
        while let message = try? decoder.next(in: &input) { messages.append(message) }
        return messages
    }

    /// Plays moves until this line is read by the first of them; at most so many.
    mutating func playOut(_ ids: [ConnectionID], moves: Int = 500) -> [ConnectionID: [String]] {
        var read: [ConnectionID: [String]] = [:]
        for _ in 0..<moves {
            for id in ids {
                self.type("move", id)
                for other in ids {
                    read[other, default: []] += self.read(other).filter { !$0.hasPrefix("error") }
                }
                if read[ids[0], default: []].line("over") != nil { return read }
            }
        }
        return read
    }
}

extension RequestBudgets {
    /// For tests of something else, in which one asks for very much at once.
    static var wide: RequestBudgets {
        var budgets = RequestBudgets()
        budgets.talk = Budget(perSecond: 1000, burst: 100_000)
        return budgets
    }
}

extension ClientMessage {
    var frame: [UInt8] {
        var bytes: [UInt8] = []
        BinaryEncoder.append(self, to: &bytes)
        return bytes
    }

    var line: [UInt8] {
        var bytes: [UInt8] = []
        LineEncoder.append(self, to: &bytes)
        return bytes
    }
}

extension [ServerMessage] {
    var errorCode: ErrorCode? {
        for case .error(let error) in self { return error.code }
        return nil
    }
}
