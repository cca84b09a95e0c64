import Glibc
import RaceModel
import Testing
import WireProtocol

extension ClientRuntimeTests {
    /// Records of races: saved, checked and seen again by the real client.
    @Suite struct ReplayTests {
        private let state = StateDirectory()

        private func run(_ arguments: [String], input: String? = nil) throws -> (code: Int32, text: String) {
            let program = try Program("catrace", arguments)
            if let input { program.write(input) }
            program.endInput()
            let code = program.exitCode()
            return (code, program.text)
        }

        /// What a race against a bot shows in a pipe, and the record taken out of it as the manual says.
        private func race(_ arguments: [String] = []) throws -> (session: String, record: String) {
            let server = try TestServer()
            let played = try self.run(
                ["play", "--auto", "--bots", "1", "--finish", "8", "--connect", server.address] + arguments)
            #expect(played.code == 0)
            let record =
                played.text.split(separator: "\n").filter { line in
                    ["found", "seat", "number", "order", "moved", "forfeit", "over", "place"].contains {
                        line.hasPrefix($0 + " ")
                    }
                }.joined(separator: "\n").replacing("found match=1 seat=1", with: "found match=1") + "\n"
            return (played.text, record)
        }

        /// A server that has this record, `size` bytes a page.
        private func server(_ record: String, size: Int = 500) throws -> Relay {
            var pages: [[UInt8]] = [[]]
            for line in record.split(separator: "\n") {
                if pages[pages.count - 1].count + line.utf8.count > size { pages.append([]) }
                pages[pages.count - 1] += Array(line.utf8) + [0x0A]
            }
            var words: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0]
            for (index, text) in pages.enumerated() {
                var page = RecordPage(match: MatchID(1), number: 1, of: text)
                page.page = Page(number: UInt16(index + 1), of: UInt16(pages.count))
                BinaryEncoder.append(.record(page), to: &words)
            }
            return try Relay(to: nil, words: words)
        }

        @Test(arguments: [[], ["--rule", "dash"], ["--draw", "sealed"]])
        func `the record of a race just played fits line by line`(arguments: [String]) throws {
            let (session, record) = try self.race(arguments)
            try self.state.write(record, to: "record.txt")
            let path = self.state.path + "/record.txt"
            let verified = try self.run(["verify", path])
            let lines = verified.text.split(separator: "\n")
            #expect(verified.code == 0, "\(verified.text)")
            let count = record.split(separator: "\n").count
            #expect(lines.count == count + 1)
            #expect(lines.last ?? "" == "all \(count) lines fit: the race was as it is told here")
            #expect(try self.run(["verify", "-"], input: record).text == verified.text)

            // What the session showed is no record, and a changed line does not fit.
            try self.state.write(session, to: "session.txt")
            let other = try self.run(["verify", self.state.path + "/session.txt"])
            #expect(other.code == 2 && other.text.contains("no record file") && !other.text.contains("key="))
            let changed = try self.run(
                ["verify", "-"], input: record.replacing("alias=tester by=", with: "alias=tester by=6"))
            #expect(changed.code == 1 && changed.text.contains(" does not fit: "))
            #expect(try self.run(["verify", path + "x"]).code == 2)
        }

