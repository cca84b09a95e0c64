/// What a line from a client can begin with.
package enum Verb: String, CaseIterable, Sendable {
    case name, play, cancel, number, begin, move, leave, rematch, why, ping, quit, help
    case alias, who, matches, watch, unwatch, replay, top, player, invite, accept, decline, uninvite, host,
        join, set

    /// The message it makes; nil for what concerns only the text connection itself.
    package var request: ClientMessageNumber? {
        switch self {
        case .name: .hello
        case .play: .findMatch
        case .cancel: .cancelFind
        case .number: .randomNumber
        case .begin: .gameBegin
        case .move: .move
        case .leave: .leave
        case .rematch: .rematch
        case .why: .why
        case .ping: .ping
        case .quit: .quit
        case .alias: .lookUpAliases
        case .who: .listPlayers
        case .matches: .listMatches
        case .watch: .watch
        case .unwatch: .unwatch
        case .replay: .replay
        case .top: .leaderboard
        case .player: .lookUpPlayer
        case .invite: .invite
        case .accept, .decline: .answerInvite
        case .uninvite: .cancelInvite
        case .host: .hostPrivate
        case .join: .joinPrivate
        case .help, .set: nil
        }
    }

    /// The whole line, as `help` shows it.
    package var usage: String {
        switch self {
        case .name: "name ALIAS [KEY] [seq=N]"
        case .play: "play [N|MIN-MAX] [rule=turns|dash] [draw=highest|sealed] [finish=N] [group=N] [bots=N]"
        case .cancel: "cancel"
        case .number: "number [N] [round=R]"
        case .begin: "begin"
        case .move: "move [TURN]"
        case .leave: "leave"
        case .rematch: "rematch"
        case .why: "why"
        case .ping: "ping [N]"
        case .quit: "quit"
        case .help: "help [VERB]"
        case .alias: "alias ID..."
        case .who: "who [PREFIX] [page=N]"
        case .matches: "matches [page=N]"
        case .watch: "watch MATCH"
        case .unwatch: "unwatch"
        case .replay: "replay MATCH [page=N]"
        case .top: "top [rule=turns|dash] [page=N]"
        case .player: "player ALIAS"
        case .invite: "invite ALIAS [N|MIN-MAX] [the keys of play]"
        case .accept: "accept ID"
        case .decline: "decline ID"
        case .uninvite: "uninvite ID"
        case .host: "host [N|MIN-MAX] [the keys of play]"
        case .join: "join CODE"
        case .set: "set auto|notes on|off"
        }
    }

    /// What it does, in one line.
    package var summary: String {
        switch self {
        case .name: "take an alias, or be that player again with its key"
        case .play: "look for a race"
        case .cancel: "take back your ticket, or your wish for a rematch"
        case .number: "send your number for the draw; without N the server draws it"
        case .begin: "begin the race, as player 1"
        case .move: "make your move"
        case .leave: "leave the match"
        case .rematch: "race again with who is still here"
        case .why: "whom we wait for, and what happens then"
        case .ping: "answered by a pong with the same number"
        case .quit: "say goodbye"
        case .help: "all verbs, or one of them"
        case .alias: "the aliases of player ids"
        case .who: "players who are here; with PREFIX, all whose name begins so"
        case .matches: "matches that can be watched"
        case .watch: "watch a match"
        case .unwatch: "stop watching"
        case .replay: "the record of a race that is over"
        case .top: "who has won most races"
        case .player: "what a player has done in races that count"
        case .invite: "invite a player to a race"
        case .accept: "accept an invite"
        case .decline: "decline an invite"
        case .uninvite: "take back an invite"
        case .host: "open a private race; you get a code for your friends"
        case .join: "join a private race by its code"
        case .set: "auto: draw and begin for you; notes: these lines for people"
        }
    }

    /// Verbs that somebody who wrote `word` may have meant, the nearest first; at most three.
    static func near(_ word: ArraySlice<UInt8>) -> [Verb] {
        let word = word.prefix(24).map(\.asciiLowercased)
        if let meant = Self.synonyms[String(decoding: word, as: UTF8.self)] { return [meant] }
        var found: [(verb: Verb, distance: Int)] = []
        for verb in Self.allCases {
            let name = Array(verb.rawValue.utf8)
            let isPrefix =
                !word.isEmpty && (name.starts(with: word) || (name.count > 2 && word.starts(with: name)))
            let distance = isPrefix ? 1 : Self.distance(word, name)
            if distance <= (name.count > 4 ? 2 : 1) { found.append((verb, distance)) }
        }
        // Equal distances keep the order of the list above.
        let sorted = found.enumerated().sorted {
            ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
        }
        return sorted.prefix(3).map(\.element.verb)
    }

    /// What other games call them.
    private static let synonyms: [String: Verb] = [
        "roll": .move, "step": .move, "go": .move, "draw": .number, "random": .number, "start": .begin,
        "find": .play, "queue": .play, "nick": .name, "login": .name, "hello": .name, "exit": .quit,
        "bye": .quit, "list": .who, "players": .who, "resign": .leave, "games": .matches, "spectate": .watch,
        "again": .rematch, "create": .host, "leaderboard": .top, "ranking": .top, "scores": .top,
        "history": .player, "stats": .player, "record": .replay,
    ]

    /// Edits (insert, delete, replace, swap of neighbours) from one to the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let change = previous[column] + (byte == other ? 0 : 1)
                var best = min(previous[column + 1] + 1, current[column] + 1, change)
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            before = previous
            previous = current
        }
        return previous[right.count]
    }
}
