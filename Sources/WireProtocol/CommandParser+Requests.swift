import RaceModel

// The verbs that take more than a word.
extension CommandParser {
    mutating func setting() throws(ProtocolViolation) -> TextCommand {
        let what = try self.requiredWord("auto or notes")
        let value = try self.requiredWord("on or off")
        let isOn = value.equalsIgnoringCase("on")
        guard isOn || value.equalsIgnoringCase("off") else {
            throw self.bad("it is on or off, not '\(Self.shown(value))'")
        }
        if what.equalsIgnoringCase("auto") { return .setAuto(isOn) }
        if what.equalsIgnoringCase("notes") { return .setNotes(isOn) }
        throw self.bad("there is auto and notes to set, no '\(Self.shown(what))'")
    }

    mutating func number() throws(ProtocolViolation) -> TextInput {
        guard let word = self.optionalWord() else { return .command(.drawNumber) }
        let number: UInt32 = try self.parsed(word, "N")
        let round: UInt8? = try self.pairs(["round"])["round"].map { word throws(ProtocolViolation) in
            try self.parsed(word, "round")
        }
        return .message(.randomNumber(round: round ?? 0, number: number))
    }

    mutating func hello() throws(ProtocolViolation) -> Hello {
        var hello = Hello(name: try self.alias())
        if let word = self.optionalWord() {
            guard let key = Hex.key(word) else {
                throw self.bad("a key is 32 hexadecimal digits, as welcome showed it")
            }
            hello.key = key
        }
        if let word = try self.pairs(["seq"])["seq"] { hello.lastSeen = try self.parsed(word, "seq") }
        return hello
    }

    mutating func ids() throws(ProtocolViolation) -> [PlayerID] {
        var ids: [PlayerID] = []
        while let word = self.optionalWord() {
            for part in word.split(separator: UInt8(ascii: ",")) {
                guard ids.count < Limits.lookUpIDs else {
                    throw self.bad("at most \(Limits.lookUpIDs) ids in one line", code: .tooMany)
                }
                ids.append(PlayerID(try self.parsed(part, "ID")))
            }
        }
        guard !ids.isEmpty else { throw self.bad("an ID is missing; the form is: \(self.verb.usage)") }
        return ids
    }

    mutating func page() throws(ProtocolViolation) -> UInt16 {
        guard let word = try self.pairs(["page"])["page"] else { return 1 }
        return try self.parsed(word, "page", 1 ... .max)
    }

    mutating func leaderboard() throws(ProtocolViolation) -> ClientMessage {
        let pairs = try self.pairs(["rule", "page"])
        var rule = RaceSettings.Rule.turns
        var page: UInt16 = 1
        if let word = pairs["rule"] { rule = try self.choice(word, "rule") }
        if let word = pairs["page"] { page = try self.parsed(word, "page", 1 ... .max) }
        return .leaderboard(rule, page: page)
    }

    mutating func raceRequest() throws(ProtocolViolation) -> RaceRequest {
        let range = try self.optionalWord().map { word throws(ProtocolViolation) in try self.players(word) }
        let pairs = try self.pairs(["rule", "draw", "finish", "group", "bots"])
        var request = RaceRequest()
        if let word = pairs["rule"] { request.settings.rule = try self.choice(word, "rule") }
        if let word = pairs["draw"] { request.settings.draw = try self.choice(word, "draw") }
        if let word = pairs["finish"] {
            request.settings.finish = try self.parsed(
                word, "finish", 1...Limits.finish, outside: .badSettings)
        }
        if let word = pairs["group"] { request.group = try self.parsed(word, "group") }
        if let word = pairs["bots"] {
            request.bots = try self.parsed(word, "bots", 0...7, outside: .badSettings)
        }
        if let range {
            request.minimum = range.lowerBound
            request.maximum = range.upperBound
        } else if request.bots > 0 {
            // Who asks for bots alone wants to race now, against just those.
            request.minimum = request.bots + 1
            request.maximum = request.bots + 1
        }
        return request
    }

    /// `3` or `2-4`.
    private func players(_ word: ArraySlice<UInt8>) throws(ProtocolViolation) -> ClosedRange<UInt8> {
        let parts = word.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        let legal: ClosedRange<UInt8> = 2...UInt8(Limits.playersPerMatch)
        let minimum = try self.parsed(parts[0], "the number of players", legal, outside: .badSettings)
        guard parts.count == 2 else { return minimum...minimum }
        let maximum = try self.parsed(parts[1], "the number of players", legal, outside: .badSettings)
        guard minimum <= maximum else {
            throw self.bad("the fewest players come first: \(maximum)-\(minimum)", code: .badSettings)
        }
        return minimum...maximum
    }

    private func choice<Value: WireName>(_ word: ArraySlice<UInt8>, _ key: String) throws(ProtocolViolation)
        -> Value
    {
        guard let value = Value(name: word) else {
            throw self.bad("\(key) is \(Value.choices), not '\(Self.shown(word))'")
        }
        return value
    }
}
