import Glibc
import Testing

extension EndToEndTests {
    /// A server with a file: what it keeps, and what happens when it can't.
    @Suite struct KeepingTests {
        /// Two people race.
        private func pair(_ server: Server) async throws -> [Racer] {
            [try await Racer("ann", server.socket()), try await Racer("bob", server.socket())]
        }

        private func race(_ pair: [Racer], again: Bool = false) async throws {
            for racer in pair { racer.say(again ? "rematch" : "play 2 finish=3") }
            try await EndToEndTests.play(pair)
        }

        @Test func `killed and started anew, players, results and records are there`() async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let ann = try server.socket()
            let key = try await ann.register("ann")
            let racers = [Racer(named: "ann", ann), try await Racer("bob", server.socket())]
            try await self.race(racers)
            let over = try #require(ann.lines.all.first { $0.hasPrefix("over ") })
            let restarted = try await server.restart()

            let again = try restarted.socket()
            again.say("name ann \(key)")
            #expect(try await again.lines.wait(for: "welcome ").hasPrefix("welcome player=1 alias=ann"))
            again.say("alias 2 99")
            #expect(try await again.lines.wait(for: "alias id=2").contains("alias=bob"))
            again.say("top")
            let top = try await again.lines.wait(for: "top ")
            #expect(value("count", in: top) == "2")
            let winner = value("alias", in: over) ?? ""
            let first = try await again.lines.wait(for: "rank ")
            #expect(value("alias", in: first) == winner && value("wins", in: first) == "1")
            again.say("replay 1")
            #expect(try await again.lines.wait(for: "> over ") == "> " + over)
            again.say("play bots=1 finish=1000")
            #expect(value("match", in: try await again.lines.wait(for: "found ")) != "1")
            try await folder.expectSound("players=2 results=1 standings=2")
        }

        @Test func `locked by another program, races go on, and it is told when they are kept`() async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let racers = try await self.pair(server)
            let locker = try await folder.lock()
            try await self.race(racers)
            try await self.race(racers, again: true)
            for racer in racers {
                let told = racer.lines.all.filter { $0.hasPrefix("over ") || $0.hasPrefix("notice ") }
                    .map { $0.prefix(21) }
                #expect(told.map { $0.hasPrefix("over ") } == [false, true, false, true], "\(told)")
                #expect(told[0] == "notice code=not-kept " && told[2] == told[0], "\(told)")
            }
            let late = try server.socket()
            late.say("name cat")
            #expect(value("code", in: try await late.lines.wait(for: "error ")) == "unavailable")

