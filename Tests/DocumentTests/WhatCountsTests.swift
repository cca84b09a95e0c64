import Testing

extension WrittenPages {
    /// The table of `playing.md` that says what counts in which state: each cell is tried on a server.
    @Suite struct WhatCountsTests {
        private static let heading = "What counts where"

        /// Each state of ann, and how she comes there. Around her: cid and dan race in match 1, gus looks for
        /// nothing, fay hosts. Once ann has a name, bob has invited her (invite 1), and she has invited bob
        /// to
        /// another race (invite 2).
        private static let states: [(name: String, lines: [String])] = [
            ("no name", []),
            ("free", named),
            ("queued", named + ["ann> play group=9"]),
            ("hosting", named + ["ann> host"]),
            ("watching", named + ["ann> watch 1"]),
            ("drawing", match),
            ("starting", match + numbers),
            ("active", match + numbers + ["ann> begin"]),
            ("done", match + numbers + ["ann> begin", "ann> move"]),
        ]
        private static let named = ["ann> name ann", "bob> invite ann finish=9", "ann> invite bob finish=8"]
        private static let match = named + ["gus> play finish=1", "ann> play finish=1"]
        private static let numbers = ["ann> number 9", "gus> number 5"]
        private static let others = [
            "cid> name cid", "dan> name dan", "cid> play rule=dash", "dan> play rule=dash", "bob> name bob",
            "gus> set auto off", "gus> name gus", "fay> name fay", "fay> host", "ann> set auto off",
        ]

        private static let requests: [(message: String, line: String)] = [
            ("RandomNumber", "number 7"), ("GameBegin", "begin"), ("Move", "move"), ("Hello", "name zoe"),
            ("FindMatch", "play"), ("CancelFind", "cancel"), ("Leave", "leave"), ("Rematch", "rematch"),
            ("LookUpAliases", "alias 1"), ("ListPlayers", "who"), ("ListMatches", "matches"),
            ("Watch", "watch 1"), ("Unwatch", "unwatch"), ("Invite", "invite gus"),
            ("AnswerInvite", "accept 1"), ("CancelInvite", "uninvite 2"), ("HostPrivate", "host"),
            ("JoinPrivate", "join CODE"), ("Leaderboard", "top"), ("Replay", "replay 1"), ("Why", "why"),
            ("Ping", "ping"), ("Quit", "quit"),
            ("LookUpPlayer", "player ann"),
        ]

        @Test func `every request is answered in every state as the table says`() throws {
            let table = try MessageTable()
            let messages = table.messages.filter { $0.from == "client" }.map(\.name)
            #expect(messages == Self.requests.map(\.message))
            let rows = Self.requests.map { request in
                ["`\(request.message)`"]
                    + Self.states.map { Self.answer(to: request.line, behind: $0.lines, table) }
            }
            var page = try Document("playing.md")
            if Pages.isWriting {
                page.replaceRows(under: Self.heading, with: rows)
                try page.save()
            } else {
                let written = try #require(page.table(under: Self.heading))
                #expect(Array(written.head.dropFirst()) == Self.states.map(\.name))
                #expect(written.rows == rows)
            }
        }

        /// `yes`, or the code of the error.
        private static func answer(to line: String, behind setup: [String], _ table: MessageTable) -> String {
            let lines = Self.others + setup + ["; now", "ann> \(line)"]
            let block = Document.Block(
                kind: "session", options: ["show": "ann"], lines: lines, range: 0..<0, heading: "")
            let answers = SessionPlayer.play(block, table: table).drop { $0 != "; now" }
            guard let error = answers.first(where: { $0.hasPrefix("ann< error") }),
                let code = error.firstMatch(of: #/code=([a-z0-9-]+)/#)?.1
            else { return "yes" }
            return "`\(code)`"
        }
    }
}
