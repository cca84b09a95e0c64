import Glibc
import Testing

extension ClientRuntimeTests {
    /// The real client against the real server, over pipes.
    @Suite struct SessionTests {
        private func run(
            _ arguments: [String], input: String = "", environment: [String: String] = [:],
            seconds: Double = 60
        ) throws -> (code: Int32, text: String) {
            let program = try Program("catrace", arguments, environment: environment)
            program.write(input)
            program.endInput()
            let code = program.exitCode(within: seconds)
            return (code, program.text)
        }

        @Test func `ping answers, and ends within two seconds where nobody does`() throws {
            let server = try TestServer()
            let fine = try self.run(["ping", "--connect", server.address])
            #expect(fine.code == 0 && fine.text.hasPrefix("pong n=1 server=127.0.0.1:"))
            let silent = try Relay(to: nil)
            for address in ["127.0.0.1:1", silent.address] {
                // At one of a few tries: a busy machine makes some of them late.
                let isSoon = try (1...5).contains { _ in
                    let start = elapsed()
                    let lost = try self.run(["ping"], environment: ["CATRACE_SERVER": address])
                    let seconds = elapsed() - start
                    #expect(lost.code == 1)
                    #expect(lost.text.hasPrefix("catrace: ") && lost.text.split(separator: "\n").count == 1)
                    return seconds < 2
                }
                #expect(isSoon, "\(address)")
            }
        }

        @Test func `a bot plays its races, with every check passed`() throws {
            let server = try TestServer()
            let bots = ["bot", "--races", "2", "--pace", "0", "--finish", "6", "--connect", server.address]
            let first = try Program("catrace", bots + ["--name", "robo"])
            let second = try self.run(bots + ["--name", "rob2"])
            #expect(first.exitCode() == 0 && second.code == 0)
            for text in [first.text, second.text] {
                let lines = text.split(separator: "\n")
                #expect(lines.count == 2)
                for (index, line) in lines.enumerated() {
                    #expect(line.hasPrefix("race n=\(index + 1) match=") && line.hasSuffix(" checks=passed"))
                }
            }
        }

        @Test(arguments: ["turns", "dash"])
        func `a connection that is cut comes back by itself, and the race is whole`(rule: String) throws {
            let server = try TestServer()
            let relay = try Relay(to: server.port)
            let program = try Program(
                "catrace",
                [
                    "play", "--connect", relay.address, "--auto", "--bots", "1", "--rule", rule, "--finish",
                    "15",
                ])
            program.endInput()
            for (cut, word) in ["moved seq=", "connected again\n"].enumerated() {
                #expect(program.waits(for: word), "cut \(cut): \(program.text)")
                relay.cut()
            }
            #expect(program.exitCode(within: 60) == 0, "\(program.text)")
            #expect(program.text.contains("over seq="))
            #expect(program.text.contains("# check digest: passed"))
            #expect(!program.text.contains("not possible") && !program.text.contains("FAILED"))
            #expect(relay.connections == 3)
        }

        @Test func `lines work as with netcat, and the end of input is a goodbye`() throws {
            let server = try TestServer()
            let played = try self.run(
                ["play", "--connect", server.address, "--name", "zed", "--players", "2"],
                input: "why\nmove\nfoo\nname bob\nquit\n")
            #expect(played.code == 0)
            for word in [
                "welcome player=1 alias=zed key=", "queued waiting=1 min=2 max=2", "waiting for=anyone",
                "error re=move code=not-in-match", "error code=unknown-verb", "error code=already-named",
                "bye reason=quit",
            ] {
                #expect(played.text.contains(word), "\(word) in \(played.text)")
            }
        }

        @Test func `the same player comes again with the key, and a newer one takes over`() throws {
            let server = try TestServer()
            let arguments = ["play", "--connect", server.address, "--name", "ann", "--players", "2"]
            let first = try Program("catrace", arguments)
            #expect(first.waits(for: "queued waiting=1"))
            let key = first.text.split(separator: "key=").last?.prefix(32) ?? ""
            let taken = try self.run(arguments)
            #expect(
                taken.code == 2 && taken.text.contains("the alias ann is taken: choose another with --name"))
            let second = try Program("catrace", arguments, environment: ["CATRACE_KEY": String(key)])
            #expect(second.waits(for: "welcome player=1 alias=ann\n"))
            #expect(first.exitCode() == 1)
            #expect(first.text.contains("play on there, or start again to take it back"))
            second.endInput()
            #expect(second.exitCode() == 0)
        }

        @Test func `a key on the command line can't be seen by others for long`() throws {
            let server = try TestServer()
            let key = "00112233445566778899aabbccddeeff"
            let silent = try Relay(to: nil)
            let program = try Program(
                "catrace", ["play", "--connect", silent.address, "--name", "ann", "--key", key])
            var bytes = [UInt8](repeating: 0, count: 4096)
            #expect(
                eventually {
                    let file = unsafe open("/proc/\(program.pid)/cmdline", O_RDONLY | O_CLOEXEC)
                    let count = unsafe read(file, &bytes, bytes.count)
                    close(file)
                    return !String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains(key)
                })
            _ = server
        }

        @Test func `who, matches and alias print a line for each`() throws {
            let server = try TestServer()
            let to = ["--connect", server.address]
            #expect(try self.run(["who"] + to).text == "# nobody is here\n")
            #expect(try self.run(["matches"] + to).text == "# there are no matches\n")
            let player = try Program("catrace", ["play", "--bots", "1", "--name", "ann"] + to)
            #expect(player.waits(for: "begin seconds="))
            #expect(
                try self.run(["who", "an"] + to).text.hasPrefix("player id=1 alias=ann state=racing idle="))
            #expect(
                try self.run(["matches"] + to).text.hasPrefix(
                    "match id=1 state=active rule=turns players=ann"))
            #expect(
                try self.run(["alias", "1", "99"] + to).text
                    == "alias id=1 alias=ann\nalias id=99 unknown=yes\n")
            let watcher = try Program("catrace", ["watch", "1"] + to)
            #expect(watcher.waits(for: "snapshot match=1 of=2"))
            player.endInput()
            #expect(player.exitCode() == 0)
            #expect(watcher.exitCode(within: 60) == 0 && watcher.text.contains("over seq="))
            #expect(try self.run(["watch", "77"] + to).code == 2)
        }

        @Test func `mistakes of the command line end with 2 and one sentence`() throws {
            for arguments in [["fly"], ["play", "--fly"], ["watch"], ["who", "--connect", "a:0"]] {
                let result = try self.run(arguments)
                #expect(result.code == 2 && result.text.split(separator: "\n").count == 1, "\(result.text)")
            }
            #expect(try self.run(["--version"]).text == "catrace 1.0.0\n")
        }
    }
}
