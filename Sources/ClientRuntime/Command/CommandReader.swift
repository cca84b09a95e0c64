import ClientCore
import RaceModel
import WireProtocol

/// Reads a command line: a verb, its words, and flags in any order (`--flag value` or `--flag=value`).
package struct CommandReader {
    typealias Mistake = ClientCommand.Mistake

    private let environment: (String) -> String?
    private var words: [String] = []
    private var flags: [(flag: ClientFlag, value: String)] = []

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: the value of a variable; nil when it is not set or empty.
    package static func read(
        _ arguments: [String], environment: @escaping (String) -> String?
    ) throws(ClientCommand.Mistake) -> ClientCommand {
        var reader = CommandReader(environment: environment)
        guard let first = arguments.first else { return .print(ClientManual.overview) }
        if first == "--help" || first == "-h" { return .print(ClientManual.overview) }
        if first == "--version" { return .print(ClientManual.version) }
        guard let verb = ClientVerb(rawValue: first) else {
            throw Mistake(text: "there is no verb '\(Self.shown(first))': catrace help lists them")
        }
        if arguments.contains("--help") || arguments.contains("-h") { return .print(verb.manual) }
        try reader.split(arguments.dropFirst(), verb)
        return try reader.command(verb)
    }

    private init(environment: @escaping (String) -> String?) { self.environment = environment }

    private static func shown(_ text: String) -> String {
        DisplayText.cut(DisplayText.harmless(text), to: 40)
    }

    private mutating func split(_ arguments: ArraySlice<String>, _ verb: ClientVerb) throws(Mistake) {
        var rest = arguments
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                self.words.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let flag = ClientFlag(rawValue: String(parts.first ?? "")), verb.flags.contains(flag) else {
                throw Mistake(
                    text: "catrace \(verb.rawValue) has no flag '\(Self.shown(argument))': "
                        + "catrace help \(verb.rawValue) lists them")
            }
            if flag.isSwitch {
                guard parts.count == 1 else { throw Mistake(text: "--\(flag.rawValue) takes no value") }
                self.flags.append((flag, ""))
            } else if parts.count == 2 {
                self.flags.append((flag, String(parts[1])))
            } else {
                guard let value = rest.popFirst() else {
                    throw Mistake(text: "--\(flag.rawValue) needs a value: \(flag.form)")
                }
                self.flags.append((flag, value))
            }
        }
    }

    private func command(_ verb: ClientVerb) throws(Mistake) -> ClientCommand {
        switch verb {
        case .help:
            guard let word = self.words.first else { return .print(ClientManual.overview) }
            guard let about = ClientVerb(rawValue: word) else {
                throw Mistake(text: "there is no verb '\(Self.shown(word))': catrace help lists them")
            }
            return .print(about.manual)
        case .play:
            try self.noWords(verb)
            return .play(try self.options())
        case .bot:
            try self.noWords(verb)
            return .bot(try self.options())
        case .watch:
            guard self.words.count == 1, let id = UInt64(self.words[0]) else {
                throw Mistake(text: "which match? catrace watch 7; catrace matches lists them")
            }
            return .watch(MatchID(id), try self.options())
        case .replay: return try self.replay()
        case .verify:
            guard self.words.count == 1, !self.words[0].isEmpty else {
                throw Mistake(text: "which file? catrace verify race.txt; - is standard input")
            }
            return .verify(self.words[0])
        case .top:
            guard self.words.count <= 1 else {
                throw Mistake(text: "catrace top takes one rule: turns or dash")
            }
            let options = try self.options()
            return .query(.leaderboard(try self.rule(), page: options.page ?? 1), options)
        case .player:
            guard self.words.count == 1, Alias(self.words[0]) != nil else {
                throw Mistake(text: "which player? catrace player ann")
            }
            return .query(.player(alias: self.words[0]), try self.options())
        case .who:
            guard self.words.count <= 1 else { throw Mistake(text: "catrace who takes one prefix at most") }
            let prefix = self.words.first ?? ""
            guard prefix.utf8.count <= Limits.aliasBytes else {
                throw Mistake(text: "a prefix has at most \(Limits.aliasBytes) bytes")
            }
            return .query(.players(prefix: prefix), try self.options())
        case .matches:
            try self.noWords(verb)
            return .query(.matches, try self.options())
        case .alias: return .query(.aliases(try self.ids()), try self.options())
        case .ping:
            try self.noWords(verb)
            let options = try self.options()
            return .query(.ping(count: options.count), options)
        }
    }

    private func rule() throws(Mistake) -> RaceSettings.Rule {
        guard let word = self.words.first else { return .turns }
        guard let rule = RaceSettings.Rule.allCases.first(where: { $0.name == word }) else {
            throw Mistake(text: "a rule is turns or dash, not '\(Self.shown(word))'")
        }
        return rule
    }

    private func replay() throws(Mistake) -> ClientCommand {
        guard self.words.count == 1, let word = self.words.first, !word.isEmpty else {
            throw Mistake(
                text: "which race? catrace replay 7, or the file of a record: catrace replay race.txt")
        }
        let options = try self.options()
        guard options.savePath != nil || !options.overwrites else {
            throw Mistake(text: "--force goes with --save FILE")
        }
        let isNumber = word.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let source: ReplayPlan.Source
        if isNumber {
            guard let id = UInt64(word) else {
                throw Mistake(
                    text: "'\(Self.shown(word))' is no match, and a file named so is ./\(Self.shown(word))")
            }
            source = .match(MatchID(id))
        } else {
            source = .file(word)
        }
        let plan = ReplayPlan(
            source: source, speed: options.speed, savePath: options.savePath, overwrites: options.overwrites)
        return .replay(plan, options)
    }

    private func noWords(_ verb: ClientVerb) throws(Mistake) {
        guard let word = self.words.first else { return }
        throw Mistake(
            text: "'\(Self.shown(word))' was not expected: catrace help \(verb.rawValue) shows the form")
    }

    private func ids() throws(Mistake) -> [PlayerID] {
        guard !self.words.isEmpty else { throw Mistake(text: "whose alias? catrace alias 17 18") }
        return try self.words.map { word throws(Mistake) in
            guard let id = UInt64(word) else {
                throw Mistake(text: "'\(Self.shown(word))' is no player id: those are whole numbers, like 17")
            }
            return PlayerID(id)
        }
    }

    // MARK: Flags

    private func options() throws(Mistake) -> ClientOptions {
        let given = self.flags.last { $0.flag == .connect }?.value
        let server = given ?? self.environment("CATRACE_SERVER") ?? "localhost"
        guard let address = ServerAddress(server) else {
            throw Mistake(
                text: "'\(Self.shown(server))' is no address of a server: HOST, HOST:PORT or [IPv6]:PORT")
        }
        var options = ClientOptions(address: address, serverText: given, name: "", isNameGiven: false)
        if let key = self.environment("CATRACE_KEY") { options.key = try self.key(key) }
        var hasPlayers = false
        for (flag, value) in self.flags {
            switch flag {
            case .connect: break
            case .tls: options.isSecure = true
            case .ca:
                guard !value.isEmpty else { throw Mistake(text: "--ca is the path of a file in PEM") }
                (options.isSecure, options.authorities) = (true, value)
            case .name: (options.name, options.isNameGiven) = (value, true)
            case .key: options.key = try self.key(value)
            case .players:
                hasPlayers = true
                (options.request.minimum, options.request.maximum) = try self.players(value)
            case .bots: options.request.bots = try self.number(value, flag, 0...7)
            case .group: options.request.group = try self.number(value, flag, 0...UInt32.max)
            case .finish: options.request.settings.finish = try self.number(value, flag, 1...Limits.finish)
            case .rule: options.request.settings.rule = try self.choice(value, flag)
            case .draw: options.request.settings.draw = try self.choice(value, flag)
            case .guest: options.isGuest = true
            case .speed:
                options.speed =
                    value == "max"
                    ? .most : .times(try self.number(value, flag, 1...ReplayShow.Speed.fastest))
            case .save:
                guard !value.isEmpty else { throw Mistake(text: "--save needs the name of a file") }
                options.savePath = value
            case .force: options.overwrites = true
            case .page: options.page = try self.number(value, flag, 1...UInt16.max)
            case .manual: options.isManual = true
            case .auto: options.isAutomatic = true
            case .pace: options.pace = .milliseconds(try self.number(value, flag, 0...3_600_000))
            case .races: options.races = try self.number(value, flag, 1...1_000_000_000)
            case .retrySeconds: options.patience = .seconds(try self.number(value, flag, 0...86_400))
            case .count: options.count = try self.number(value, flag, 1...1_000_000)
            }
        }
        if !hasPlayers, options.request.bots > 0 {
            // Who asks for bots alone wants to race now, against just those.
            options.request.minimum = options.request.bots + 1
            options.request.maximum = options.request.bots + 1
        }
        try self.chooseName(&options)
        return options
    }

    private func chooseName(_ options: inout ClientOptions) throws(Mistake) {
        guard options.isNameGiven else {
            options.name = PlayerName.proposal(user: self.environment("USER"))
            guard options.key == nil else {
                throw Mistake(text: "whose key is it? add --name ALIAS, or --name '#17' for a player id")
            }
            return
        }
        if options.key != nil, options.name.hasPrefix("#") { return }
        do throws(AliasFault) {
            _ = try Alias(validating: options.name)
        } catch {
            throw Mistake(text: "--name: \(error.message)")
        }
    }

    private func key(_ text: String) throws(Mistake) -> PlayerKey {
        guard let key = Hex.key(text.utf8) else {
            throw Mistake(text: "a key is 32 hexadecimal digits, as they were shown when the player was made")
        }
        return key
    }

    private func players(_ text: String) throws(Mistake) -> (UInt8, UInt8) {
        let legal: ClosedRange<UInt8> = 2...UInt8(Limits.playersPerMatch)
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let minimum = try self.number(parts.first ?? "", .players, legal)
        let maximum = parts.count == 2 ? try self.number(parts[1], .players, legal) : minimum
        guard minimum <= maximum else {
            throw Mistake(text: "--players: the fewest come first: \(maximum)-\(minimum)")
        }
        return (minimum, maximum)
    }

    private func number<Number: FixedWidthInteger>(
        _ text: String, _ flag: ClientFlag, _ range: ClosedRange<Number>
    ) throws(Mistake) -> Number {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Number(text),
            range.contains(number)
        else {
            throw Mistake(
                text: "--\(flag.rawValue) is a whole number from \(range.lowerBound) to \(range.upperBound), "
                    + "not '\(Self.shown(text))'")
        }
        return number
    }

    private func choice<Value: WireName>(_ text: String, _ flag: ClientFlag) throws(Mistake) -> Value {
        guard let value = Value.allCases.first(where: { $0.name == text }) else {
            throw Mistake(text: "--\(flag.rawValue) is \(flag.form), not '\(Self.shown(text))'")
        }
        return value
    }
}
