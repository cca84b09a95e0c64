import WireProtocol

/// The manual that a text user has at hand. Notes, since programs need none of it.
enum Help {
    private static let pages: [(verb: String, line: String, more: [String])] = [
        (
            "name", "name ANN [KEY]          say who you are; the key makes you that player again",
            [
                "An alias has 1 to 20 letters, digits, _ - or . and nobody else may have it.",
                "The key comes with welcome, once. With seq=N you get the events after the last you saw.",
            ]
        ),
        (
            "play", "play [N|MIN-MAX] [...]  find a race; bots=1 is against the computer",
            [
                "rule=turns  by turns, a die each; first to 25 wins (the default)",
                "rule=dash   anyone moves at any time, a step each move",
                "draw=highest|sealed  how numbers become the order; finish=N  where it ends",
                "bots=N  seats the server plays; group=N  only people of the same group",
            ]
        ),
        ("cancel", "cancel                  stop looking, or take back a wish for a rematch", []),
        (
            "number", "number [N]              your number for the draw; the highest is player 1",
            ["Without N the server draws for you. set auto off keeps it from doing so by itself."]
        ),
        ("begin", "begin                   player 1 starts the race", []),
        ("move", "move [TURN]             roll the die when it is your turn; in dash, a step", []),
        (
            "leave", "leave                   give up the match",
            ["Before the race begins nothing is lost; later it is a forfeit."]
        ),
        ("rematch", "rematch                 the same players once more, when all want it", []),
        ("why", "why                     whom we wait for, how long, and what happens then", []),
        (
            "who", "who [PREFIX] [page=N]   players who are here",
            ["With PREFIX: all known players whose alias begins so, also those who are offline."]
        ),
        ("alias", "alias 17,18             aliases of player ids", []),
        ("matches", "matches [page=N]        races that are on", []),
        ("watch", "watch MATCH, unwatch    see a race", []),
        (
            "replay", "replay MATCH [page=N]   the record of a race that is over",
            [
                "Its lines stand behind '> '; without that, they are the record file, which",
                "catrace verify checks, and sha256sum too: see the manual.",
            ]
        ),
        (
            "top", "top [rule=...] [page=N] who has won most; rule=turns (the default) or dash",
            ["Races against the computer alone do not count, nor those that nobody won."]
        ),
        (
            "player", "player ANN              races, wins and rank of a player",
            ["Races against the computer alone do not count, nor those that nobody won."]
        ),
        (
            "invite", "invite ANN [settings]   ask someone to race; they accept ID or decline ID",
            ["uninvite ID takes it back."]
        ),
        ("host", "host [settings]         a private race; others join CODE", []),
        ("set", "set auto|notes on|off   auto: draw and begin for me; notes: lines like these", []),
        ("ping", "ping [N]                is the server there", []),
        ("quit", "quit                    leave and close", []),
    ]

    /// - Parameter verb: as the peer wrote it; nil for the overview. It is not repeated back.
    static func text(about verb: String?) -> String {
        let folded = verb?.lowercased() ?? Verb.help.rawValue
        if folded == Verb.help.rawValue {
            return self.notes(self.pages.map(\.line) + ["help VERB tells more of one."])
        }
        // A line may name a verb that has a page of its own, so that one comes first.
        let own = self.pages.first { $0.verb == folded }
        guard Verb(rawValue: folded) != nil,
            let page = own ?? self.pages.first(where: { Self.mentions(folded, in: [$0.line] + $0.more) })
        else { return self.notes(["There is no such verb; help lists all."]) }
        return self.notes([page.line] + page.more)
    }

    private static func mentions(_ verb: String, in lines: [String]) -> Bool {
        lines.contains { line in line.split { !$0.isLetter }.contains { $0 == verb } }
    }

    private static func notes(_ lines: [String]) -> String { lines.map { "# \($0)\n" }.joined() }
}
