/// What the client can be asked to do.
enum ClientVerb: String, CaseIterable {
    case play, bot, watch, who, matches, alias, ping, help

    var flags: [ClientFlag] {
        let race: [ClientFlag] = [.players, .bots, .rule, .draw, .finish, .group]
        let player: [ClientFlag] = [.connect, .name, .key, .retrySeconds]
        return switch self {
        case .play: player + race + [.manual, .auto]
        case .bot: player + race + [.pace, .races]
        case .watch: player
        case .who, .matches, .alias: [.connect]
        case .ping: [.connect, .count]
        case .help: []
        }
    }

    var usage: String {
        switch self {
        case .play: "catrace play [flags]"
        case .bot: "catrace bot [flags]"
        case .watch: "catrace watch MATCH [flags]"
        case .who: "catrace who [PREFIX]"
        case .matches: "catrace matches"
        case .alias: "catrace alias ID..."
        case .ping: "catrace ping [--count N]"
        case .help: "catrace help [VERB]"
        }
    }

    var summary: String {
        switch self {
        case .play: "play a race"
        case .bot: "let a bot play races"
        case .watch: "watch a match"
        case .who: "who is here"
        case .matches: "matches that can be watched"
        case .alias: "the aliases of player ids"
        case .ping: "ask whether the server answers, and how fast"
        case .help: "this, or all about one verb"
        }
    }

    var details: String {
        switch self {
        case .play:
            """
            On a terminal it draws the race and takes single keys (? lists them). Your
            number is drawn and, as player 1, the race begun for you, unless --manual.
            After each race it says what it checked: the seal, the order, the dice of
            each move, the digest.

            Without a terminal it writes a line for each message of the server and reads
            commands, in the grammar that netcat users type (number, begin, move, leave,
            rematch, why, play, quit and so on). At the end of its input it says goodbye;
            with --auto it first runs the race in hand to its end.

            When the connection is lost it comes back by itself, into the race. A server
            that was started anew knows nobody and no race of before: the race has no
            result then, and you are a new player with your alias and a new key.
            """
        case .bot:
            """
            Plays by itself and writes one line for each race. Ends with 0 when all are
            done, 1 when the server was lost, 3 when a check of a race failed. A server
            that was started anew is not lost: the next race is looked for there.
            """
        case .watch: "Shows a match that others play, as play shows it. q ends it."
        case .who: "One line for each player who is here; PREFIX: only aliases that begin with it."
        case .matches: "One line for each match."
        case .alias: "One line for each id."
        case .ping:
            """
            Ends with 0 when the server answered and with 1 when it did not; with one ping
            that takes 2 seconds at most.
            """
        case .help: ""
        }
    }

    var manual: String {
        var text = "\(self.usage)\n    \(self.summary)\n"
        if !self.details.isEmpty { text += "\n\(self.details)\n" }
        if !self.flags.isEmpty {
            text += "\nFLAGS\n"
            for flag in self.flags {
                let head = "  --\(flag.rawValue)\(flag.form.isEmpty ? "" : " \(flag.form)")"
                text += head + String(repeating: " ", count: max(2, 30 - head.count)) + flag.summary + "\n"
            }
        }
        return text
    }
}

/// The flags, each with the same meaning for every verb that has it.
enum ClientFlag: String, CaseIterable {
    case connect, name, key, players, bots, rule, draw, finish, group, manual, auto, pace, races, count
    case retrySeconds = "retry-seconds"

    var isSwitch: Bool { self == .manual || self == .auto }

    var form: String {
        switch self {
        case .connect: "HOST[:PORT]"
        case .name: "ALIAS"
        case .key: "KEY"
        case .players: "N or MIN-MAX"
        case .rule: "turns or dash"
        case .draw: "highest or sealed"
        case .pace: "MS"
        case .bots, .finish, .group, .races, .retrySeconds, .count: "N"
        case .manual, .auto: ""
        }
    }

    var summary: String {
        switch self {
        case .connect: "the server  [CATRACE_SERVER, or localhost:7223]"
        case .name: "your alias  [your user name, or cat- and a number]"
        case .key: "be that player again  [CATRACE_KEY]"
        case .players: "how many race, 2 to 8  [2]"
        case .bots: "opponents the server plays, 0 to 7  [0]"
        case .rule: "turns with a die, or run at any time  [turns]"
        case .draw: "what makes player 1  [highest]"
        case .finish: "fields to the finish  [25]"
        case .group: "meet only players of this group  [0: everybody]"
        case .manual: "send your number and begin yourself"
        case .auto: "move by itself"
        case .pace: "milliseconds before each move  [300]"
        case .races: "end after so many  [never]"
        case .retrySeconds: "how long a lost server is tried again  [60]"
        case .count: "how many, one a second  [1]"
        }
    }
}
