import Glibc
import Testing

extension EndToEndTests {
    /// Bots race on a server with a file; what they did can be asked for, seen and checked, by whoever comes, also
    /// from the servers behind it.
    @Suite struct SeasonTests {
        /// What the client answers to everything that is asked of the past.
        private struct Past: Equatable {
            var top = ""
            var dashTop = ""
            var player = ""
            var who = ""
            var record = ""
        }

        private func ask(_ server: Server, _ words: [String]) async throws -> String {
            let client = try server.client(words)
            let code = try await client.exitCode()
            #expect(code == 0, "\(words): \(client.lines.text)")
            return client.lines.text
        }

        private func past(_ server: Server) async throws -> Past {
            let records = StateDirectory()
            let path = records.path + "/race.txt"
            defer { unsafe unlink(path) }
            let saved = try await self.ask(server, ["replay", "1", "--save", path])
            #expect(
                saved
                    == "match 1 is in \(path); checked: seal, drawn numbers, order, dice, moves, result, digest\n"
            )
            return Past(
                top: try await self.ask(server, ["top"]),
                dashTop: try await self.ask(server, ["top", "dash"]),
                player: try await self.ask(server, ["player", "ann"]),
                who: try await self.ask(server, ["who", "b"]), record: contents(of: path))
        }

        /// The lines of two bots that race against each other, one for each race.
        private func race(_ aliases: [String], _ words: [String], on server: Server) async throws -> [String]
        {
            let bots = try aliases.map { alias in
                try server.client(["bot", "--name", alias, "--players", "2", "--pace", "0"] + words)
            }
            for bot in bots { #expect(try await bot.exitCode() == 0, "\(bot.lines.text)") }
            return bots[0].lines.all.filter { $0.hasPrefix("race n=") }
        }

        private func verify(_ record: String) async throws -> (code: Int32, last: String) {
            let verifier = try Program(["catrace", "verify", "-"])
            verifier.send(Array(record.utf8))
            verifier.endInput()
            let code = try await verifier.exitCode()
            return (code, verifier.lines.all.last ?? "")
        }

        @Test func `what bots did can be asked for, seen and checked, and still after each kind of end`()
            async throws
        {
            let folder = DataFolder()
            var server = try await Server(folder.flags)
            let races = try await self.race(["ann", "bob"], ["--races", "3", "--finish", "5"], on: server)
            #expect(races.count == 3 && races.allSatisfy { $0.hasSuffix(" checks=passed") }, "\(races)")
            let dashes = try await self.race(
                ["cid", "dan"], ["--races", "1", "--finish", "5", "--rule", "dash"], on: server)
            #expect(dashes.count == 1)

            let past = try await self.past(server)
            // Who has won how often, most first.
            let wins = races.count { value("winner", in: $0) == "ann" }
            let ranked = past.top.split(separator: "\n").map(String.init)
            #expect(ranked.map { value("alias", in: $0) } == (wins > 1 ? ["ann", "bob"] : ["bob", "ann"]))
            #expect(
                ranked.map { value("wins", in: $0) } == ["\(max(wins, 3 - wins))", "\(min(wins, 3 - wins))"])
            #expect(ranked.allSatisfy { value("races", in: $0) == "3" }, "\(past.top)")
            let dashWinner = try #require(value("winner", in: dashes[0]))
            let dashRanked = past.dashTop.split(separator: "\n").map(String.init)
            #expect(dashRanked.count == 2)
            #expect(
                value("alias", in: dashRanked[0]) == dashWinner && value("wins", in: dashRanked[0]) == "1")
            #expect(
                past.player.contains("\nstanding rule=turns races=3 wins=\(wins) forfeits=0 "),
                "\(past.player)")
            // Gone, and known all the same; those whose aliases begin otherwise are not in it.
            #expect(past.who.split(separator: "\n").count == 1)
            #expect(past.who.contains(" alias=bob state=offline"), "\(past.who)")
            // The record is that race, and a changed one is found out.
            let over = try #require(past.record.split(separator: "\n").first { $0.hasPrefix("over ") })
            #expect(value("alias", in: String(over)) == value("winner", in: races[0]))
            let count = past.record.split(separator: "\n").count
            #expect(
                try await self.verify(past.record)
                    == (0, "all \(count) lines fit: the race was as it is told here"))
            #expect(try await self.verify(past.record.replacing("finish=5", with: "finish=4")).code == 1)

            server.program.signal(SIGTERM)
            #expect(try await server.program.exitCode() == 0)
            server = try await Server(folder.flags, port: server.port)
            #expect(try await self.past(server) == past)
            server = try await server.restart()
            #expect(try await self.past(server) == past)
            // What comes next is added to it.
            let later = try await self.race(["eve", "fay"], ["--races", "1", "--finish", "5"], on: server)
            let winner = try #require(value("winner", in: later[0]))
            #expect(value("match", in: later[0]).flatMap { Int($0) } ?? 0 > 4)
            let top = try await self.ask(server, ["top"])
            #expect(top.split(separator: "\n").count == 4 && top.contains(" alias=\(winner) wins=1 races=1"))
            server.program.signal(SIGTERM)
            #expect(try await server.program.exitCode() == 0)
            let (code, text) = try await folder.tool(["verify", "--all"] + folder.flags)
            #expect(code == 0 && text.contains("results=5 "), "\(text)")
        }
    }
}