        @Test func `a changed roll is named by its line, and what would be right`() throws {
            let record = try self.race().record
            var lines = record.split(separator: "\n").map(String.init)
            let found = try #require(lines.first)
            lines[0] = found.replacing("finish=8", with: "finish=9")
            let index = try #require(lines.firstIndex { $0.hasPrefix("moved ") })
            let verified = try self.run(["verify", "-"], input: lines.joined(separator: "\n") + "\n")
            #expect(verified.code == 1)
            #expect(
                verified.text.contains(
                    "line \(index + 1) does not fit: the server would have written: moved seq=2 "))
            #expect(verified.text.hasSuffix("\n  \(lines[index])\n"))
        }

        @Test func `a race is fetched in pages, and saved whole or not at all`() throws {
            let record = try self.race().record
            let server = try self.server(record)
            let path = self.state.path + "/record.txt"
            let arguments = ["replay", "1", "--connect", server.address]
            let saved = try self.run(arguments + ["--save", path])
            #expect(saved.code == 0)
            #expect(
                saved.text
                    == "match 1 is in \(path); checked: seal, drawn numbers, order, dice, moves, result, digest\n"
            )
            #expect(self.state.read("record.txt") == record)
            try self.state.write("mine", to: "record.txt")
            let refused = try self.run(arguments + ["--save", path])
            #expect(refused.code == 2)
            #expect(
                refused.text == "catrace: \(path) exists: choose another name, or replace it with --force\n")
            #expect(self.state.read("record.txt") == "mine")
            #expect(try self.run(arguments + ["--save", path, "--force"]).code == 0)
            #expect(self.state.read("record.txt") == record)
            #expect(try self.run(arguments + ["--save", "/nowhere/race.txt"]).code == 2)
        }

        @Test func `in a pipe a replay is the record, and behind it what was checked`() throws {
            let record = try self.race(["--rule", "dash"]).record
            let server = try self.server(record)
            let words = "checked: seal, drawn numbers, order, dice, moves, result, digest\n"
            #expect(try self.run(["replay", "1", "--connect", server.address]) == (0, record + words))
            try self.state.write(record, to: "record.txt")
            #expect(try self.run(["replay", self.state.path + "/record.txt"]) == (0, record + words))
        }

        @Test func `a server that sends no record, or another, is found out`() throws {
            let record = try self.race().record
            let changed = try self.server(record.replacing("reason=finish", with: "reason=forfeit"))
            let lied = try self.run(["replay", "1", "--connect", changed.address])
            #expect(lied.code == 3 && lied.text.contains("NOT FAIR: the result does not fit"), "\(lied.text)")
            let cut = try self.server(String(record.prefix(300)))
            let short = try self.run(["replay", "1", "--connect", cut.address])
            #expect(short.code == 3 && short.text.contains("is no record of a race: line "), "\(short.text)")
            let other = try self.run(["replay", "2", "--connect", cut.address])
            #expect(other.code == 1 && other.text.contains("sent pages that are no record"), "\(other.text)")
        }

        @Test func `on a terminal a replay stops, goes on, hurries and leaves all as before`() throws {
            let record = try self.race().record
            try self.state.write(record, to: "record.txt")
            let terminal = try PseudoTerminal()
            let before = terminal.settings
            let program = try Program(
                "catrace", ["replay", self.state.path + "/record.txt"], environment: ["NO_COLOR": "1"],
                .terminal(terminal))
            #expect(terminal.waits(for: "(replay)") && terminal.waits(for: "(speed 1)"))
            #expect(terminal.settings != before)
            terminal.press(" ")
            #expect(terminal.waits(for: "(paused)"))
            terminal.press(" ++++++")
            #expect(terminal.waits(for: "(speed 64)"))
            #expect(terminal.waits(for: " has won the race!"))
            #expect(terminal.waits(for: "  checked: seal, drawn numbers, order, dice, moves, result, digest"))
            #expect(terminal.waits(for: "(the end)"))
            terminal.press("q")
            #expect(program.exitCode() == 0)
            #expect(terminal.settings == before)
            #expect(terminal.isLeftInOrder)
        }

        @Test func `top and player print a line for each, from whatever page`() throws {
            let ann = try #require(Alias("ann"))
            let board = Leaderboard(
                rule: .dash, page: Page(number: 1, of: 2), ownRank: nil,
                entries: [RankEntry(rank: 1, player: PlayerID(17), alias: ann, wins: 3, races: 5)])
            let history = History(
                player: PlayerID(17), alias: ann,
                entries: [History.Entry(rule: .dash, races: 5, wins: 3, forfeits: 0, best: 2, rank: 1)])
            var words: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0]
            let preface = words
            BinaryEncoder.append(.leaderboard(board), to: &words)
            let top = try Relay(to: nil, words: words)
            #expect(
                try self.run(["top", "dash", "--connect", top.address])
                    == (
                        0,
                        "rank n=1 id=17 alias=ann wins=3 races=5\n# page 1 of 2: --page 2 shows the next\n"
                    ))
            words = preface
            BinaryEncoder.append(.history(history), to: &words)
            let player = try Relay(to: nil, words: words)
            #expect(
                try self.run(["player", "ann", "--connect", player.address])
                    == (
                        0,
                        "history id=17 alias=ann count=1\n"
                            + "standing rule=dash races=5 wins=3 forfeits=0 best=2 rank=1\n"
                    ))
        }
    }
}
