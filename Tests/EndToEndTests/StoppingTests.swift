import Glibc
import Testing

extension EndToEndTests {
    /// The end of a server when it is asked twice, at a bad moment, or in a container.
    @Suite struct StoppingTests {
        /// A container's engine waits so long and then kills; see docker/compose.yaml.
        private static let grace = 12.0

        private static let kept =
            "the server restarts: your race is kept, come back to it with your name and key"
        private static let lost = "the server is stopping: your race ends without a result"
        private static let notSure =
            "the server is stopping: whether your race is kept is not sure, come back with your key and see"

        /// Somebody on a bare socket, in a race against a computer opponent that has begun.
        private func racing(_ alias: String, on server: Server) async throws -> (Socket, key: String) {
            let socket = try server.socket()
            let key = try await socket.register(alias)
            socket.say("play bots=1 finish=100000")
            try await socket.lines.wait(for: "begin ")
            return (socket, key)
        }

        /// Goal: whoever is in a hurry is served, whatever the server waits for. Method: the file is locked, so that
        /// the second signal's saving lasts; both signals are there before the server can look at one of them.
        @Test func `a third signal ends it at once, and the next server says that the race was lost`()
            async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags + ["--drain-seconds", "60"])
            let (ann, key) = try await self.racing("ann", on: server)
            server.program.signal(SIGTERM)
            try await ann.lines.wait(for: "notice code=draining seconds=60 ")
            let locker = try await folder.lock()
            server.program.signal(SIGSTOP)
            server.program.signal(SIGTERM)
            server.program.signal(SIGINT)
            server.program.signal(SIGCONT)
            #expect(try await server.program.exitCode() == 1)
            #expect(!ann.lines.text.contains(Self.kept))
            try await locker.killHard()
            let next = try await Server(folder.flags)
            let again = try next.socket()
            again.say("name ann \(key)")
            try await again.lines.wait(for: "welcome ")
            let notice = try await again.lines.next() ?? ""
            #expect(notice.hasPrefix("notice code=sudden-end "), "\(notice)")
        }

        @Test func `a result that waits when it is told to end is kept, if the file is free in time`()
            async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags + ["--drain-seconds", "0"])
            let racers = [
                try await Racer("ann", server.socket()), try await Racer("bob", server.socket()),
            ]
            let locker = try await folder.lock()
            for racer in racers { racer.say("play 2 finish=3") }
            try await race(racers)
            for racer in racers { #expect(racer.lines.text.contains("notice code=not-kept ")) }
            try await locker.killHard()
            server.program.signal(SIGTERM)
            #expect(try await server.program.exitCode(within: Self.grace) == 0)
            #expect(try await server.logged("results-lost").isEmpty)
            try await folder.expectSound("players=2 results=1 standings=2")
        }

        /// Goal: nobody is told more than is true. Method: another program has the file for itself, for a while, again
        /// and again, so that saving races succeeds or not by chance; then everybody comes back.
        @Test func `while others use the file too, everybody finds what they were told of their race`()
            async throws
        {
            let folder = DataFolder()
            let server = try await Server(folder.flags + ["--drain-seconds", "1"])
            var racers: [(socket: Socket, key: String)] = []
            for number in 0..<20 { racers.append(try await self.racing("ann\(number)", on: server)) }
            let code = """
                import random, sqlite3, sys, time
                seed = time.time_ns()
                random.seed(seed)
                database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
                print("begun seed", seed, flush=True)
                while True:
                    database.execute("BEGIN IMMEDIATE")
                    time.sleep(random.uniform(0.01, 0.5))
                    database.execute("ROLLBACK")
                    time.sleep(random.uniform(0, 0.1))
                """
            let other = try Program(["/usr/bin/env", "python3", "-c", code, folder.database])
            let seed = try await other.lines.wait(for: "begun seed ")
            server.program.signal(SIGTERM)
            #expect(try await server.program.exitCode(within: Self.grace) == 0)
            try await other.killHard()
            let next = try await Server(folder.flags)
            for (number, racer) in racers.enumerated() {
                let bye = try await racer.socket.lines.wait(for: "bye ")
                let again = try next.socket()
                again.say("name ann\(number) \(racer.key)")
                try await again.lines.wait(for: "welcome ")
                again.say("ping 1")
                let isBack = try await again.lines.next()?.hasPrefix("snapshot ") == true
                #expect(
                    isBack ? !bye.contains(Self.lost) : !bye.contains(Self.kept), "\(seed): \(bye)")
                #expect(
                    [Self.kept, Self.lost, Self.notSure].contains { bye.contains($0) }, "\(seed): \(bye)"
                )
            }
        }

        @Test func `told to end while it begins it ends, and harms nothing`() async throws {
            let folder = DataFolder()
            try await Server(folder.flags).program.killHard()
            for milliseconds in [0, 5, 20, 60, 200] {
                let program = try Program(["catrace-server", "--port", "0"] + folder.flags)
                try await Task.sleep(for: .milliseconds(milliseconds))
                program.signal(SIGTERM)
                let code = try await program.exitCode(within: Self.grace)
                // Before it minds signals, one ends it as it ends every program.
                #expect(code == 0 || code == 128 + SIGTERM, "\(milliseconds) ms: \(program.lines.text)")
            }
            try await folder.expectSound("players=0 results=0 standings=0")
            // It waits for the file as long as it does, and not for ever.
            let locker = try await folder.lock()
            let program = try Program(["catrace-server", "--port", "0"] + folder.flags)
            try await Task.sleep(for: .milliseconds(300))
            program.signal(SIGTERM)
            let code = try await program.exitCode(within: Self.grace)
            #expect(code == 1 || code == 128 + SIGTERM, "\(program.lines.text)")
            try await locker.killHard()
        }

        /// As in a container: no shell and no init beside it, and what a process ignores does not reach process 1.
        @Test(
            .enabled(if: Network.isPossible, "on demand: needs root, for a process id of 1"),
            arguments: [SIGTERM, SIGINT])
        func `as process 1 it ends by a signal, with its races saved`(signal: Int32) async throws {
            let folder = DataFolder()
            let server = try await Server(
                folder.flags + ["--drain-seconds", "1"],
                prefix: ["/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--"])
            let (ann, _) = try await self.racing("ann", on: server)
            let pid = contents(of: "/proc/\(server.program.pid)/task/\(server.program.pid)/children")
            let inner = try #require(pid_t(pid.filter { $0 != " " }))
            #expect(contents(of: "/proc/\(inner)/status").contains("NSpid:\t\(inner)\t1\n"))
            kill(inner, signal)
            #expect(try await server.program.exitCode(within: Self.grace) == 0)
            #expect(try await ann.lines.wait(for: "bye ").contains(Self.kept))
            #expect(try await server.logged("matches-saved").last?.contains("count=1 lost=0") == true)
        }
    }
}
