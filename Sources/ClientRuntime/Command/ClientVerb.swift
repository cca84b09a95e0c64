/// What the client can be asked to do.
enum ClientVerb: String, CaseIterable {
    case play, bot, watch, replay, verify, top, player, who, matches, alias, ping, help

    var flags: [ClientFlag] {
        let race: [ClientFlag] = [.players, .bots, .rule, .draw, .finish, .group]
        let server: [ClientFlag] = [.connect, .tls, .ca]
        let player: [ClientFlag] = server + [.name, .key, .retrySeconds]
        return switch self {
        case .play: player + [.guest] + race + [.manual, .auto]
        case .bot: player + race + [.pace, .races]
        case .watch: player
        case .replay: server + [.speed, .save, .force]
        case .verify: []
        case .top: server + [.page]
        case .who, .matches, .alias, .player: server
        case .ping: server + [.count]
        case .help: []
        }
    }

    var usage: String {
        switch self {
        case .play: "catrace play [flags]"
        case .bot: "catrace bot [flags]"
        case .watch: "catrace watch MATCH [flags]"
        case .replay: "catrace replay MATCH|FILE"
        case .verify: "catrace verify FILE"
        case .top: "catrace top [turns|dash]"
        case .player: "catrace player ALIAS"
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
        case .replay: "see a race that is over again, or save it"
        case .verify: "check the record of a race, without a server"
        case .top: "who has won most races"
        case .player: "what a player has done"
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

            Who you are is kept, for each server: the next time you are the same player, or
            with --name another one of yours. The keys are in $XDG_STATE_HOME/catrace/keys
            (or ~/.local/state), which only you may read. While one of your players is
            played already, a second catrace play is another one; with --name it takes over.

            When the connection is lost it comes back by itself, into the race, also when
            the server was restarted meanwhile: it keeps races and players. One that keeps
            nothing (--memory), or has other data now, knows nobody and no race of before:
            the race has no result then, and you are a new player with your alias and a
            new key. The old key stays in the file, marked as former.
            """
        case .bot:
            """
            Plays by itself and writes one line for each race. Ends with 0 when all are
            done, 1 when the server was lost, 3 when a check of a race failed. A server
            that was started anew is not lost: the next race is looked for there.
            """
        case .watch:
            """
            Shows a match that others play, as play shows it. q ends it. With --name it uses
            the key that play keeps, unless that player is being played; it keeps none.
            """
        case .replay, .verify: self.recordDetails
        case .top:
            """
            One line for each player with a race that counts, a page at a time: wins, most
            first; who had as many earlier comes first. Equal wins are an equal rank. Races
            count that at least two people began, and that somebody won: those against the
            server's bots alone do not. The rule is turns unless dash is asked for.
            """
        case .player:
            """
            A line about the player, and one for each rule: races that count, wins,
            forfeits, most wins in a row (best) and the place among all.
            """
        case .who:
            """
            One line for each player who is here. With PREFIX: all known players whose alias
            begins with it, here or not.
            """
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

    private var recordDetails: String {
        guard self == .replay else {
            return """
                FILE is the record of a race: what catrace replay --save writes. - is standard
                input. One line for each of its lines says what was checked: that the nonce is
                the sealed one; each number the server drew; the order; whose turn it was, each
                roll, each field; what the clock decided; who won, the places, the digest. Where
                a line does not fit, it says what would be right, and stops.

                A file in which anything was changed does not fit. (One number alone can be
                either of two: seq= in over, where the last but one left in their own turn.)
                What a file cannot show is that the race took place: for that, ask the server
                with catrace replay.

                Ends with 0 when all fits, 1 when a line does not, 2 when it is no record file.
                """
        }
        return """
            MATCH is the number of a match the server knows; anything else is a file that
            --save wrote (a file named like a number: ./7). At the end it says what it
            checked, as behind a race just played.

            On a terminal it shows the race at a lively pace; space stops it and goes on, +
            and - change the pace, q ends it. Without a terminal it writes the lines of the
            record, at once unless --speed is given, and to standard error what it checked:
            catrace replay 7 | catrace verify -

            With --save it shows nothing and writes the record into a file, whole or not at
            all. A file that exists is kept, unless there is --force.

            Ends with 3 when a check fails, as after a race.
            """
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
    case connect, tls, ca, name, key, guest, players, bots, rule, draw, finish, group, manual, auto, pace,
        races
    case count, speed, save, force, page
    case retrySeconds = "retry-seconds"

    var isSwitch: Bool { [.manual, .auto, .guest, .force, .tls].contains(self) }

    var form: String {
        switch self {
        case .connect: "HOST[:PORT]"
        case .name: "ALIAS"
        case .key: "KEY"
        case .players: "N or MIN-MAX"
        case .rule: "turns or dash"
        case .draw: "highest or sealed"
        case .pace: "MS"
        case .speed: "N or max"
        case .save, .ca: "FILE"
        case .bots, .finish, .group, .races, .retrySeconds, .count, .page: "N"
        case .manual, .auto, .guest, .force, .tls: ""
        }
    }

    var summary: String {
        switch self {
        case .connect: "the server  [CATRACE_SERVER, or localhost:7223]"
        case .tls: "over TLS: nobody can read along"
        case .ca: "over TLS, trusting these only, PEM  [the system's]"
        case .name: "your alias  [who you were last, or your user name]"
        case .key: "be that player again  [CATRACE_KEY]"
        case .guest: "be a new player, of whom nothing is kept"
        case .speed: "how fast, 1 to 100  [1, in a pipe max]"
        case .save: "write the record into this file"
        case .force: "replace the file"
        case .page: "which page  [1]"
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