            try await locker.killHard()
            for racer in racers {
                for _ in 1...2 { try await racer.lines.wait(for: "notice code=kept ") }
            }
            late.say("name cat")
            try await late.lines.wait(for: "welcome player=3 ")
            let (down, up) = (try await server.logged("store-down"), try await server.logged("store-up"))
            #expect(down.count == 1 && up.count == 1)
            #expect(down.first?.contains("fault=locked") == true)
            #expect(up.first?.contains("kept=2 lost=0") == true)
            try await server.program.killHard()
            try await folder.expectSound("players=3 results=2 standings=2")
        }

        @Test func `two hundred races end at once while it is locked, and others don't feel it`() async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let script = try Script.start("many_ends.py", ["\(server.port)", folder.database])
            #expect(try await script.exitCode(within: 120) == 0, "\(script.lines.text)")
            let said = script.lines.text
            let (moves, slow) = (
                value("moves", in: said).flatMap(Int.init), value("slow", in: said).flatMap(Int.init)
            )
            #expect(value("ended", in: said) == "200" && value("told", in: said) == "200", "\(said)")
            // Other tests run beside this one: a move in fifty may have waited for them.
            #expect(try #require(moves) > 50 && #require(slow) * 50 <= #require(moves), "\(said)")
            #expect(try await server.logged("store-up").count == 1)
            try await server.program.killHard()
            try await folder.expectSound("players=202 results=200 standings=0")
        }

        @Test func `while nobody can say a name, a client tries less and less often, and gets in at last`()
            async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let locker = try await folder.lock()
            let bot = try Program([
                "catrace", "bot", "--connect", "127.0.0.1:\(server.port)", "--races", "1", "--bots", "1",
                "--finish", "3",
            ])
            try await bot.lines.holds("attempt 4 in ")
            try await locker.killHard()
            #expect(try await bot.exitCode(within: 120) == 0, "\(bot.lines.text)")
            #expect(bot.lines.text.contains("race n=1 "))
        }

        @Test func `a running server whose file was moved says so to who wants a copy`() async throws {
            let folder = DataFolder()
            let socket = folder.path + "/s"
            let server = try await Server(folder.flags + ["--control", socket])
            #expect(unsafe rename(folder.database, folder.database + ".away") == 0)
            let copy = folder.path + "/copy.db"
            let (code, text) = try await folder.tool(["ctl", "--control", socket, "backup", copy])
            #expect(
                code == 1 && text.contains("was moved, removed or replaced while the server runs"), "\(text)")
            try await server.program.killHard()
        }

        @Test func `told to end while locked, it ends in time and says how many results are not kept`()
            async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let racers = try await self.pair(server)
            let locker = try await folder.lock()
            try await self.race(racers)
            server.program.signal(SIGTERM)
            #expect(try await server.program.exitCode() == 0)
            #expect(try await server.logged("results-lost").first?.hasSuffix(" count=1") == true)
            try await locker.killHard()
            try await folder.expectSound("players=2 results=0 standings=0")
        }

        /// A limit for the size of files, below what there is already: every write fails.
        @Test func `with no room for a byte races go on, and are kept once there is room`() async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let racers = try await self.pair(server)
            let pid = "\(server.program.pid)"
            #expect(try Program(["/usr/bin/prlimit", "--pid", pid, "--fsize=1:unlimited"]).waitForEnd() == 0)
            try await self.race(racers)
            #expect(racers[0].lines.all.contains { $0.hasPrefix("notice code=not-kept ") })
            // Tried again each second, in vain, with the file opened anew.
            try await Task.sleep(for: .milliseconds(2500))
            #expect(try await server.logged("store-down").count == 1)
            #expect(
                try Program(["/usr/bin/prlimit", "--pid", pid, "--fsize=unlimited:unlimited"]).waitForEnd()
                    == 0)
            try await racers[0].lines.wait(for: "notice code=kept ")
            try await server.program.killHard()
            try await folder.expectSound("players=2 results=1 standings=2")
        }

        @Test(.enabled(if: Network.isPossible, "on demand: needs root, to mount a small disk"))
        func `on a full disk it says so once, races go on, and are kept once there is room`() async throws {
            let folder = DataFolder()
            let server = try await Server(
                folder.flags,
                prefix: [
                    "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                    "mount -t tmpfs -o size=256k small \(folder.path) && exec \"$@\"", "sh",
                ])
            let racers = try await self.pair(server)
            func inside(_ command: String) throws -> Int32 {
                try Program(
                    ["/usr/bin/nsenter", "-m", "-t", "\(server.program.pid)", "/bin/sh", "-c", command]
                ).waitForEnd()
            }
            #expect(try inside("head -c 1000000 /dev/zero > \(folder.path)/filler") != 0)
            var races = 0
            while !racers[0].lines.all.contains(where: { $0.hasPrefix("notice code=not-kept ") }), races < 12
            {
                try await self.race(racers, again: races > 0)
                races += 1
            }
            #expect(try await server.logged("store-down").count == 1)
            #expect(try await server.logged("store-down").first?.contains("fault=full") == true)
            #expect(try inside("rm \(folder.path)/filler") == 0)
            try await racers[0].lines.wait(for: "notice code=kept ")
            #expect(try await server.logged("store-up").count == 1)
            #expect(
                try inside(
                    "\(Program.directory)catrace-server check --data \(folder.path) | grep -q ' sound$'") == 0
            )
        }

        @Test func `removed or overwritten while it runs, it says so, and races go on`() async throws {
            for (command, fault) in [("rm %", "moved"), ("echo garbage > %", "overwritten")] {
                let folder = DataFolder()
                let server = try await Server(folder.flags)
                let racers = try await self.pair(server)
                let shell = command.split(separator: "%").joined() + folder.database
                #expect(try Program(["/bin/sh", "-c", shell]).waitForEnd() == 0)
                try await self.race(racers)
                #expect(racers[0].lines.all.contains { $0.hasPrefix("notice code=not-kept ") })
                #expect(try await server.logged("store-down").count == 1)
                #expect(try await server.logged("store-down").first?.contains("fault=\(fault)") == true)
                server.program.signal(SIGTERM)
                #expect(try await server.program.exitCode() == 0)
                #expect(try await server.logged("results-lost").first?.hasSuffix(" count=1") == true)
            }
        }

        @Test func `at its start each trouble with the file is one sentence and status 1`() async throws {
            let folder = DataFolder()
            let running = try await Server(folder.flags)
            let garbage = DataFolder()
            _ = try Program(["/bin/sh", "-c", "head -c 9000 /dev/urandom > \(garbage.database)"]).waitForEnd()
            for (path, sentence) in [
                (folder.path, "another server uses the data directory '\(folder.path)'"),
                (garbage.path, "'\(garbage.database)' is damaged or no database (file is not a database)"),
                (
                    garbage.database,
                    "the data directory '\(garbage.database)' can't be used (Not a directory)"
                ),
            ] {
                let (code, text) = try await folder.tool(["--port", "0", "--data", path])
                #expect(code == 1)
                #expect(text.hasPrefix("catrace-server: \(sentence)"), "\(text)")
                #expect(text.split(separator: "\n").count == 1, "\(text)")
            }
            try await running.program.killHard()
        }

        @Test func `a file that may only be read is one sentence at the start`() async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            try await server.program.killHard()
            // Root may write everything, so another user tries.
            let asUser = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"] : []
            #expect(try Program(["/bin/sh", "-c", "chmod -R a=rX \(folder.path)"]).waitForEnd() == 0)
            let program = try Program(
                asUser + [Program.directory + "catrace-server", "--port", "0"] + folder.flags)
            #expect(try await program.exitCode() == 1)
            #expect(program.lines.text.contains("can't be used (Permission denied)"), "\(program.lines.text)")
            #expect(try Program(["/bin/chmod", "-R", "u+w", folder.path]).waitForEnd() == 0)
        }

        @Test func `a backup of a running server is whole, and starts another`() async throws {
            let folder = DataFolder()
            let server = try await Server(folder.flags)
            let racers = try await self.pair(server)
            try await self.race(racers)
            let other = DataFolder()
            let (code, text) = try await folder.tool(["backup"] + folder.flags + [other.database])
            #expect(code == 0 && text == "backup file=\(other.database)\n", "\(text)")
            try await other.expectSound("players=2 results=1 standings=2")
            let (again, sentence) = try await folder.tool(["backup"] + folder.flags + [other.database])
            #expect(again == 1 && sentence.contains("is there already"), "\(sentence)")
            let second = try await Server(other.flags)
            let asker = try second.socket()
            asker.say("player ann")
            #expect(try await asker.lines.wait(for: "standing ").contains("races=1"))
        }

        @Test func `a misused verb is one sentence and status 2`() async throws {
            let folder = DataFolder()
            for (words, sentence) in [
                (["verify"], "verify goes through all races: say verify --all"),
                (["backup"], "backup needs one file to write to"),
                (
                    ["check", "--port", "1"],
                    "there is no flag '--port' of check: it takes --data, and of the settings knows only CATRACE_DATA"
                ),
                (
                    ["--memory", "--data", "a"],
                    "memory keeps nothing, and data keeps all in a directory: choose one"
                ),
            ] {
                let (code, text) = try await folder.tool(words)
                #expect(code == 2 && text.hasPrefix("catrace-server: \(sentence)"), "\(text)")
            }
        }

        /// `make crash` plays two hundred rounds.
        @Test func `killed five times at a random moment, all that was told is kept`() async throws {
            let words = [
                "/usr/bin/env", "python3", "-B", Script.folder + "crash.py", "--server",
                Program.directory + "catrace-server", "--rounds", "5",
            ]
            let honest = try Program(words)
            #expect(try await honest.exitCode(within: 200) == 0, "\(honest.lines.text)")
            #expect(honest.lines.text.contains(" faults=0 "), "\(honest.lines.text)")
            let planted = try Program(words + ["--plant"])
            #expect(try await planted.exitCode(within: 200) == 1)
            #expect(planted.lines.text.contains("was told, and is gone"), "\(planted.lines.text)")
        }
    }

    /// A race in which nobody waits.
    static func play(_ racers: [Racer]) async throws { try await race(racers) }
}
